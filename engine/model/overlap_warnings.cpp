// Bodies that start inside obstacles.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "engine/collision/detect.hpp"
#include "engine/model/model_data.hpp"

namespace sinew {

namespace {

constexpr double kDeep = 0.01;      // of the body's diagonal, inside an analytic obstacle
constexpr double kMuch = 0.1;       // of a body's points, inside a mesh obstacle
constexpr double kMostPairs = 4e6;  // points times triangles: fewer points are looked at beyond
constexpr double kSphere = 4.0 * std::numbers::pi;

/// Solid angle [sr] of a triangle seen from the origin, > 0 from behind (van Oosterom and Strackee 1983).
double solid_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double na = norm(a), nb = norm(b), nc = norm(c);
  return 2.0 *
         std::atan2(dot(a, cross(b, c)), na * nb * nc + dot(a, b) * nc + dot(b, c) * na + dot(c, a) * nb);
}

bool inside(const SurfaceMesh& mesh, const Vec3d& x) {
  double angle = 0.0;
  for (const Triangle& t : mesh.triangles)
    angle += solid_angle(mesh.points[t[0]] - x, mesh.points[t[1]] - x, mesh.points[t[2]] - x);
  return angle > 0.5 * kSphere;
}

/// Share of the points inside a closed mesh; 0 for open ones.
double share_inside(const MeshShape& shape, const Pose& pose, const std::vector<Vec3d>& points) {
  const SurfaceMesh& mesh = shape.mesh;
  if (!is_closed(mesh.triangles)) return 0.0;
  Vec3d low = mesh.points[mesh.triangles[0][0]], high = low;
  for (const Triangle& t : mesh.triangles)
    for (const Index i : t) {
      low = component_min(low, mesh.points[i]);
      high = component_max(high, mesh.points[i]);
    }
  const double pairs = static_cast<double>(points.size()) * static_cast<double>(mesh.triangles.size());
  const auto stride = static_cast<std::size_t>(std::max(1.0, std::ceil(pairs / kMostPairs)));
  std::size_t looked_at = 0, found = 0;
  for (std::size_t i = 0; i < points.size(); i += stride) {
    const Vec3d x = pose.apply_inverse(points[i]);
    ++looked_at;
    bool in_box = true;
    for (int k = 0; k < 3; ++k) in_box = in_box && x[k] > low[k] && x[k] < high[k];
    if (in_box && inside(mesh, x)) ++found;
  }
  return static_cast<double>(found) / static_cast<double>(looked_at);
}

}  // namespace

std::vector<std::string> overlap_warnings(const ModelData& data) {
  std::vector<std::string> warnings;
  for (const BodyData& body : data.bodies) {
    const std::vector<Vec3d> points = body.spec.mesh.surface.empty()
                                          ? body.start_position
                                          : embedded_points(body.spec.mesh, body.start_position);
    for (const ObstacleSpec& obstacle : data.obstacles) {
      const Pose pose = pose_at(obstacle, 0.0);
      char amount[48];
      if (const auto* mesh = std::get_if<MeshShape>(&obstacle.shape)) {
        const double share = share_inside(*mesh, pose, points);
        if (share <= kMuch) continue;
        std::snprintf(amount, sizeof amount, "with %.0f %% of its points", 100.0 * share);
      } else {
        double deepest = 0.0;
        for (const Vec3d& x : points) deepest = std::max(deepest, -obstacle_distance(obstacle, pose, x));
        if (deepest <= kDeep * body.diagonal) continue;
        std::snprintf(amount, sizeof amount, "%.3g m", deepest);
      }
      warnings.push_back("body '" + body.spec.name + "' starts " + amount + " inside obstacle '" +
                         obstacle.name + "' and is pushed out slowly; move one of them if that is not meant");
    }
  }
  return warnings;
}

}  // namespace sinew
