#include "engine/contact/dense_cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "engine/contact/contact_operator.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kPanel = 32;
constexpr std::size_t kColumns = 256;  // of the trailing matrix in one go: they stay in the nearest cache
constexpr double kVanishing = 1e-10;   // of a pivot, relative to its diagonal entry

}  // namespace

void DenseCholesky::factor(std::vector<double> a, std::size_t n) {
  n_ = n;
  vanished_ = 0;
  u_ = std::move(a);
  inverse_.resize(n);
  std::vector<double> diagonal(n);
  for (std::size_t k = 0; k < n; ++k) diagonal[k] = u_[k * n + k];
  for (std::size_t begin = 0; begin < n; begin += kPanel) {
    const std::size_t end = std::min(n, begin + kPanel);
    for (std::size_t k = begin; k < end; ++k) {
      double* row = u_.data() + k * n;
      const bool vanishes = !(row[k] > kVanishing * diagonal[k]);
      const double pivot = vanishes ? diagonal[k] : row[k];
      inverse_[k] = pivot > 0.0 ? 1.0 / std::sqrt(pivot) : 0.0;
      vanished_ += vanishes;
      if (vanishes) std::fill(row + k + 1, row + n, 0.0);
      for (std::size_t i = k + 1; i < n; ++i) row[i] *= inverse_[k];
      row[k] = pivot > 0.0 ? std::sqrt(pivot) : 0.0;
      for (std::size_t j = k + 1; j < end; ++j) subtract_rows(row, n, 1, u_.data() + j * n, j, n, row + j, n);
    }
    if (end == n) break;
    const std::size_t rows = n - end, tasks = (rows + kPanel - 1) / kPanel;
    const double* panel = u_.data() + begin * n;
    for_each(tasks, 4, [&](std::size_t task) {
      const std::size_t first = end + task * kPanel, last = std::min(n, first + kPanel);
      for (std::size_t from = first; from < n; from += kColumns) {
        const std::size_t to = std::min(n, from + kColumns);
        for (std::size_t j = first; j < last; ++j)
          subtract_rows(panel, n, end - begin, u_.data() + j * n, std::max(j, from), to, panel + j, n);
      }
    });
  }
  // Columns of U as rows below the diagonal, for the way back.
  for_each((n + kPanel - 1) / kPanel, 2, [&](std::size_t block) {
    const std::size_t first = block * kPanel, last = std::min(n, first + kPanel);
    for (std::size_t i = 0; i < last; ++i)
      for (std::size_t k = std::max(first, i + 1); k < last; ++k) u_[k * n + i] = u_[i * n + k];
  });
}

void DenseCholesky::solve(SplitVectors& x) const {
  std::vector<ColumnStep> steps;
  for (std::size_t begin = 0; begin < n_; begin += kPanel) {  // U^T y = b, by rows of U
    const std::size_t end = std::min(n_, begin + kPanel);
    steps.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const Vec3d y = inverse_[k] * x.at(k);
      x.set(k, y);
      steps.push_back({k, -1.0 * y});
      add_columns(u_.data(), n_, &steps.back(), 1, k + 1, end, x.x.data(), x.y.data(), x.z.data());
    }
    add_columns(u_.data(), n_, steps.data(), steps.size(), end, n_, x.x.data(), x.y.data(), x.z.data());
  }
  for (std::size_t group = (n_ + kPanel - 1) / kPanel; group-- > 0;) {  // U x = y, by columns of U
    const std::size_t begin = group * kPanel, end = std::min(n_, begin + kPanel);
    steps.clear();
    for (std::size_t k = end; k-- > begin;) {
      const Vec3d y = inverse_[k] * x.at(k);
      x.set(k, y);
      steps.push_back({k, -1.0 * y});
      add_columns(u_.data(), n_, &steps.back(), 1, begin, k, x.x.data(), x.y.data(), x.z.data());
    }
    add_columns(u_.data(), n_, steps.data(), steps.size(), 0, begin, x.x.data(), x.y.data(), x.z.data());
  }
}

}  // namespace sinew
