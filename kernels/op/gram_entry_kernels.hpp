// Bodies of the operations that make entries of G.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/op/gram_entry_ops.hpp"

namespace sinew {

/// kThreads touched nodes of one row a block.
struct MixColumnsKernel {
  static constexpr int kThreads = 128;
  struct Shared {};
  GramPart part;
  ComplianceColumns columns;
  double* z;
  std::size_t chunks;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    block.threads([&](int t) {
      const std::size_t k = block.index() / chunks;
      const std::size_t i = block.index() % chunks * kThreads + static_cast<std::size_t>(t);
      if (i >= part.node.size) return;
      const Index node = part.node[i];
      double sum = 0.0;
      for (std::size_t p = part.start[k]; p < part.start[k + 1]; ++p)
        sum += part.weight[p] * columns.at(part.node[part.place[p]], node);
      z[k * part.node.size + i] = sum;
    });
  }
};

/// One row of the part a block: its entries with itself and the rows behind it.
struct AddEntriesKernel {
  static constexpr int kThreads = 128;
  struct Shared {};
  GramPart part;
  const double* z;
  std::size_t count;
  double* gram;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    block.threads([&](int t) {
      const std::size_t k = block.index(), c = part.row[k];
      const double* own = z + k * part.node.size;
      for (std::size_t l = k + static_cast<std::size_t>(t); l < part.row.size; l += kThreads) {
        double sum = 0.0;
        for (std::size_t p = part.start[l]; p < part.start[l + 1]; ++p)
          sum += part.weight[p] * own[part.place[p]];
        const std::size_t d = part.row[l];
        const double value = gram[c * count + d] + sum;
        gram[c * count + d] = value;
        gram[d * count + c] = value;
      }
    });
  }
};

struct TakeDiagonalKernel {
  const double* gram;
  double* diagonal;
  std::size_t count;
  SINEW_HD void operator()(std::size_t c) const { diagonal[c] = gram[c * count + c]; }
};

namespace op {

template <class Queue>
void mix_columns(Queue& queue, const GramPart& part, const ComplianceColumns& columns, View<double> z) {
  const std::size_t chunks = block_count(part.touched(), MixColumnsKernel::kThreads);
  queue.launch(part.rows() * chunks, MixColumnsKernel{part, columns, z.data, chunks});
}

template <class Queue>
void add_entries(Queue& queue, const GramPart& part, View<const double> z, std::size_t count,
                 View<double> gram) {
  queue.launch(part.rows(), AddEntriesKernel{part, z.data, count, gram.data});
}

template <class Queue>
void take_diagonal(Queue& queue, View<const double> gram, View<double> diagonal) {
  queue.for_each(diagonal.size, TakeDiagonalKernel{gram.data, diagonal.data, diagonal.size});
}

}  // namespace op

}  // namespace sinew
