#include "engine/contact/sparse_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/contact/contact_operator.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kBatch = 64;
constexpr double kVanishing = 1e-10;  // of what is left of a diagonal entry

/// Solves a w = b in place for a symmetric {k, k} matrix (lower triangle read); rows that depend on earlier
/// ones get no weight.
void solve_small(double* a, double* b, std::size_t k) {
  double inverse[SparseInverse::kNeighbours];
  for (std::size_t i = 0; i < k; ++i) {
    double* row = a + i * k;
    const double diagonal = row[i];
    for (std::size_t j = 0; j < i; ++j) {
      const double* other = a + j * k;
      double sum = row[j];
      for (std::size_t l = 0; l < j; ++l) sum -= row[l] * other[l];
      row[j] = sum * inverse[j];
    }
    double pivot = diagonal;
    for (std::size_t l = 0; l < i; ++l) pivot -= row[l] * row[l];
    inverse[i] = pivot > kVanishing * diagonal ? 1.0 / std::sqrt(pivot) : 0.0;
    double sum = b[i];
    for (std::size_t l = 0; l < i; ++l) sum -= row[l] * b[l];
    b[i] = sum * inverse[i];
  }
  for (std::size_t i = k; i-- > 0;) {
    b[i] *= inverse[i];
    for (std::size_t l = 0; l < i; ++l) b[l] -= a[i * k + l] * b[i];
  }
}

}  // namespace

void SparseInverse::factor(const std::vector<double>& gram, std::size_t n) {
  pivot_.assign(n, 0.0);
  order(gram);
  predict(gram);
  transpose();
}

/// Always the point that those chosen so far determine least, by distance
/// d(i, j)^2 = 1 - G_ij^2 / (G_ii G_jj).
void SparseInverse::order(const std::vector<double>& gram) {
  const std::size_t n = size();
  std::vector<double> far(n, 2.0), scale(n);
  for (std::size_t i = 0; i < n; ++i)
    scale[i] = gram[i * n + i] > 0.0 ? 1.0 / std::sqrt(gram[i * n + i]) : 0.0;
  order_.resize(n);
  rank_.assign(n, n);
  std::size_t next = 0;
  for (std::size_t k = 0; k < n; ++k) {
    order_[k] = next;
    rank_[next] = k;
    far[next] = -1.0;
    const double* row = gram.data() + next * n;
    const double own = scale[next];
    for (std::size_t j = 0; j < n; ++j) {
      const double c = row[j] * own * scale[j];
      const double d = 1.0 - c * c;
      far[j] = d < far[j] ? d : far[j];
    }
    next = static_cast<std::size_t>(std::max_element(far.begin(), far.end()) - far.begin());
  }
}

void SparseInverse::predict(const std::vector<double>& gram) {
  const std::size_t n = size();
  count_.assign(n, 0);
  neighbour_.assign(n * kNeighbours, 0);
  weight_.assign(n * kNeighbours, 0.0);
  std::vector<double> scale(n);
  for (std::size_t i = 0; i < n; ++i) scale[i] = gram[i * n + i] > 0.0 ? 1.0 / gram[i * n + i] : 0.0;
  for_each((n + kBatch - 1) / kBatch, 1, [&](std::size_t batch) {
    std::vector<std::pair<double, std::size_t>> near;
    std::vector<double> a(kNeighbours * kNeighbours);
    for (std::size_t i = batch * kBatch; i < std::min(n, (batch + 1) * kBatch); ++i) {
      const double* row = gram.data() + i * n;
      near.clear();
      // A bounded heap of the best: its root is the worst of them.
      const auto better = [](const auto& x, const auto& y) {
        return x.first != y.first ? x.first > y.first : x.second < y.second;
      };
      for (std::size_t j = 0; j < n; ++j) {
        if (rank_[j] >= rank_[i]) continue;
        const std::pair<double, std::size_t> entry{row[j] * row[j] * scale[j], j};
        if (!(entry.first > 0.0)) continue;
        if (near.size() == kNeighbours) {
          if (!better(entry, near.front())) continue;
          std::pop_heap(near.begin(), near.end(), better);
          near.back() = entry;
        } else {
          near.push_back(entry);
        }
        std::push_heap(near.begin(), near.end(), better);
      }
      std::sort(near.begin(), near.end(), better);
      const std::size_t k = near.size();
      count_[i] = k;
      std::size_t* index = neighbour_.data() + i * kNeighbours;
      double* weight = weight_.data() + i * kNeighbours;
      for (std::size_t p = 0; p < k; ++p) {
        index[p] = near[p].second;
        weight[p] = row[index[p]];
      }
      for (std::size_t p = 0; p < k; ++p)
        for (std::size_t q = 0; q <= p; ++q) a[p * k + q] = gram[index[p] * n + index[q]];
      solve_small(a.data(), weight, k);
      double left = row[i];
      for (std::size_t p = 0; p < k; ++p) left -= weight[p] * row[index[p]];
      if (!(left > kVanishing * row[i])) {  // a double of its neighbours
        count_[i] = 0;
        left = row[i];
      }
      pivot_[i] = left > 0.0 ? 1.0 / left : 0.0;
    }
  });
}

void SparseInverse::transpose() {
  const std::size_t n = size();
  start_.assign(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t p = 0; p < count_[i]; ++p) ++start_[neighbour_[i * kNeighbours + p] + 1];
  for (std::size_t i = 0; i < n; ++i) start_[i + 1] += start_[i];
  row_.resize(start_[n]);
  value_.resize(start_[n]);
  std::vector<std::size_t> at(start_.begin(), start_.end() - 1);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t p = 0; p < count_[i]; ++p) {
      const std::size_t place = at[neighbour_[i * kNeighbours + p]]++;
      row_[place] = i;
      value_[place] = weight_[i * kNeighbours + p];
    }
}

void SparseInverse::solve(SplitVectors& x) const {
  const std::size_t n = size();
  std::vector<Vec3d> y(n);
  for_each((n + kBatch - 1) / kBatch, 4, [&](std::size_t batch) {
    for (std::size_t i = batch * kBatch; i < std::min(n, (batch + 1) * kBatch); ++i) {
      Vec3d sum = x.at(i);
      for (std::size_t p = i * kNeighbours; p < i * kNeighbours + count_[i]; ++p)
        sum -= weight_[p] * x.at(neighbour_[p]);
      y[i] = pivot_[i] * sum;
    }
  });
  for_each((n + kBatch - 1) / kBatch, 4, [&](std::size_t batch) {
    for (std::size_t j = batch * kBatch; j < std::min(n, (batch + 1) * kBatch); ++j) {
      Vec3d sum = y[j];
      for (std::size_t p = start_[j]; p < start_[j + 1]; ++p) sum -= value_[p] * y[row_[p]];
      x.set(j, sum);
    }
  });
}

}  // namespace sinew
