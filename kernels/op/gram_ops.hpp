// Products with the compliance of contact points, h^2 (G + Q M Q^T): G dense and scalar, one block of M per
// body. All arrays stand on the device; sums have an order that depends on the sizes alone.
#pragma once

#include <cstddef>

#include <sinew/base/vec3.hpp>

#include "kernels/device/view.hpp"

namespace sinew {

/// G {count, count} [1/kg], symmetric.
struct GramView {
  std::size_t count = 0;
  View<const double> entry;
};

/// The columns of one body at one point: q[vector ...] belongs to z[z ...].
struct LowRankSegment {
  std::size_t z = 0, vector = 0, width = 0;
  std::size_t middle = 0;  ///< of the body's {width, width} in `middle`
};
/// A point that has a body's columns: q[vector ...].
struct LowRankUse {
  std::size_t point = 0, vector = 0;
};
/// Column z of Q: entry `column` of the points [first, end) of `use`.
struct LowRankColumn {
  std::size_t first = 0, end = 0, column = 0;
};

/// The term of low rank, borrowed; rank 0: none.
struct LowRankView {
  View<const std::size_t> row;         ///< {c + 1}: segments of a point
  View<const LowRankSegment> segment;  ///< by point
  View<const LowRankUse> use;          ///< by body
  View<const LowRankColumn> column;    ///< {rank}
  View<const Vec3d> q;                 ///< of the segments, one after the other
  View<const double> middle;           ///< blocks of M, row-major
  View<const Vec3d> projected;         ///< h^2 Q M, in the places of q

  std::size_t rank() const { return column.size; }
  /// Share of the term at point c for z = Q^T f.
  SINEW_HD Vec3d at(std::size_t c, const double* z) const {
    Vec3d sum{};
    if (column.size == 0) return sum;
    for (std::size_t s = row[c]; s < row[c + 1]; ++s)
      for (std::size_t k = 0; k < segment[s].width; ++k)
        sum += z[segment[s].z + k] * projected[segment[s].vector + k];
    return sum;
  }
};

class GramOps {
 public:
  virtual ~GramOps() = default;

  /// to[i] = base[i] + factor * sum_j G_ij f[j] for the points [0, count); base: empty for none, may be `to`.
  /// Reads G once for all three components. skip: null, or an integer on the device that says, where not
  /// zero, that nothing is to be done.
  virtual void multiply_gram(const GramView& gram, double factor, View<const Vec3d> f, View<const Vec3d> base,
                             View<Vec3d> to, const int* skip) = 0;
  /// G_cc = diagonal[c]
  virtual void set_diagonal(View<double> gram, View<const double> diagonal) = 0;
  /// projected = factor * Q M, where view.projected will be.
  virtual void project_low_rank(const LowRankView& term, double factor, View<Vec3d> projected) = 0;
  /// z = base + Q^T f; base: empty for none, may be z.
  virtual void low_rank_sums(const LowRankView& term, View<const Vec3d> f, View<const double> base,
                             View<double> z, const int* skip) = 0;
  /// to[c] += (h^2 Q M z)_c
  virtual void add_low_rank(const LowRankView& term, View<const double> z, View<Vec3d> to,
                            const int* skip) = 0;
};

}  // namespace sinew
