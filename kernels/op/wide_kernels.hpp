// Bodies of the products with many columns at once.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/op/wide_ops.hpp"

namespace sinew {

/// One row a block, four sums a column: entry k goes to sum k mod 4.
template <class T>
struct MultiplyRowsWideKernel {
  static constexpr int kColumns = static_cast<int>(kWideColumns), kParts = 4, kThreads = kParts * kColumns;
  struct Shared {
    T part[kThreads];
  };
  RowMatrixView<T> matrix;
  Index first;
  const T* x;
  T sign;
  const T* base;  ///< may be null
  T* to;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    T* part = block.shared().part;
    const std::size_t row = static_cast<std::size_t>(first) + block.index();
    block.threads([&](int t) {
      const std::int64_t start = matrix.value_start[row];
      const std::int64_t count = matrix.value_start[row + 1] - start;
      const T* value = matrix.value.data + start;
      const Index* index = matrix.index.data + matrix.index_start[row];
      const T* column = x + t % kColumns;
      T sum = T(0);
      for (std::int64_t k = t / kColumns; k < count; k += kParts)
        sum += value[k] * column[static_cast<std::size_t>(index[k]) * kWideColumns];
      part[t] = sum;
    });
    block.threads([&](int t) {
      if (t >= kColumns) return;
      const T sum =
          sign * ((part[t] + part[t + kColumns]) + (part[t + 2 * kColumns] + part[t + 3 * kColumns]));
      const std::size_t i = row * kWideColumns + static_cast<std::size_t>(t);
      to[i] = base ? base[i] + sum : sum;
    });
  }
};

template <class T>
struct UnitColumnsKernel {
  const Index* node;
  std::size_t count;
  T* to;
  SINEW_HD void operator()(std::size_t i) const {
    const std::size_t c = i % kWideColumns;
    to[i] = c < count && static_cast<std::size_t>(node[c]) == i / kWideColumns ? T(1) : T(0);
  }
};

/// A block turns 32 rows of all columns.
template <class T>
struct TakeColumnsKernel {
  static constexpr int kColumns = static_cast<int>(kWideColumns), kThreads = 4 * kColumns;
  struct Shared {
    T tile[kColumns][kColumns + 1];  ///< one more: neighbours in a column lie in different banks
  };
  const T* wide;
  std::size_t n, count;
  double* columns;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    auto& tile = block.shared().tile;
    const std::size_t first = block.index() * kWideColumns;
    block.threads([&](int t) {
      for (int r = t / kColumns; r < kColumns; r += 4)
        if (first + static_cast<std::size_t>(r) < n)
          tile[r][t % kColumns] = wide[(first + static_cast<std::size_t>(r)) * kWideColumns +
                                       static_cast<std::size_t>(t % kColumns)];
    });
    block.threads([&](int t) {
      const std::size_t i = first + static_cast<std::size_t>(t % kColumns);
      if (i >= n) return;
      for (int c = t / kColumns; c < static_cast<int>(count); c += 4)
        columns[static_cast<std::size_t>(c) * n + i] = static_cast<double>(tile[t % kColumns][c]);
    });
  }
};

namespace op {

template <class Queue, class T>
void multiply_rows_wide(Queue& queue, const RowMatrixView<T>& matrix, const RowRange& range, View<const T> x,
                        T sign, View<const T> base, View<T> to) {
  queue.launch(static_cast<std::size_t>(range.end - range.first),
               MultiplyRowsWideKernel<T>{matrix, range.first, x.data, sign, base.data, to.data});
}

template <class Queue, class T>
void unit_columns(Queue& queue, View<const Index> node, View<T> to) {
  queue.for_each(to.size, UnitColumnsKernel<T>{node.data, node.size, to.data});
}

template <class Queue, class T>
void take_columns(Queue& queue, View<const T> wide, std::size_t count, View<double> columns) {
  const std::size_t n = wide.size / kWideColumns;
  queue.launch(block_count(n, kWideColumns), TakeColumnsKernel<T>{wide.data, n, count, columns.data});
}

}  // namespace op

}  // namespace sinew
