#include <algorithm>

#include <sinew/errors.hpp>

#include "engine/model/model_data.hpp"

namespace sinew {

namespace {

struct Inside {
  const Vec3d& x;
  bool operator()(const Region::All&) const { return true; }
  bool operator()(const Region::Nodes&) const { return false; }
  bool operator()(const Region::Box& b) const {
    return x.x >= b.min.x && x.y >= b.min.y && x.z >= b.min.z && x.x <= b.max.x && x.y <= b.max.y &&
           x.z <= b.max.z;
  }
  bool operator()(const Region::Ball& b) const { return squared_norm(x - b.center) <= b.radius * b.radius; }
  bool operator()(const Region::HalfSpace& h) const { return dot(x - h.point, h.normal) <= 0.0; }
};

}  // namespace

std::vector<Index> nodes_in_region(const Region& region, const BodyData& body, const std::string& what) {
  const Index count = static_cast<Index>(body.start_position.size());
  std::vector<Index> nodes;
  const auto* half_space = std::get_if<Region::HalfSpace>(&region.shape);
  if (half_space && !(squared_norm(half_space->normal) > 0.0))
    throw ModelError(what + ": the normal of its half space is zero; give it a direction");
  if (const auto* list = std::get_if<Region::Nodes>(&region.shape)) {
    for (const Index node : list->indices) {
      if (node < 0 || node >= count)
        throw ModelError(what + ": node " + std::to_string(node) + " is not in body '" + body.spec.name +
                         "'; its nodes are 0 to " + std::to_string(count - 1));
      nodes.push_back(node);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  } else {
    for (Index i = 0; i < count; ++i)
      if (std::visit(Inside{body.start_position[i]}, region.shape)) nodes.push_back(i);
  }
  if (region.surface_only && !body.spec.sheet) {  // every node of a sheet is on its surface
    std::vector<char> on_surface(count, 0);
    for (const Triangle& t : boundary_triangles(body.spec.mesh))
      for (const Index node : t) on_surface[node] = 1;
    std::erase_if(nodes, [&](Index i) { return !on_surface[i]; });
  }
  return nodes;
}

}  // namespace sinew
