// Small meshes for tests.
#pragma once

#include <algorithm>

#include <sinew/mesh.hpp>

namespace sinew::test {

/// Block of nx x ny x nz cubes of edge cell, its lowest corner at the origin, 6 Kuhn tetrahedra a cube.
inline TetMesh block(Index nx, Index ny, Index nz, double cell) {
  TetMesh mesh;
  const auto id = [&](Index i, Index j, Index k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  for (Index k = 0; k <= nz; ++k)
    for (Index j = 0; j <= ny; ++j)
      for (Index i = 0; i <= nx; ++i) mesh.nodes.push_back({i * cell, j * cell, k * cell});
  int axis[3] = {0, 1, 2};
  for (Index k = 0; k < nz; ++k) {
    for (Index j = 0; j < ny; ++j) {
      for (Index i = 0; i < nx; ++i) {
        std::sort(axis, axis + 3);
        do {  // one tetrahedron per order of the axes, along the diagonal
          Index at[3] = {i, j, k};
          Tet tet;
          tet[0] = id(at[0], at[1], at[2]);
          for (int s = 0; s < 3; ++s) {
            ++at[axis[s]];
            tet[s + 1] = id(at[0], at[1], at[2]);
          }
          if (tet_volume(mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]], mesh.nodes[tet[3]]) <
              0.0)
            std::swap(tet[2], tet[3]);
          mesh.tets.push_back(tet);
        } while (std::next_permutation(axis, axis + 3));
      }
    }
  }
  return mesh;
}

}  // namespace sinew::test
