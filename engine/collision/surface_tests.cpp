#include "engine/collision/surface_tests.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// Signed distance of a's points to b where they lie in b's box at the start, else +infinity.
template <class Visit>
void visit_depths(const PresentSurface& a, const PresentSurface& b, Visit&& visit) {
  if (!b.topology->closed || b.surface->analytic) return;
  if (!a.state->box.overlaps(b.state->start_box)) return;
  for_each(a.trees->points.order().size(), 32, [&](std::size_t k) {
    const Index p = a.trees->points.order()[k];
    const Vec3d& x = a.state->start[p];
    if (b.state->start_box.contains(x)) visit(p, nearest_face(*b.topology, *b.trees, *b.state, x).distance);
  });
}

/// Segment p -> q through triangle a, b, c: its ends on different sides, and the line through it.
bool crosses(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d n = cross(b - a, c - a);
  const double hp = dot(n, p - a), hq = dot(n, q - a);
  if (!((hp > 0.0 && hq < 0.0) || (hp < 0.0 && hq > 0.0))) return false;
  const Vec3d d = q - p;
  const double u = dot(d, cross(a - p, b - p)), v = dot(d, cross(b - p, c - p)),
               w = dot(d, cross(c - p, a - p));
  return (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
}

std::size_t edges_through(const PresentSurface& a, const PresentSurface& b) {
  const bool self = a.surface == b.surface;
  const Tree edges{a.trees->edges, a.state->edges}, faces{b.trees->faces, b.state->faces};
  const std::vector<NodePair> tasks = split_pairs(edges, faces, false);
  std::vector<std::size_t> count(tasks.size(), 0);
  const auto &x = a.state->start, &y = b.state->start;
  for_each(tasks.size(), 1, [&](std::size_t k) {
    visit_pairs(edges, faces, false, tasks[k], [&](Index e, Index f) {
      if (f >= b.topology->face_count) return;
      const auto& p = a.topology->edges[e].point;
      const Triangle& v = b.topology->triangles[f];
      if (self)
        for (const Index corner : v)
          if (corner == p[0] || corner == p[1]) return;
      if (crosses(x[p[0]], x[p[1]], y[v[0]], y[v[1]], y[v[2]])) ++count[k];
    });
  });
  std::size_t sum = 0;
  for (const std::size_t c : count) sum += c;
  return sum;
}

}  // namespace

std::vector<char> points_inside(const PresentSurface& a, const PresentSurface& b) {
  std::vector<char> inside;
  if (!b.topology->closed || b.surface->analytic || !a.state->box.overlaps(b.state->start_box)) return inside;
  inside.assign(a.topology->points.size(), 0);
  visit_depths(a, b, [&](Index p, double distance) { inside[p] = distance < 0.0; });
  if (std::find(inside.begin(), inside.end(), 1) == inside.end()) inside.clear();
  return inside;
}

double deepest_point(const PresentSurface& a, const PresentSurface& b) {
  std::vector<double> depth(a.topology->points.size(), 0.0);
  visit_depths(a, b, [&](Index p, double distance) { depth[p] = -distance; });
  return depth.empty() ? 0.0 : std::max(0.0, *std::max_element(depth.begin(), depth.end()));
}

std::size_t crossings(const PresentSurface& a, const PresentSurface& b) {
  return edges_through(a, b) + (a.surface == b.surface ? 0 : edges_through(b, a));
}

}  // namespace sinew
