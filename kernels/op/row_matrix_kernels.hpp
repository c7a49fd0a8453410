// Bodies of the products with matrices by rows.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/op/row_matrix.hpp"

namespace sinew {

/// `lanes` threads share a row; a block does kThreads / lanes rows.
template <class T>
struct MultiplyRowsKernel {
  static constexpr int kThreads = 128;
  struct Shared {
    Vec3<T> part[kThreads];
  };
  RowMatrixView<T> matrix;
  Index first, end;
  int lanes;
  const Vec3<T>* x;
  T sign;
  const Vec3<T>* base;  ///< may be null
  Vec3<T>* to;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    Vec3<T>* part = block.shared().part;
    const Index begin = first + static_cast<Index>(block.index()) * (kThreads / lanes);
    block.threads([&](int t) {
      const Index row = begin + t / lanes;
      Vec3<T> sum{};
      if (row < end) {
        const std::int64_t start = matrix.value_start[row];
        const std::int64_t count = matrix.value_start[row + 1] - start;
        const T* value = matrix.value.data + start;
        const Index* index = matrix.index.data + matrix.index_start[row];
        for (std::int64_t k = t % lanes; k < count; k += lanes) sum += value[k] * x[index[k]];
      }
      part[t] = sum;
    });
    for (int half = lanes / 2; half > 0; half /= 2)
      block.threads([&](int t) {
        if (t % lanes < half) part[t] += part[t + half];
      });
    block.threads([&](int t) {
      const Index row = begin + t / lanes;
      if (t % lanes != 0 || row >= end) return;
      const Vec3<T> sum = sign * part[t];
      to[row] = base ? base[row] + sum : sum;
    });
  }
};

template <class To, class From>
struct ConvertKernel {
  Vec3<To>* to;
  const Vec3<From>* from;
  SINEW_HD void operator()(std::size_t i) const {
    to[i] = {static_cast<To>(from[i].x), static_cast<To>(from[i].y), static_cast<To>(from[i].z)};
  }
};

namespace op {

template <class Queue, class T>
void multiply_rows(Queue& queue, const RowMatrixView<T>& matrix, const RowRange& range, View<const Vec3<T>> x,
                   T sign, View<const Vec3<T>> base, View<Vec3<T>> to) {
  const std::size_t per_block = static_cast<std::size_t>(MultiplyRowsKernel<T>::kThreads / range.lanes);
  queue.launch(
      block_count(static_cast<std::size_t>(range.end - range.first), per_block),
      MultiplyRowsKernel<T>{matrix, range.first, range.end, range.lanes, x.data, sign, base.data, to.data});
}

template <class Queue, class To, class From>
void convert(Queue& queue, View<Vec3<To>> to, View<const Vec3<From>> from) {
  queue.for_each(to.size, ConvertKernel<To, From>{to.data, from.data});
}

}  // namespace op

}  // namespace sinew
