#include <sinew/mesh.hpp>

#include <algorithm>
#include <cstddef>

namespace sinew {

double tet_volume(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  return dot(b - a, cross(c - a, d - a)) / 6.0;
}

std::vector<Triangle> boundary_triangles(const TetMesh& mesh) {
  // Faces opposite to corner 0..3, outward for a tetrahedron of positive volume.
  static constexpr int kFace[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  struct Face {
    Triangle sorted;
    std::size_t origin;  // tetrahedron * 4 + face
  };
  std::vector<Face> faces;
  faces.reserve(mesh.tets.size() * 4);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    for (std::size_t f = 0; f < 4; ++f) {
      Triangle key{mesh.tets[t][kFace[f][0]], mesh.tets[t][kFace[f][1]], mesh.tets[t][kFace[f][2]]};
      std::sort(key.begin(), key.end());
      faces.push_back({key, t * 4 + f});
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.origin < b.origin;
  });
  std::vector<std::size_t> single;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t j = i + 1;
    while (j < faces.size() && faces[j].sorted == faces[i].sorted) ++j;
    if (j == i + 1) single.push_back(faces[i].origin);
    i = j;
  }
  std::sort(single.begin(), single.end());
  std::vector<Triangle> triangles;
  triangles.reserve(single.size());
  for (const std::size_t origin : single) {
    const Tet& tet = mesh.tets[origin / 4];
    const int* corner = kFace[origin % 4];
    triangles.push_back({tet[corner[0]], tet[corner[1]], tet[corner[2]]});
  }
  return triangles;
}

std::vector<Vec3d> embedded_points(const TetMesh& mesh, const std::vector<Vec3d>& node_positions) {
  const EmbeddedSurface& surface = mesh.surface;
  std::vector<Vec3d> points(surface.tet.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    const Tet& tet = mesh.tets[surface.tet[p]];
    for (int k = 0; k < 4; ++k) points[p] += surface.weights[p][k] * node_positions[tet[k]];
  }
  return points;
}

bool is_closed(const std::vector<Triangle>& triangles) {
  std::vector<std::array<Index, 2>> forward, backward;  // each sorted: a closed surface has the same of both
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = t[k], b = t[(k + 1) % 3];
      (a < b ? forward : backward).push_back({std::min(a, b), std::max(a, b)});
    }
  std::sort(forward.begin(), forward.end());
  std::sort(backward.begin(), backward.end());
  const bool once = std::adjacent_find(forward.begin(), forward.end()) == forward.end();
  return !triangles.empty() && once && forward == backward;
}

double enclosed_volume(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles) {
  if (triangles.empty()) return 0.0;
  const Vec3d origin = points[triangles[0][0]];  // near the surface: less cancellation
  double six_volumes = 0.0;
  for (const Triangle& t : triangles)
    six_volumes += dot(points[t[0]] - origin, cross(points[t[1]] - origin, points[t[2]] - origin));
  return six_volumes / 6.0;
}

}  // namespace sinew
