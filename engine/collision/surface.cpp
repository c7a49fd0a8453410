#include "engine/collision/surface.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <variant>

namespace sinew {

namespace {

/// A directed side of a triangle, for sorting.
struct Side {
  Index low, high, face, corner;
  bool forward;
};

void list_around(std::size_t points, const std::vector<std::array<Index, 2>>& point_and_value,
                 std::vector<Index>& start, std::vector<Index>& values) {
  start.assign(points + 1, 0);
  for (const auto& [point, value] : point_and_value) ++start[point + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  values.resize(point_and_value.size());
  std::vector<Index> cursor(start.begin(), start.end() - 1);
  for (const auto& [point, value] : point_and_value) values[cursor[point]++] = value;
}

/// Edges from sorted sides. An edge with more than two triangles keeps the first two of them.
bool make_edges(SurfaceTopology& t) {
  std::vector<Side> sides;
  for (Index f = 0; f < t.face_count; ++f)
    for (Index k = 0; k < 3; ++k) {
      const Index a = t.triangles[f][k], b = t.triangles[f][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), f, k, a < b});
    }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.low, a.high, a.face) < std::tie(b.low, b.high, b.face);
  });
  bool closed = t.face_count > 0;
  for (std::size_t i = 0; i < sides.size();) {
    SurfaceTopology::Edge edge;
    edge.point = {sides[i].low, sides[i].high};
    std::size_t j = i;
    for (; j < sides.size() && sides[j].low == sides[i].low && sides[j].high == sides[i].high; ++j) {
      const Side& side = sides[j];
      t.triangle_edges[side.face][side.corner] = static_cast<Index>(t.edges.size());
      if (j - i > 1) continue;
      edge.face[j - i] = side.face;
      edge.opposite[j - i] = t.triangles[side.face][(side.corner + 2) % 3];
    }
    closed = closed && j - i == 2 && sides[i].forward != sides[i + 1].forward;
    t.edges.push_back(edge);
    i = j;
  }
  return closed;
}

}  // namespace

void connect(SurfaceTopology& t, const std::vector<std::array<Index, 2>>& extra_edges,
             const std::vector<Index>& extra_points) {
  t.face_count = static_cast<Index>(t.triangles.size());
  t.triangle_edges.assign(t.triangles.size(), {-1, -1, -1});
  t.closed = make_edges(t);
  for (const auto& e : extra_edges) {
    const Index edge = static_cast<Index>(t.edges.size());
    t.edges.push_back({{std::min(e[0], e[1]), std::max(e[0], e[1])}, {-1, -1}, {-1, -1}});
    t.triangles.push_back({e[0], e[1], e[1]});
    t.triangle_edges.push_back({edge, edge, edge});
  }
  for (const Index p : extra_points) {
    t.triangles.push_back({p, p, p});
    t.triangle_edges.push_back({-1, -1, -1});
  }
  std::vector<std::array<Index, 2>> pairs;
  for (const auto& e : t.edges) {
    pairs.push_back({e.point[0], e.point[1]});
    pairs.push_back({e.point[1], e.point[0]});
  }
  list_around(t.points.size(), pairs, t.neighbour_start, t.neighbour);
  pairs.clear();
  for (Index f = 0; f < t.face_count; ++f)
    for (const Index p : t.triangles[f]) pairs.push_back({p, f});
  list_around(t.points.size(), pairs, t.face_start, t.point_faces);
}

bool features_touch(const SurfaceTopology& t, Index a, Index b) {
  const auto points = [&](Index feature) {
    const Index faces = static_cast<Index>(t.triangles.size()), edges = static_cast<Index>(t.edges.size());
    if (feature < faces) return t.triangles[feature];
    if (feature < faces + edges) {
      const auto& e = t.edges[feature - faces].point;
      return Triangle{e[0], e[1], e[1]};
    }
    const auto at = std::lower_bound(
        t.points.begin(), t.points.end(), feature - faces - edges,
        [](const ContactPoint& point, Index number) { return point.surface_point < number; });
    const Index p = at == t.points.end() ? -1 : static_cast<Index>(at - t.points.begin());
    return Triangle{p, p, p};
  };
  const Triangle x = points(a), y = points(b);
  for (const Index p : x)
    for (const Index q : y)
      if (p == q) return true;
  return false;
}

std::shared_ptr<const SurfaceTopology> body_topology(const BodyData& data, const BodyPrecomputed& body) {
  if (data.surface_triangles.empty()) return nullptr;
  auto topology = std::make_shared<SurfaceTopology>();
  SurfaceTopology& t = *topology;
  const TetMesh& mesh = data.spec.mesh;
  const bool embedded = !mesh.surface.empty();
  const std::size_t count = embedded ? mesh.surface.tet.size() : data.rest_position.size();
  std::vector<Index> place(count, -1);
  for (const Triangle& triangle : data.surface_triangles)
    for (const Index p : triangle) place[p] = 0;
  // As the points that touch analytic obstacles: shares below kLeastWeight are dropped, and a point that its
  // free nodes hardly carry cannot be moved.
  constexpr double kLeastFreeWeight = 1e-2, kLeastWeight = 1e-6;
  for (std::size_t i = 0; i < count; ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<Index>(t.points.size());
    ContactPoint point;
    point.surface_point = static_cast<Index>(i);
    Vec3d rest{};
    double free_weight = 0.0;
    for (int k = 0; k < (embedded ? 4 : 1); ++k) {
      const double weight = embedded ? mesh.surface.weights[i][k] : 1.0;
      if (std::abs(weight) < kLeastWeight) continue;
      const Index node = embedded ? mesh.tets[mesh.surface.tet[i]][k] : static_cast<Index>(i);
      rest += weight * data.rest_position[node];
      point.node[point.count] = body.to_internal[node];
      point.weight[point.count++] = weight;
      if (body.to_internal[node] < body.free_count) free_weight += std::abs(weight);
    }
    t.points.push_back(point);
    t.rest.push_back(rest);
    t.movable.push_back(free_weight >= kLeastFreeWeight);
  }
  for (const Triangle& v : data.surface_triangles)
    t.triangles.push_back({place[v[0]], place[v[1]], place[v[2]]});
  connect(t);
  // A sheet that closes on itself is a bag: things may lie in it.
  if (data.spec.sheet) t.closed = false;
  return topology;
}

std::shared_ptr<const SurfaceTopology> inner_topology(const BodyData& data, const BodyPrecomputed& body) {
  auto topology = std::make_shared<SurfaceTopology>();
  topology->points = body.inner;
  for (const ContactPoint& p : body.inner) topology->rest.push_back(data.rest_position[p.surface_point]);
  topology->movable.assign(body.inner.size(), 1);
  connect(*topology);
  return topology;
}

namespace {

void set_obstacle_points(SurfaceTopology& t, const std::vector<Vec3d>& points) {
  t.rest = points;
  t.movable.assign(points.size(), 0);
  t.points.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) t.points[i].surface_point = static_cast<Index>(i);
}

std::shared_ptr<const SurfaceTopology> box_topology(const BoxShape& box) {
  auto topology = std::make_shared<SurfaceTopology>();
  std::vector<Vec3d> corner;
  for (int i = 0; i < 8; ++i)
    corner.push_back({(i & 1 ? 1 : -1) * box.half_extents.x, (i & 2 ? 1 : -1) * box.half_extents.y,
                      (i & 4 ? 1 : -1) * box.half_extents.z});
  set_obstacle_points(*topology, corner);
  topology->triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  connect(*topology);
  return topology;
}

}  // namespace

std::shared_ptr<const SurfaceTopology> obstacle_topology(const ObstacleSpec& spec) {
  if (const auto* box = std::get_if<BoxShape>(&spec.shape)) return box_topology(*box);
  const auto* mesh = std::get_if<MeshShape>(&spec.shape);
  if (!mesh) return nullptr;
  auto topology = std::make_shared<SurfaceTopology>();
  set_obstacle_points(*topology, mesh->mesh.points);
  topology->triangles = mesh->mesh.triangles;
  connect(*topology, mesh->edges, mesh->points);
  return topology;
}

}  // namespace sinew
