#include "engine/meshing/triangle_bvh.hpp"

#include <algorithm>
#include <numeric>

namespace sinew {

namespace {

constexpr Index kLeafSize = 4;

double squared_distance_to_box(const Vec3d& x, const TriangleBvh::Node& node) {
  const Vec3d d = component_max(component_max(node.low - x, x - node.high), Vec3d{});
  return squared_norm(d);
}

double squared_distance_to_segment(const Vec3d& x, const Vec3d& a, const Vec3d& b) {
  const Vec3d ab = b - a;
  const double length2 = squared_norm(ab);
  const double t = length2 > 0.0 ? std::clamp(dot(x - a, ab) / length2, 0.0, 1.0) : 0.0;
  return squared_norm(x - a - t * ab);
}

}  // namespace

double squared_distance_to_triangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d n = cross(b - a, c - a);
  const double n2 = squared_norm(n);
  // Above the face when x lies on the inner side of the three edges; otherwise an edge is nearest.
  if (n2 > 0.0 && dot(cross(b - a, x - a), n) >= 0.0 && dot(cross(c - b, x - b), n) >= 0.0 &&
      dot(cross(a - c, x - c), n) >= 0.0) {
    const double height = dot(x - a, n);
    return height * height / n2;
  }
  return std::min({squared_distance_to_segment(x, a, b), squared_distance_to_segment(x, b, c),
                   squared_distance_to_segment(x, c, a)});
}

TriangleBvh::TriangleBvh(const SurfaceMesh& surface) : surface_(surface) {
  const auto& triangles = surface.triangles;
  const auto& points = surface.points;
  order_.resize(triangles.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Vec3d> centre(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    centre[t] = (points[triangles[t][0]] + points[triangles[t][1]] + points[triangles[t][2]]) / 3.0;
  if (triangles.empty()) return;
  nodes_.push_back({{}, {}, 0, static_cast<Index>(triangles.size()), -1});
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    Node node = nodes_[i];
    node.low = node.high = points[triangles[order_[node.first]][0]];
    Vec3d low = centre[order_[node.first]], high = low;
    for (Index k = node.first; k < node.first + node.count; ++k) {
      for (const Index p : triangles[order_[k]]) {
        node.low = component_min(node.low, points[p]);
        node.high = component_max(node.high, points[p]);
      }
      low = component_min(low, centre[order_[k]]);
      high = component_max(high, centre[order_[k]]);
    }
    if (node.count > kLeafSize) {
      const Vec3d extent = high - low;
      const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : (extent.y >= extent.z ? 1 : 2);
      const Index half = node.count / 2;
      const auto begin = order_.begin() + node.first;
      std::nth_element(begin, begin + half, begin + node.count, [&](Index a, Index b) {
        return centre[a][axis] != centre[b][axis] ? centre[a][axis] < centre[b][axis] : a < b;
      });
      node.left = static_cast<Index>(nodes_.size());
      nodes_.push_back({{}, {}, node.first, half, -1});
      nodes_.push_back({{}, {}, node.first + half, node.count - half, -1});
    }
    nodes_[i] = node;
  }
}

double TriangleBvh::distance(const Vec3d& x) const {
  double best = 1e300;
  Index stack[128];
  int top = 0;
  if (!nodes_.empty()) stack[top++] = 0;
  while (top > 0) {
    const Node& node = nodes_[stack[--top]];
    if (squared_distance_to_box(x, node) >= best) continue;
    if (node.left < 0) {
      for (Index k = node.first; k < node.first + node.count; ++k) {
        const Triangle& t = surface_.triangles[order_[k]];
        best = std::min(best, squared_distance_to_triangle(x, surface_.points[t[0]], surface_.points[t[1]],
                                                           surface_.points[t[2]]));
      }
      continue;
    }
    const double left = squared_distance_to_box(x, nodes_[node.left]);
    const double right = squared_distance_to_box(x, nodes_[node.left + 1]);
    const Index near = left <= right ? node.left : node.left + 1;
    stack[top++] = left <= right ? node.left + 1 : node.left;
    stack[top++] = near;
  }
  return std::sqrt(best);
}

}  // namespace sinew
