// Elements that are squares of a linear function of the nodes, weight/2 (|y| - length)^2 with y = row x:
// bending of sheets and springs (engine/precompute/elastic_rows.hpp).
#pragma once

#include <cstddef>

#include <sinew/base/vec3.hpp>

namespace sinew {

/// y of row s in compressed rows, relative to one of its nodes: full precision far from the origin, since the
/// coefficients sum to zero.
inline SINEW_HD Vec3d squared_row_value(const Index* start, const Index* node, const double* coefficient,
                                        std::size_t s, const Vec3d* x) {
  const Index first = start[s];
  const Vec3d origin = x[node[first]];
  Vec3d y{};
  for (Index p = first + 1; p < start[s + 1]; ++p) y += coefficient[p] * (x[node[p]] - origin);
  return y;
}

/// The energy; its gradient by y is added to force. size: |y|. At y = 0 every direction is as good as any
/// other; then the term gives no force.
inline SINEW_HD double add_squared_row(double weight, double length, double size, const Vec3d& y,
                                       Vec3d& force) {
  if (length == 0.0)
    force += weight * y;
  else if (size > 0.0)
    force += (weight * (1.0 - length / size)) * y;
  return 0.5 * weight * (size - length) * (size - length);
}

}  // namespace sinew
