#include "engine/handles/dense_factor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kColumnChunk = 64;  // of a block per task

/// X := L^-1 X for columns [from, to) of a block with a given width.
void forward(const std::vector<double>& lower, std::size_t width, std::size_t rank, double* x,
             std::size_t columns, std::size_t from, std::size_t to) {
  for (std::size_t i = 0; i < rank; ++i) {
    double* row = x + i * columns;
    for (std::size_t j = 0; j < i; ++j) {
      const double l = lower[i * width + j];
      const double* other = x + j * columns;
      for (std::size_t c = from; c < to; ++c) row[c] -= l * other[c];
    }
    const double d = lower[i * width + i];
    for (std::size_t c = from; c < to; ++c) row[c] /= d;
  }
}

/// X := L^-T X
void backward(const std::vector<double>& lower, std::size_t width, std::size_t rank, double* x,
              std::size_t columns, std::size_t from, std::size_t to) {
  for (std::size_t i = rank; i-- > 0;) {
    double* row = x + i * columns;
    const double d = lower[i * width + i];
    for (std::size_t c = from; c < to; ++c) row[c] /= d;
    for (std::size_t j = 0; j < i; ++j) {
      const double l = lower[i * width + j];
      double* other = x + j * columns;
      for (std::size_t c = from; c < to; ++c) other[c] -= l * row[c];
    }
  }
}

template <class F>
void for_each_chunk(std::size_t columns, F&& f) {
  const std::size_t chunks = (columns + kColumnChunk - 1) / kColumnChunk;
  for_each(chunks, 1, [&](std::size_t k) { f(k * kColumnChunk, std::min(columns, (k + 1) * kColumnChunk)); });
}

}  // namespace

void DenseFactor::compute(const std::vector<double>& matrix, std::size_t n) {
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  pivoted_cholesky(matrix);
  relate_dependent_rows();
}

void DenseFactor::pivoted_cholesky(const std::vector<double>& matrix) {
  const std::size_t n = order_.size();
  lower_.assign(n * n, 0.0);
  std::vector<double> left(n);  // diagonal of what is left, in the order of pivots
  for (std::size_t i = 0; i < n; ++i) left[i] = matrix[i * n + i];
  const auto allowed = [&](std::size_t i) {
    return left[i] > kDependent * matrix[order_[i] * n + order_[i]];
  };
  for (rank_ = 0; rank_ < n; ++rank_) {
    const std::size_t k = rank_;
    std::size_t best = n;
    for (std::size_t i = k; i < n; ++i)
      if (allowed(i) && (best == n || left[i] > left[best])) best = i;
    if (best == n) break;
    if (best != k) {
      std::swap(order_[k], order_[best]);
      std::swap(left[k], left[best]);
      for (std::size_t j = 0; j < k; ++j) std::swap(lower_[k * n + j], lower_[best * n + j]);
    }
    const double pivot = std::sqrt(left[k]);
    lower_[k * n + k] = pivot;
    const double* row_k = lower_.data() + k * n;
    for (std::size_t i = k + 1; i < n; ++i) {
      double* row = lower_.data() + i * n;
      double sum = matrix[order_[i] * n + order_[k]];
      for (std::size_t j = 0; j < k; ++j) sum -= row[j] * row_k[j];
      row[k] = sum / pivot;
      left[i] -= row[k] * row[k];
    }
  }
}

void DenseFactor::relate_dependent_rows() {
  const std::size_t n = order_.size(), r = rank_;
  relate_.clear();
  normal_.clear();
  if (r == n) return;
  relate_.resize((n - r) * r);
  for (std::size_t d = r; d < n; ++d) {  // t L = l_d, from the last entry on
    double* t = relate_.data() + (d - r) * r;
    for (std::size_t j = 0; j < r; ++j) t[j] = lower_[d * n + j];
    for (std::size_t j = r; j-- > 0;) {
      t[j] /= lower_[j * n + j];
      for (std::size_t i = 0; i < j; ++i) t[i] -= t[j] * lower_[j * n + i];
    }
  }
  normal_.assign(r * r, 0.0);
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = i == j ? 1.0 : 0.0;
      for (std::size_t d = 0; d < n - r; ++d) sum += relate_[d * r + i] * relate_[d * r + j];
      for (std::size_t k = 0; k < j; ++k) sum -= normal_[i * r + k] * normal_[j * r + k];
      normal_[i * r + j] = i == j ? std::sqrt(sum) : sum / normal_[j * r + j];
    }
  }
}

void DenseFactor::half_solve(std::vector<double>& block, std::size_t columns) const {
  const std::size_t n = size(), r = rank_;
  std::vector<double> x(n * columns);
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(block.data() + order_[i] * columns, columns, x.data() + i * columns);
  for_each_chunk(columns, [&](std::size_t from, std::size_t to) {
    if (r < n) {
      for (std::size_t d = r; d < n; ++d)
        for (std::size_t i = 0; i < r; ++i)
          for (std::size_t c = from; c < to; ++c)
            x[i * columns + c] += relate_[(d - r) * r + i] * x[d * columns + c];
      forward(normal_, r, r, x.data(), columns, from, to);
      backward(normal_, r, r, x.data(), columns, from, to);
    }
    forward(lower_, n, r, x.data(), columns, from, to);
  });
  x.resize(r * columns);
  block = std::move(x);
}

void DenseFactor::half_solve_back(std::vector<double>& block, std::size_t columns) const {
  const std::size_t n = size(), r = rank_;
  block.resize(n * columns, 0.0);
  for_each_chunk(columns, [&](std::size_t from, std::size_t to) {
    backward(lower_, n, r, block.data(), columns, from, to);
    if (r == n) return;
    forward(normal_, r, r, block.data(), columns, from, to);
    backward(normal_, r, r, block.data(), columns, from, to);
    for (std::size_t d = r; d < n; ++d)
      for (std::size_t i = 0; i < r; ++i)
        for (std::size_t c = from; c < to; ++c)
          block[d * columns + c] += relate_[(d - r) * r + i] * block[i * columns + c];
  });
  std::vector<double> result(n * columns);
  for (std::size_t i = 0; i < n; ++i)
    std::copy_n(block.data() + i * columns, columns, result.data() + order_[i] * columns);
  block = std::move(result);
}

bool solve_dense(std::vector<double> matrix, std::size_t n, std::vector<double>& columns,
                 std::size_t column_count) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(matrix[i * n + k]) > std::abs(matrix[best * n + k])) best = i;
    if (!(std::abs(matrix[best * n + k]) > 0.0)) return false;
    if (best != k) {
      std::swap_ranges(matrix.begin() + k * n, matrix.begin() + (k + 1) * n, matrix.begin() + best * n);
      std::swap_ranges(columns.begin() + k * column_count, columns.begin() + (k + 1) * column_count,
                       columns.begin() + best * column_count);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = matrix[i * n + k] / matrix[k * n + k];
      if (factor == 0.0) continue;
      for (std::size_t j = k + 1; j < n; ++j) matrix[i * n + j] -= factor * matrix[k * n + j];
      for (std::size_t c = 0; c < column_count; ++c)
        columns[i * column_count + c] -= factor * columns[k * column_count + c];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t c = 0; c < column_count; ++c) columns[k * column_count + c] /= matrix[k * n + k];
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t c = 0; c < column_count; ++c)
        columns[i * column_count + c] -= matrix[i * n + k] * columns[k * column_count + c];
  }
  return true;
}

}  // namespace sinew
