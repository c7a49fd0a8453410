#include "engine/contact/low_rank_update.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr double kVanishing = 1e-12;  // of the largest entry

/// b := a^-1 b for {n, n} matrices, by elimination with row exchanges; false where a is singular.
bool eliminate(std::vector<double>& a, std::vector<double>& b, std::size_t n) {
  double largest = 0.0;
  for (const double v : a) largest = std::max(largest, std::abs(v));
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[best * n + k])) best = i;
    if (!(std::abs(a[best * n + k]) > kVanishing * largest)) return false;
    if (best != k) {
      std::swap_ranges(a.begin() + best * n, a.begin() + (best + 1) * n, a.begin() + k * n);
      std::swap_ranges(b.begin() + best * n, b.begin() + (best + 1) * n, b.begin() + k * n);
    }
    const double inverse = 1.0 / a[k * n + k];
    for (std::size_t j = 0; j < n; ++j) {
      a[k * n + j] *= inverse;
      b[k * n + j] *= inverse;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = a[i * n + k];
      if (i == k || factor == 0.0) continue;
      for (std::size_t j = 0; j < n; ++j) {
        a[i * n + j] -= factor * a[k * n + j];
        b[i * n + j] -= factor * b[k * n + j];
      }
    }
  }
  return true;
}

}  // namespace

void LowRankUpdate::set(std::vector<Vec3d> q, std::size_t rank, const std::vector<double>& middle,
                        const std::function<void(SplitVectors&)>& solve) {
  rank_ = rank;
  if (rank == 0) return;
  const std::size_t m = q.size() / rank;
  solved_.resize(q.size());
  SplitVectors x;
  for (std::size_t l = 0; l < rank; ++l) {
    x.assign(m, 0.0);
    for (std::size_t i = 0; i < m; ++i) x.set(i, q[i * rank + l]);
    solve(x);
    for (std::size_t i = 0; i < m; ++i) solved_[i * rank + l] = x.at(i);
  }
  std::vector<double> s(rank * rank, 0.0);
  for_each(rank, 1, [&](std::size_t k) {
    for (std::size_t i = 0; i < m; ++i)
      if (!(q[i * rank + k] == Vec3d{}))  // columns of bodies that the point is not of
        for (std::size_t l = 0; l < rank; ++l) s[k * rank + l] += dot(q[i * rank + k], solved_[i * rank + l]);
  });
  std::vector<double> a(rank * rank, 0.0);
  for (std::size_t i = 0; i < rank; ++i) {
    for (std::size_t k = 0; k < rank; ++k)
      for (std::size_t j = 0; j < rank; ++j) a[i * rank + j] += middle[i * rank + k] * s[k * rank + j];
    a[i * rank + i] += 1.0;
  }
  inside_ = middle;
  if (!eliminate(a, inside_, rank)) rank_ = 0;
}

std::vector<double> LowRankUpdate::project(const SplitVectors& b) const {
  std::vector<double> sum(rank_, 0.0);
  for (std::size_t i = 0; i < b.x.size(); ++i) {
    const Vec3d v = b.at(i);
    for (std::size_t l = 0; l < rank_; ++l) sum[l] += dot(solved_[i * rank_ + l], v);
  }
  return inside(sum);
}

std::vector<double> LowRankUpdate::at(std::size_t place, const Vec3d& v) const {
  std::vector<double> z(rank_);
  put_at(place, v, z.data());
  return z;
}

void LowRankUpdate::put_at(std::size_t place, const Vec3d& v, double* z) const {
  for (std::size_t l = 0; l < rank_; ++l) z[l] = dot(solved_[place * rank_ + l], v);
}

std::vector<double> LowRankUpdate::inside(const std::vector<double>& z) const {
  std::vector<double> out(rank_, 0.0);
  for (std::size_t k = 0; k < rank_; ++k)
    for (std::size_t l = 0; l < rank_; ++l) out[k] += inside_[k * rank_ + l] * z[l];
  return out;
}

void LowRankUpdate::subtract(const std::vector<double>& z, SplitVectors& x) const {
  if (rank_ == 0) return;
  for (std::size_t i = 0; i < x.x.size(); ++i) {
    Vec3d sum{};
    for (std::size_t l = 0; l < rank_; ++l) sum += z[l] * solved_[i * rank_ + l];
    x.set(i, x.at(i) - sum);
  }
}

}  // namespace sinew
