// Bodies of the products with the compliance of contact points.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/op/gram_ops.hpp"
#include "kernels/op/vector_kernels.hpp"

namespace sinew {

/// A block does kRows rows of G: 8 kRows bytes of G for the 24 of a force, which come from the cache. Of
/// 3,300 points 87 MB are read once, 26 us at the 3.35 TB/s of an H100's datasheet.
struct MultiplyGramKernel {
  static constexpr int kThreads = 128;
  static constexpr int kRows = 4;
  struct Shared {
    Vec3d part[kRows][kThreads];
  };
  GramView gram;
  double factor;
  const Vec3d* f;
  const Vec3d* base;  ///< may be null
  Vec3d* to;
  const int* skip;  ///< may be null

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    if (skip && *skip != 0) return;
    const std::size_t count = gram.count, first = block.index() * kRows;
    auto& part = block.shared().part;
    block.threads([&](int t) {
      const double* row[kRows];
      Vec3d sum[kRows];
      for (int r = 0; r < kRows; ++r) {
        const std::size_t i = first + static_cast<std::size_t>(r);
        row[r] = gram.entry.data + (i < count ? i : count - 1) * count;
        sum[r] = {0.0, 0.0, 0.0};
      }
      for (std::size_t j = static_cast<std::size_t>(t); j < count; j += kThreads) {
        const Vec3d v = f[j];
        for (int r = 0; r < kRows; ++r) sum[r] += row[r][j] * v;
      }
      for (int r = 0; r < kRows; ++r) part[r][t] = sum[r];
    });
    for (int half = kThreads / 2; half > 0; half /= 2)
      block.threads([&](int t) {
        if (t >= half) return;
        for (int r = 0; r < kRows; ++r) part[r][t] += part[r][t + half];
      });
    block.threads([&](int t) {
      const std::size_t i = first + static_cast<std::size_t>(t);
      if (t >= kRows || i >= count) return;
      const Vec3d sum = factor * part[t][0];
      to[i] = base ? base[i] + sum : sum;
    });
  }
};

struct SetDiagonalKernel {
  double* gram;
  const double* diagonal;
  std::size_t count;
  SINEW_HD void operator()(std::size_t c) const { gram[c * count + c] = diagonal[c]; }
};

/// One segment a block.
struct ProjectLowRankKernel {
  static constexpr int kThreads = 32;
  struct Shared {};
  LowRankView term;
  double factor;
  Vec3d* projected;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    block.threads([&](int t) {
      const LowRankSegment s = term.segment[block.index()];
      for (std::size_t l = static_cast<std::size_t>(t); l < s.width; l += kThreads) {
        Vec3d sum{};
        for (std::size_t k = 0; k < s.width; ++k)
          sum += (factor * term.middle[s.middle + k * s.width + l]) * term.q[s.vector + k];
        projected[s.vector + l] = sum;
      }
    });
  }
};

/// One column of Q a block.
struct LowRankSumsKernel {
  static constexpr int kThreads = 128;
  struct Shared {
    double part[kThreads];
  };
  LowRankView term;
  const Vec3d* f;
  const double* base;  ///< may be null
  double* z;
  const int* skip;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    if (skip && *skip != 0) return;
    double* part = block.shared().part;
    block.threads([&](int t) {
      const LowRankColumn column = term.column[block.index()];
      double sum = 0.0;
      for (std::size_t k = column.first + static_cast<std::size_t>(t); k < column.end; k += kThreads)
        sum += dot(term.q[term.use[k].vector + column.column], f[term.use[k].point]);
      part[t] = sum;
    });
    sum_pairwise(block, part, kThreads);
    block.threads([&](int t) {
      if (t == 0) z[block.index()] = base ? base[block.index()] + part[0] : part[0];
    });
  }
};

struct AddLowRankKernel {
  LowRankView term;
  const double* z;
  Vec3d* to;
  const int* skip;
  SINEW_HD void operator()(std::size_t c) const {
    if (skip && *skip != 0) return;
    to[c] += term.at(c, z);
  }
};

namespace op {

template <class Queue>
void multiply_gram(Queue& queue, const GramView& gram, double factor, View<const Vec3d> f,
                   View<const Vec3d> base, View<Vec3d> to, const int* skip) {
  queue.launch(block_count(gram.count, MultiplyGramKernel::kRows),
               MultiplyGramKernel{gram, factor, f.data, base.data, to.data, skip});
}

template <class Queue>
void project_low_rank(Queue& queue, const LowRankView& term, double factor, View<Vec3d> projected) {
  queue.launch(term.segment.size, ProjectLowRankKernel{term, factor, projected.data});
}

template <class Queue>
void low_rank_sums(Queue& queue, const LowRankView& term, View<const Vec3d> f, View<const double> base,
                   View<double> z, const int* skip) {
  queue.launch(term.rank(), LowRankSumsKernel{term, f.data, base.data, z.data, skip});
}

template <class Queue>
void set_diagonal(Queue& queue, View<double> gram, View<const double> diagonal) {
  queue.for_each(diagonal.size, SetDiagonalKernel{gram.data, diagonal.data, diagonal.size});
}

template <class Queue>
void add_low_rank(Queue& queue, const LowRankView& term, View<const double> z, View<Vec3d> to,
                  const int* skip) {
  if (term.rank() == 0) return;
  queue.for_each(term.row.size - 1, AddLowRankKernel{term, z.data, to.data, skip});
}

}  // namespace op

}  // namespace sinew
