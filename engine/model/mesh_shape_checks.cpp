// Obstacles made of triangles, edges and points: what they may hold, and what follows from it.
#include <algorithm>
#include <cmath>

#include <sinew/errors.hpp>

#include "engine/model/model_checks.hpp"

namespace sinew {

namespace {

constexpr const char* kCure = "; mend it with 'sinew mesh repair'";

void check_index(const std::string& what, const std::string& part, Index index, std::size_t count) {
  if (index < 0 || static_cast<std::size_t>(index) >= count)
    throw MeshError(what + ": " + part + " names point " + std::to_string(index) + ", there are " +
                    std::to_string(count) + kCure);
}

}  // namespace

void check_mesh_shape(const std::string& what, const MeshShape& shape) {
  const std::vector<Vec3d>& x = shape.mesh.points;
  if (shape.mesh.triangles.empty() && shape.edges.empty() && shape.points.empty())
    throw MeshError(what + ": its mesh is empty; give triangles, edges or points");
  if (!std::isfinite(shape.thickness))
    throw ModelError(what + ": thickness is not finite; give metres, or 0 for the default");
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!is_finite(x[i])) throw MeshError(what + ": point " + std::to_string(i) + " is not finite");
  for (std::size_t t = 0; t < shape.mesh.triangles.size(); ++t) {
    const Triangle& v = shape.mesh.triangles[t];
    const std::string part = "triangle " + std::to_string(t);
    for (const Index point : v) check_index(what, part, point, x.size());
    const Vec3d a = x[v[1]] - x[v[0]], b = x[v[2]] - x[v[0]], c = b - a;
    const double edge2 = std::max({squared_norm(a), squared_norm(b), squared_norm(c)});
    // Height over the longest edge against that edge: below this the normal is rounding.
    if (!(norm(cross(a, b)) > 1e-10 * edge2))
      throw MeshError(what + ": " + part + " is flattened to a line or a point" + kCure);
  }
  for (std::size_t e = 0; e < shape.edges.size(); ++e) {
    const std::array<Index, 2>& edge = shape.edges[e];
    for (const Index point : edge) check_index(what, "edge " + std::to_string(e), point, x.size());
    if (x[edge[0]] == x[edge[1]])
      throw MeshError(what + ": edge " + std::to_string(e) + " has both ends at one place; remove it");
  }
  for (std::size_t p = 0; p < shape.points.size(); ++p)
    check_index(what, "entry " + std::to_string(p) + " of points", shape.points[p], x.size());
}

bool complete_mesh_shape(MeshShape& shape) {
  std::vector<Triangle>& triangles = shape.mesh.triangles;
  const std::vector<Vec3d>& x = shape.mesh.points;
  const bool closed = is_closed(triangles);
  if (shape.thickness <= 0.0) {
    shape.thickness = 0.0;
    if (!closed || !shape.edges.empty() || !shape.points.empty()) {
      Vec3d low = x[0], high = low;
      for (const Vec3d& point : x) {
        low = component_min(low, point);
        high = component_max(high, point);
      }
      shape.thickness = MeshShape::kOpenThickness * norm(high - low);
    }
  }
  if (!closed || enclosed_volume(x, triangles) >= 0.0) return false;
  for (Triangle& t : triangles) std::swap(t[1], t[2]);
  return true;
}

}  // namespace sinew
