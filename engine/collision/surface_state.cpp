#include "engine/collision/surface_state.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sinew {

SurfaceTrees::SurfaceTrees(const SurfaceTopology& t) {
  const Index count = static_cast<Index>(t.triangles.size());
  std::vector<Index> item(count);
  std::iota(item.begin(), item.end(), 0);
  std::vector<Vec3d> centre;
  for (const Triangle& v : t.triangles) centre.push_back((t.rest[v[0]] + t.rest[v[1]] + t.rest[v[2]]) / 3.0);
  faces = TreeShape(item, centre);
  std::vector<char> point_used(t.points.size(), 0), edge_used(t.edges.size(), 0);
  point_start.push_back(0);
  edge_start.push_back(0);
  for (Index f = 0; f < count; ++f) {
    for (const Index p : t.triangles[f])
      if (!std::exchange(point_used[p], 1)) own_point.push_back(p);
    for (const Index e : t.triangle_edges[f])
      if (e >= 0 && !std::exchange(edge_used[e], 1)) own_edge.push_back(e);
    point_start.push_back(static_cast<Index>(own_point.size()));
    edge_start.push_back(static_cast<Index>(own_edge.size()));
  }
  points = own_point;
  std::sort(points.begin(), points.end());
  flat = flat_rest(t);
}

void SurfaceState::refit(const SurfaceTopology& t, const SurfaceTrees& trees, double inflation) {
  const Vec3d more{inflation, inflation, inflation};
  way.resize(start.size());
  for_each(start.size(), 1024, [&](std::size_t p) {
    way[p].low = component_min(start[p], end[p]) - more;
    way[p].high = component_max(start[p], end[p]) + more;
  });
  edge_way.resize(t.edges.size());
  for_each(t.edges.size(), 1024, [&](std::size_t e) {
    edge_way[e] = way[t.edges[e].point[0]];
    edge_way[e].include(way[t.edges[e].point[1]]);
  });
  face_way.resize(t.triangles.size());
  for_each(t.triangles.size(), 1024, [&](std::size_t f) {
    face_way[f] = Box{};
    for (const Index p : t.triangles[f]) face_way[f].include(way[p]);
  });
  faces.refit(trees.faces, [&](Index f) { return face_way[f]; });
  start_box = Box{};
  for (const Vec3d& x : start) start_box.include(x);
  box = faces.node.empty() ? Box{} : faces.node.front();
}

bool SurfaceState::stands(const Pose& now_from, const Pose& now_to, double needed) {
  const auto same = [](const Pose& a, const Pose& b) {
    for (const Vec3d& e : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
      if (!(a.rotation * e == b.rotation * e)) return false;
    return a.translation == b.translation;
  };
  // Boxes somewhat too large only cost time: detection asks for a margin, later looks for none.
  constexpr double kTooLarge = 20.0;
  const bool fits = needed <= inflation && (inflation <= kTooLarge * needed || needed == 0.0);
  if (fits && same(from, now_from) && same(to, now_to)) return true;
  from = now_from;
  to = now_to;
  inflation = needed;
  return false;
}

Vec3d face_normal(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index face) {
  const Triangle& v = t.triangles[face];
  return cross(x[v[1]] - x[v[0]], x[v[2]] - x[v[0]]);
}

Vec3d edge_normal(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index edge) {
  Vec3d n{};
  for (const Index face : t.edges[edge].face)
    if (face >= 0) n += normalized(face_normal(t, x, face));
  return n;
}

Vec3d point_normal(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index point) {
  Vec3d n{};
  for (Index k = t.face_start[point]; k < t.face_start[point + 1]; ++k) {
    const Triangle& v = t.triangles[t.point_faces[k]];
    const int c = v[0] == point ? 0 : (v[1] == point ? 1 : 2);
    const Vec3d u = x[v[(c + 1) % 3]] - x[point], w = x[v[(c + 2) % 3]] - x[point];
    const Vec3d normal = cross(u, w);
    n += std::atan2(norm(normal), dot(u, w)) * normalized(normal);
  }
  return n;
}

Vec3d part_normal(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index face, TrianglePart part) {
  if (face >= t.face_count) return {};
  const int k = static_cast<int>(part);
  if (part == TrianglePart::face) return face_normal(t, x, face);
  return k < 4 ? edge_normal(t, x, t.triangle_edges[face][k - 1])
               : point_normal(t, x, t.triangles[face][k - 4]);
}

NearestFace nearest_face(const SurfaceTopology& t, const SurfaceTrees& trees, const SurfaceState& state,
                         const Vec3d& x, double bound) {
  NearestFace nearest;
  const auto& y = state.start;
  nearest.face = nearest_item({trees.faces, state.faces}, x, bound * bound, [&](Index f) {
    const Triangle& v = t.triangles[f];
    const auto place = closest_on_triangle(x, y[v[0]], y[v[1]], y[v[2]]);
    return squared_norm(x - triangle_point(place, y[v[0]], y[v[1]], y[v[2]]));
  });
  if (nearest.face < 0) return nearest;
  const Triangle& v = t.triangles[nearest.face];
  nearest.place = closest_on_triangle(x, y[v[0]], y[v[1]], y[v[2]]);
  nearest.point = triangle_point(nearest.place, y[v[0]], y[v[1]], y[v[2]]);
  nearest.distance = norm(x - nearest.point);
  if (t.closed && dot(x - nearest.point, part_normal(t, y, nearest.face, nearest.place.part)) < 0.0)
    nearest.distance = -nearest.distance;
  return nearest;
}

}  // namespace sinew
