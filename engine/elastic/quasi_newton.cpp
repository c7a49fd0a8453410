#include "engine/elastic/quasi_newton.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/runtime/executor.hpp"

namespace sinew {

double block_dot(const Vec3d* a, const Vec3d* b, std::size_t n, std::vector<double>& sums) {
  return ordered_sum<double>(n, sums, [&](std::size_t i) { return dot(a[i], b[i]); });
}

void QuasiNewton::begin(std::size_t capacity, std::size_t size) {
  capacity_ = capacity;
  count_ = 0;
  pairs_.resize(capacity);
  for (Pair& pair : pairs_) {
    pair.s.resize(size);
    pair.y.resize(size);
    pair.inverse_y.resize(size);
  }
  sy_.assign(capacity * capacity, 0.0);
  yy_.assign(capacity * capacity, 0.0);
}

void QuasiNewton::push(const std::vector<Vec3d>& s, const std::vector<Vec3d>& y,
                       const std::vector<Vec3d>& inverse_y, std::vector<double>& sums) {
  if (capacity_ == 0) return;
  const std::size_t n = s.size();
  const auto inner = [&](const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    return block_dot(a.data(), b.data(), n, sums);
  };
  const double curvature = inner(s, y), sizes = inner(s, s) * inner(y, y);
  if (!(curvature > 1e-10 * std::sqrt(sizes)) || !(curvature > 0.0)) return;
  if (count_ == capacity_) {  // drop the oldest
    std::rotate(pairs_.begin(), pairs_.begin() + 1, pairs_.end());
    for (std::size_t i = 0; i + 1 < capacity_; ++i) {
      for (std::size_t j = 0; j + 1 < capacity_; ++j) {
        sy_[i * capacity_ + j] = sy_[(i + 1) * capacity_ + j + 1];
        yy_[i * capacity_ + j] = yy_[(i + 1) * capacity_ + j + 1];
      }
    }
    --count_;
  }
  const std::size_t k = count_++;
  pairs_[k].s = s;
  pairs_[k].y = y;
  pairs_[k].inverse_y = inverse_y;
  for (std::size_t i = 0; i <= k; ++i) {
    sy_[i * capacity_ + k] = inner(pairs_[i].s, y);
    yy_[i * capacity_ + k] = yy_[k * capacity_ + i] = inner(pairs_[i].y, inverse_y);
  }
  rebuild_middle();
}

void QuasiNewton::rebuild_middle() {
  const std::size_t m = count_, rank = 2 * m;
  // R^-1 by back substitution, column by column.
  std::vector<double> inverse_r(m * m, 0.0), product(m * m, 0.0);
  for (std::size_t j = 0; j < m; ++j) {
    for (std::size_t i = j + 1; i-- > 0;) {
      double sum = i == j ? 1.0 : 0.0;
      for (std::size_t k = i + 1; k <= j; ++k) sum -= sy_[i * capacity_ + k] * inverse_r[k * m + j];
      inverse_r[i * m + j] = sum / sy_[i * capacity_ + i];
    }
  }
  for (std::size_t i = 0; i < m; ++i)  // (D + Y^T A^-1 Y) R^-1
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < m; ++k)
        product[i * m + j] +=
            (yy_[i * capacity_ + k] + (i == k ? sy_[i * capacity_ + i] : 0.0)) * inverse_r[k * m + j];
  middle_.assign(rank * rank, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < m; ++k) sum += inverse_r[k * m + i] * product[k * m + j];
      middle_[i * rank + j] = sum;
      middle_[i * rank + m + j] = -inverse_r[j * m + i];
      middle_[(m + i) * rank + j] = -inverse_r[i * m + j];
    }
  }
}

void QuasiNewton::add_low_rank(const std::vector<Vec3d>& r, double scale, std::vector<Vec3d>& out,
                               std::vector<double>& sums) const {
  const std::size_t k = rank();
  if (k == 0) return;
  std::vector<double> inner(k), weight(k, 0.0);
  for (std::size_t i = 0; i < k; ++i) inner[i] = block_dot(column(i).data(), r.data(), r.size(), sums);
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) weight[i] += scale * middle_[i * k + j] * inner[j];
  for_each(out.size(), 1024, [&](std::size_t n) {
    for (std::size_t i = 0; i < k; ++i) out[n] += weight[i] * column(i)[n];
  });
}

}  // namespace sinew
