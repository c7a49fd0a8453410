// What lies under the cursor.
#pragma once

#include <optional>
#include <vector>

#include "viewer/live/live_frame.hpp"
#include "viewer/live/screen.hpp"

namespace sinew::viewer {

struct TriangleHit {
  Index triangle = -1;
  Vec3d barycentric{};    ///< sums to 1
  double distance = 0.0;  ///< [m] along the ray
  Vec3d position;         ///< [m]
};

/// First triangle that a ray meets, from either side; degenerate ones are left out.
std::optional<TriangleHit> pick_triangle(const Ray& ray, const std::vector<Vec3d>& points,
                                         const std::vector<Triangle>& triangles);

struct ObstacleHit {
  std::size_t obstacle = 0;
  double distance = 0.0;  ///< [m] along the ray
  Vec3d position;         ///< [m]
};

/// First obstacle that a ray meets. Half-spaces count from their free side; edges and points of meshes have
/// the thickness they are drawn with.
std::optional<ObstacleHit> pick_obstacle(const Ray& ray, const std::vector<LiveObstacle>& obstacles);

}  // namespace sinew::viewer
