// What points and edges have in common when they are judged.
#pragma once

#include "engine/collision/surface.hpp"

namespace sinew {

inline constexpr double kConeSlack = 1e-6;  ///< [rad]
/// Of the size of a pair: nearer than this, directions mean nothing.
inline constexpr double kTouching = 1e-10;

/// Across the edge from -> to, towards the corner opposite, unit.
inline Vec3d across(const Vec3d& from, const Vec3d& to, const Vec3d& opposite) {
  const Vec3d along = to - from, u = opposite - from;
  const double length2 = squared_norm(along);
  return normalized(length2 > 0.0 ? u - (dot(u, along) / length2) * along : u);
}

/// Across the edge into its k-th face, unit.
inline Vec3d into_face(const SurfaceTopology::Edge& e, const std::vector<Vec3d>& x, int k) {
  return across(x[e.point[0]], x[e.point[1]], x[e.opposite[k]]);
}

}  // namespace sinew
