// Triangles of obstacles, for export.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <sinew/model.hpp>

namespace sinew {

/// Surface in the obstacle's local coordinates.
struct ObstacleSurface {
  SurfaceMesh mesh;
  std::vector<std::int32_t>
      stripe;  ///< {triangles} 0 or 1, alternating around the axis: makes turning visible
  std::vector<std::array<Index, 2>> edges;  ///< of a mesh obstacle, besides its triangles: points of mesh
  std::vector<Index> points;                ///< the same
};

/// A half-space becomes a square of the given half width about centre (its z is ignored); the others ignore
/// both.
ObstacleSurface obstacle_surface(const ObstacleShape& shape, const Vec3d& centre, double half_width);

}  // namespace sinew
