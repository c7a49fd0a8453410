// The product that contact solvers live on: displacements moved by a few columns of the Gram matrix.
#pragma once

#include <cstddef>

#include <sinew/base/vec3.hpp>

namespace sinew {

/// A change of force at one point: the column of G that it moves, and h^2 times the change.
struct ColumnStep {
  std::size_t point = 0;
  Vec3d change;
};

/// x[d] += G[step.point][d] * change.x, and y, z alike, for d in [from, to), step after step: the bits do not
/// depend on how wide the processor is, nor on how the range is cut. gram: row-major with `stride` columns.
void add_columns(const double* gram, std::size_t stride, const ColumnStep* step, std::size_t steps,
                 std::size_t from, std::size_t to, double* x, double* y, double* z);

/// target[i] -= sum_k factor[k * factor_stride] * rows[k * stride + i] for i in [from, to), k after k.
void subtract_rows(const double* rows, std::size_t stride, std::size_t count, double* target,
                   std::size_t from, std::size_t to, const double* factor, std::size_t factor_stride);

}  // namespace sinew
