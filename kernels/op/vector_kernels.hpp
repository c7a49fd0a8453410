// Bodies of the vector operations, and the operations over any queue that can for_each() and launch().
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/op/vector_ops.hpp"

namespace sinew {

/// Adds part[0 .. n-1] of a block pairwise into part[0]; n a power of two, at most the threads of the block.
template <class Block, class T>
SINEW_HD void sum_pairwise(Block& block, T* part, int n) {
  for (int half = n / 2; half > 0; half /= 2)
    block.threads([&](int t) {
      if (t < half) part[t] += part[t + half];
    });
}

/// The same, and the sum written by one thread.
template <class Block, class T>
SINEW_HD void write_sum(Block& block, T* part, int n, T* to) {
  sum_pairwise(block, part, n);
  block.threads([&](int t) {
    if (t == 0) *to = part[0];
  });
}

struct ScaleKernel {
  Vec3d* to;
  const Vec3d* from;
  double factor;
  SINEW_HD void operator()(std::size_t i) const { to[i] = factor * from[i]; }
};

struct AddScaledKernel {
  Vec3d* to;
  const Vec3d* from;
  double factor;
  SINEW_HD void operator()(std::size_t i) const { to[i] += factor * from[i]; }
};

/// A block sums kSumItems items of one column: block b does column b % columns.
struct ProductsKernel {
  static constexpr int kThreads = 256;
  struct Shared {
    double part[kThreads];
  };
  const Vec3d* const* column;
  std::size_t columns;
  const Vec3d* r;
  std::size_t size;
  double* sums;  ///< {chunks, columns}

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    const std::size_t k = block.index() % columns, chunk = block.index() / columns;
    double* part = block.shared().part;
    block.threads([&](int t) {
      const std::size_t first = chunk * kSumItems;
      const std::size_t end = first + kSumItems < size ? first + kSumItems : size;
      const Vec3d* c = column[k];
      double s = 0.0;
      for (std::size_t i = first + static_cast<std::size_t>(t); i < end; i += kThreads) s += dot(c[i], r[i]);
      part[t] = s;
    });
    write_sum(block, part, kThreads, &sums[block.index()]);
  }
};

/// result[k] = sum over chunks of sums[chunk, k]: one block a column.
struct FinishProductsKernel {
  static constexpr int kThreads = 128;
  struct Shared {
    double part[kThreads];
  };
  const double* sums;
  std::size_t chunks, columns;
  double* result;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    double* part = block.shared().part;
    block.threads([&](int t) {
      double s = 0.0;
      for (std::size_t c = static_cast<std::size_t>(t); c < chunks; c += kThreads)
        s += sums[c * columns + block.index()];
      part[t] = s;
    });
    write_sum(block, part, kThreads, &result[block.index()]);
  }
};

/// to[b] = sum of value over range b: chunks of an array of values first, then the chunks of each part.
struct SumRangesKernel {
  static constexpr int kThreads = 256;
  struct Shared {
    double part[kThreads];
  };
  const double* value;
  const SumChunk* chunk;          ///< ranges; or null:
  const std::size_t* part_chunk;  ///< range b is [part_chunk[b], part_chunk[b + 1])
  double* to;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    double* part = block.shared().part;
    block.threads([&](int t) {
      const std::size_t b = block.index();
      const std::size_t first = chunk ? chunk[b].first : part_chunk[b];
      const std::size_t end = chunk ? chunk[b].end : part_chunk[b + 1];
      double s = 0.0;
      for (std::size_t i = first + static_cast<std::size_t>(t); i < end; i += kThreads) s += value[i];
      part[t] = s;
    });
    write_sum(block, part, kThreads, &to[block.index()]);
  }
};

struct AddColumnsKernel {
  Vec3d* to;
  const Vec3d* const* column;
  std::size_t columns;
  const double* factor;
  SINEW_HD void operator()(std::size_t i) const {
    Vec3d sum = to[i];
    for (std::size_t k = 0; k < columns; ++k) sum += factor[k] * column[k][i];
    to[i] = sum;
  }
};

namespace op {

template <class Queue>
void scale(Queue& queue, View<Vec3d> to, View<const Vec3d> from, double factor) {
  queue.for_each(to.size, ScaleKernel{to.data, from.data, factor});
}

template <class Queue>
void add_scaled(Queue& queue, View<Vec3d> to, View<const Vec3d> from, double factor) {
  queue.for_each(to.size, AddScaledKernel{to.data, from.data, factor});
}

template <class Queue>
void products(Queue& queue, View<const Vec3d* const> columns, View<const Vec3d> r, View<double> result,
              View<double> scratch) {
  const std::size_t chunks = block_count(r.size, kSumItems);
  queue.launch(chunks * columns.size,
               ProductsKernel{columns.data, columns.size, r.data, r.size, scratch.data});
  queue.launch(columns.size, FinishProductsKernel{scratch.data, chunks, columns.size, result.data});
}

template <class Queue>
void add_columns(Queue& queue, View<Vec3d> to, View<const Vec3d* const> columns, View<const double> factor) {
  if (columns.size == 0) return;
  queue.for_each(to.size, AddColumnsKernel{to.data, columns.data, columns.size, factor.data});
}

template <class Queue>
void sum_parts(Queue& queue, const SumPlanView& plan, View<const double> values, View<double> result,
               View<double> scratch) {
  queue.launch(plan.chunk.size, SumRangesKernel{values.data, plan.chunk.data, nullptr, scratch.data});
  queue.launch(plan.parts(), SumRangesKernel{scratch.data, nullptr, plan.part_chunk.data, result.data});
}

}  // namespace op

}  // namespace sinew
