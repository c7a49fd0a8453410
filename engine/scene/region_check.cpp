#include "engine/scene/region_check.hpp"

#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace sinew {

namespace {

struct Contains {
  Vec3d x;
  bool operator()(const Region::All&) const { return true; }
  bool operator()(const Region::Nodes&) const { return true; }
  bool operator()(const Region::Box& box) const {
    for (int axis = 0; axis < 3; ++axis)
      if (x[axis] < box.min[axis] || x[axis] > box.max[axis]) return false;
    return true;
  }
  bool operator()(const Region::Ball& ball) const {
    return squared_norm(x - ball.center) <= ball.radius * ball.radius;
  }
  bool operator()(const Region::HalfSpace& half) const { return dot(x - half.point, half.normal) <= 0.0; }
};

std::string point_text(const Vec3d& p) {
  return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", p.x, p.y, p.z);
}

}  // namespace

void check_region(const Region& region, const BodySpec& body, const Place& place, const SceneSource& source) {
  const std::vector<Vec3d>& mesh_nodes = body.nodes();
  const std::size_t count = mesh_nodes.size();
  std::vector<bool> chosen(count, true);
  if (const auto* nodes = std::get_if<Region::Nodes>(&region.shape)) {
    chosen.assign(count, false);
    for (const Index node : nodes->indices) {
      if (node < 0 || static_cast<std::size_t>(node) >= count)
        source.fail(place, "node " + std::to_string(node) + " does not exist; the mesh of body '" +
                               shown(body.name) + "' has " + std::to_string(count) +
                               " nodes, counted from 0");
      chosen[static_cast<std::size_t>(node)] = true;
    }
  }
  if (region.surface_only && !body.sheet) {  // every node of a sheet is on its surface
    std::vector<bool> outside(count, false);
    for (const Triangle& triangle : boundary_triangles(body.mesh))
      for (const Index node : triangle) outside[static_cast<std::size_t>(node)] = true;
    for (std::size_t i = 0; i < count; ++i) chosen[i] = chosen[i] && outside[i];
  }
  Vec3d low, high;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3d x = body.transform.apply(mesh_nodes[i]);
    if (chosen[i] && std::visit(Contains{x}, region.shape)) return;
    low = i == 0 ? x : component_min(low, x);
    high = i == 0 ? x : component_max(high, x);
  }
  source.fail(place, "holds no node of body '" + shown(body.name) + "', which at time 0 fills the box from " +
                         point_text(low) + " to " + point_text(high) + " m; move or enlarge the region");
}

}  // namespace sinew
