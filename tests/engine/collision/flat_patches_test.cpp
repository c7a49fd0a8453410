// Patches that are left out of self-contact keep their distances, and folds are never among them.
#include <algorithm>
#include <cmath>

#include "engine/collision/surface_state.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;

namespace {

SurfaceTopology topology_of(const SurfaceMesh& mesh) {
  SurfaceTopology t;
  t.rest = mesh.points;
  t.points.resize(mesh.points.size());
  t.movable.assign(mesh.points.size(), 1);
  t.triangles = mesh.triangles;
  connect(t);
  return t;
}

std::vector<char> patches(const SurfaceTopology& t, const SurfaceTrees& trees,
                          const std::vector<Vec3d>& start, const std::vector<Vec3d>& end) {
  std::vector<char> apart;
  find_flat_patches(trees.flat, t, trees.faces, start, end, 0.5, apart);
  return apart;
}

template <class Map>
std::vector<Vec3d> moved(const SurfaceTopology& t, Map&& map) {
  std::vector<Vec3d> x;
  for (const Vec3d& p : t.rest) x.push_back(map(p));
  return x;
}

}  // namespace

TEST_CASE("flat patches keep half of their rest distances", "[collision]") {
  const SurfaceTopology t = topology_of(test::sheet(24, 24, 0.01));
  const SurfaceTrees trees(t);
  REQUIRE(trees.flat.inverse.size() == t.triangles.size());
  CHECK(trees.flat.lowest == Approx(0.01 / std::sqrt(2.0)));
  test::Random random(3);
  std::size_t inner = 0, refused = 0;
  for (const double wave : {0.0, 4e-3, 1.2e-2, 3e-2}) {
    const auto bent = [&](const Vec3d& p) {
      return p + Vec3d{wave * std::sin(60.0 * p.y), 0.0, wave * std::sin(50.0 * p.x)} + random.vector(2e-4);
    };
    const std::vector<Vec3d> start = moved(t, bent), end = moved(t, bent);
    const std::vector<char> apart = patches(t, trees, start, end);
    if (wave == 0.0) CHECK(apart[0]);
    for (std::size_t n = 0; n < apart.size(); ++n) {
      const TreeShape::Node& node = trees.faces.nodes()[n];
      if (!apart[n]) {
        ++refused;
        continue;
      }
      if (node.left >= 0) ++inner;
      double least = 1e300;
      for (Index i = node.first; i < node.first + node.count; ++i)
        for (Index j = i + 1; j < node.first + node.count; ++j)
          for (const Index p : t.triangles[trees.faces.order()[i]])
            for (const Index q : t.triangles[trees.faces.order()[j]]) {
              if (p == q) continue;
              for (const double time : {0.0, 0.5, 1.0}) {
                const Vec3d a = (1.0 - time) * start[p] + time * end[p],
                            b = (1.0 - time) * start[q] + time * end[q];
                least = std::min(least, norm(a - b) / norm(t.rest[p] - t.rest[q]));
              }
            }
      CHECK(least >= 0.5 - 1e-12);
    }
  }
  CHECK(inner > 50);
  CHECK(refused > 50);
}

TEST_CASE("folds, half turns within a frame, and sheets with a notch are looked at", "[collision]") {
  const SurfaceTopology t = topology_of(test::sheet(16, 16, 0.01));
  const SurfaceTrees trees(t);
  const auto same = [](const Vec3d& p) { return p; };
  const auto folded = [](const Vec3d& p) { return p.x > 0.08 ? Vec3d{0.16 - p.x, p.y, 1e-3} : p; };
  const auto turned = [](const Vec3d& p) { return Vec3d{-p.x, -p.y, p.z}; };
  CHECK(patches(t, trees, moved(t, same), moved(t, same))[0] == 1);
  CHECK(patches(t, trees, moved(t, turned), moved(t, turned))[0] == 1);
  CHECK(patches(t, trees, moved(t, same), moved(t, turned))[0] == 0);
  const std::vector<char> fold = patches(t, trees, moved(t, folded), moved(t, folded));
  for (std::size_t n = 0; n < fold.size(); ++n) {
    bool left = false, right = false;
    const TreeShape::Node& node = trees.faces.nodes()[n];
    for (Index k = node.first; k < node.first + node.count; ++k)
      for (const Index p : t.triangles[trees.faces.order()[k]]) {
        left = left || t.rest[p].x < 0.079;
        right = right || t.rest[p].x > 0.081;
      }
    if (left && right) CHECK(fold[n] == 0);
  }
  CHECK(std::count(fold.begin(), fold.end(), 1) > 20);

  SurfaceMesh notched = test::sheet(16, 16, 0.01);
  std::erase_if(notched.triangles, [&](const Triangle& v) {
    return std::all_of(v.begin(), v.end(), [&](Index p) {
      return notched.points[p].x > 0.059 && notched.points[p].x < 0.101 && notched.points[p].y < 0.081;
    });
  });
  const SurfaceTopology cut = topology_of(notched);
  CHECK(SurfaceTrees(cut).flat.inverse.empty());
  SurfaceMesh bowl = test::sheet(4, 4, 0.01);
  for (Vec3d& x : bowl.points) x.z = squared_norm(x);
  CHECK(SurfaceTrees(topology_of(bowl)).flat.inverse.empty());
}

TEST_CASE("every point and edge belongs to one triangle", "[collision]") {
  const SurfaceTopology t = topology_of(test::sheet(5, 3, 0.01));
  const SurfaceTrees trees(t);
  REQUIRE(trees.own_point.size() == t.points.size());
  REQUIRE(trees.own_edge.size() == t.edges.size());
  for (std::size_t f = 0; f < t.triangles.size(); ++f) {
    for (Index k = trees.point_start[f]; k < trees.point_start[f + 1]; ++k)
      CHECK(std::count(t.triangles[f].begin(), t.triangles[f].end(), trees.own_point[k]) == 1);
    for (Index k = trees.edge_start[f]; k < trees.edge_start[f + 1]; ++k)
      CHECK(std::count(t.triangle_edges[f].begin(), t.triangle_edges[f].end(), trees.own_edge[k]) == 1);
  }
}
