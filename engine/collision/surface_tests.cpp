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
  for_each(a.trees->points.size(), 32, [&](std::size_t k) {
    const Index p = a.trees->points[k];
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

/// Edges that belong to triangle f of a and go through triangle g of b.
std::size_t edges_through(const PresentSurface& a, Index f, const PresentSurface& b, Index g) {
  if (g >= b.topology->face_count) return 0;
  const auto &x = a.state->start, &y = b.state->start;
  const Triangle& v = b.topology->triangles[g];
  std::size_t count = 0;
  for (Index k = a.trees->edge_start[f]; k < a.trees->edge_start[f + 1]; ++k) {
    const auto& p = a.topology->edges[a.trees->own_edge[k]].point;
    const bool share = a.surface == b.surface && std::any_of(v.begin(), v.end(), [&](Index corner) {
                         return corner == p[0] || corner == p[1];
                       });
    if (!share && crosses(x[p[0]], x[p[1]], y[v[0]], y[v[1]], y[v[2]])) ++count;
  }
  return count;
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
  const bool self = a.surface == b.surface;
  const Tree x{a.trees->faces, a.state->faces}, y{b.trees->faces, b.state->faces};
  const std::vector<NodePair> tasks = split_pairs(x, y, self);
  std::vector<std::size_t> count(tasks.size(), 0);
  for_each(tasks.size(), 1, [&](std::size_t k) {
    visit_pairs(x, y, self, tasks[k],
                [&](Index f, Index g) { count[k] += edges_through(a, f, b, g) + edges_through(b, g, a, f); });
  });
  std::size_t sum = 0;
  for (const std::size_t c : count) sum += c;
  return sum;
}

}  // namespace sinew
