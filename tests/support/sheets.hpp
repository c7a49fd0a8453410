// Small sheets for tests.
#pragma once

#include <string>

#include <sinew/model.hpp>

namespace sinew::test {

/// nx x ny squares of edge cell in the plane z = 0, lowest corner at the origin, diagonals alternating; node
/// (i, j) has number j (nx + 1) + i.
inline SurfaceMesh sheet(Index nx, Index ny, double cell) {
  SurfaceMesh mesh;
  for (Index j = 0; j <= ny; ++j)
    for (Index i = 0; i <= nx; ++i) mesh.points.push_back({i * cell, j * cell, 0.0});
  for (Index j = 0; j < ny; ++j)
    for (Index i = 0; i < nx; ++i) {
      const Index a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = a + nx + 1;
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  return mesh;
}

inline BodySpec sheet_body(const std::string& name, SurfaceMesh mesh,
                           MaterialKind kind = MaterialKind::arap) {
  BodySpec body;
  body.name = name;
  body.material.kind = kind;
  body.sheet.emplace();
  body.sheet->mesh = std::move(mesh);
  return body;
}

}  // namespace sinew::test
