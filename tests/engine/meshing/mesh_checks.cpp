#include "tests/engine/meshing/mesh_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "tests/support/catch.hpp"

namespace sinew {

namespace {

double signed_volume(const TetMesh& mesh, const Tet& t) {
  const Vec3d a = mesh.nodes[t[0]];
  return dot(mesh.nodes[t[1]] - a, cross(mesh.nodes[t[2]] - a, mesh.nodes[t[3]] - a)) / 6.0;
}

int root_of(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i];
  return i;
}

// The even permutation that puts the least node first: equal for equal orientation.
Triangle rotated(Triangle f) {
  std::rotate(f.begin(), std::min_element(f.begin(), f.end()), f.end());
  return f;
}

}  // namespace

DihedralRange dihedral_range(const TetMesh& mesh) {
  DihedralRange range;
  for (const Tet& t : mesh.tets)
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) {
        // At edge i-j: between the normals of the two planes through the other corners k and l.
        const int k = i != 0 && j != 0 ? 0 : (i != 1 && j != 1 ? 1 : 2), l = 6 - i - j - k;
        const Vec3d edge = mesh.nodes[t[j]] - mesh.nodes[t[i]];
        const Vec3d a = cross(edge, mesh.nodes[t[k]] - mesh.nodes[t[i]]);
        const Vec3d b = cross(edge, mesh.nodes[t[l]] - mesh.nodes[t[i]]);
        const double angle = std::atan2(norm(cross(a, b)), dot(a, b)) * 180.0 / std::numbers::pi;
        range.least = std::min(range.least, angle);
        range.largest = std::max(range.largest, angle);
      }
  return range;
}

double total_volume(const TetMesh& mesh) {
  double volume = 0.0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    volume +=
        (mesh.inside_fraction.empty() ? 1.0 : mesh.inside_fraction[t]) * signed_volume(mesh, mesh.tets[t]);
  return volume;
}

void require_sound(const TetMesh& mesh) {
  REQUIRE_FALSE(mesh.tets.empty());
  std::vector<char> used(mesh.nodes.size(), 0);
  std::map<Triangle, int> owner;  // oriented faces, each from one tetrahedron
  double least_volume = 1e300;
  bool in_range = true, repeated = false;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    const Tet& v = mesh.tets[t];
    for (const Index node : v) {
      in_range = in_range && node >= 0 && static_cast<std::size_t>(node) < mesh.nodes.size();
      if (in_range) used[node] = 1;
    }
    if (!in_range) break;
    least_volume = std::min(least_volume, signed_volume(mesh, v));
    for (const Triangle& f : {Triangle{v[1], v[2], v[3]}, Triangle{v[0], v[3], v[2]},
                              Triangle{v[0], v[1], v[3]}, Triangle{v[0], v[2], v[1]}})
      repeated = repeated || !owner.insert({rotated(f), static_cast<int>(t)}).second;
  }
  REQUIRE(in_range);
  REQUIRE(least_volume > 0.0);
  REQUIRE_FALSE(repeated);
  REQUIRE(std::count(used.begin(), used.end(), 0) == 0);

  std::vector<int> parent(mesh.tets.size());
  std::iota(parent.begin(), parent.end(), 0);
  std::vector<Triangle> boundary;
  for (const auto& [face, tet] : owner) {
    const auto other = owner.find(rotated({face[0], face[2], face[1]}));
    if (other == owner.end())
      boundary.push_back(face);
    else
      parent[root_of(parent, tet)] = root_of(parent, other->second);
  }
  std::set<int> pieces;
  for (std::size_t t = 0; t < parent.size(); ++t) pieces.insert(root_of(parent, static_cast<int>(t)));
  REQUIRE(pieces.size() == 1);

  // Boundary: every directed edge once, its opposite once; around each node one closed chain.
  std::set<std::pair<Index, Index>> edges;
  std::map<Index, std::map<Index, Index>> fan;
  bool manifold = true;
  for (const Triangle& f : boundary)
    for (int k = 0; k < 3; ++k) {
      manifold = manifold && edges.insert({f[k], f[(k + 1) % 3]}).second;
      fan[f[k]][f[(k + 1) % 3]] = f[(k + 2) % 3];
    }
  for (const auto& [a, b] : edges) manifold = manifold && edges.count({b, a}) == 1;
  REQUIRE(manifold);
  for (auto& [node, next] : fan) {
    std::size_t steps = 0;
    const Index start = next.begin()->first;
    Index at = start;
    do {
      at = next[at];
      ++steps;
    } while (at != start && steps <= next.size());
    manifold = manifold && steps == next.size();
  }
  REQUIRE(manifold);
}

unsigned long long hash_of(const TetMesh& mesh) {
  unsigned long long hash = 1469598103934665603ull;
  const auto add = [&](const void* data, std::size_t size) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash = (hash ^ byte[i]) * 1099511628211ull;
  };
  for (const Vec3d& p : mesh.nodes) add(&p, sizeof p);
  for (const Tet& t : mesh.tets) add(&t, sizeof t);
  for (const double f : mesh.inside_fraction) add(&f, sizeof f);
  for (const auto& w : mesh.surface.weights) add(&w, sizeof w);
  for (const Index t : mesh.surface.tet) add(&t, sizeof t);
  return hash;
}

}  // namespace sinew
