#include "engine/meshing/structured.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

TetMesh make_cuboid(const Vec3d& size, const std::array<Index, 3>& cells, bool mirrored) {
  TetMesh mesh;
  const Index nx = cells[0] + 1, ny = cells[1] + 1, nz = cells[2] + 1;
  mesh.nodes.reserve(static_cast<std::size_t>(nx) * ny * nz);
  for (Index k = 0; k < nz; ++k)
    for (Index j = 0; j < ny; ++j)
      for (Index i = 0; i < nx; ++i)
        mesh.nodes.push_back({size.x * i / cells[0], size.y * j / cells[1], size.z * k / cells[2]});
  mesh.tets.reserve(static_cast<std::size_t>(cells[0]) * cells[1] * cells[2] * 6);
  const Index stride[3] = {1, nx, nx * ny};
  // Kuhn: one tetrahedron per order of the axes, walking from one corner of the box to the opposite one.
  // Mirroring neighbours keeps the mesh conforming and, for even numbers of cells, symmetric: a beam does not
  // twist under load. Boxes that are all alike conform as well, and are what many other programs make.
  constexpr int kOrder[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (Index k = 0; k < cells[2]; ++k)
    for (Index j = 0; j < cells[1]; ++j)
      for (Index i = 0; i < cells[0]; ++i) {
        const Index mask = mirrored ? 1 : 0;
        const Index odd[3] = {i & mask, j & mask, k & mask};
        const Index first = (i + odd[0]) * stride[0] + (j + odd[1]) * stride[1] + (k + odd[2]) * stride[2];
        const bool flipped = ((odd[0] + odd[1] + odd[2]) & 1) != 0;
        for (int o = 0; o < 6; ++o) {
          Tet tet = {first, 0, 0, 0};
          for (int s = 0; s < 3; ++s) {
            const int axis = kOrder[o][s];
            tet[s + 1] = tet[s] + (odd[axis] ? -stride[axis] : stride[axis]);
          }
          if ((o >= 3) != flipped) std::swap(tet[2], tet[3]);
          mesh.tets.push_back(tet);
        }
      }
  return mesh;
}

SurfaceMesh make_sheet(double size_x, double size_y, const std::array<Index, 2>& cells) {
  SurfaceMesh mesh;
  const Index nx = cells[0] + 1;
  for (Index j = 0; j <= cells[1]; ++j)
    for (Index i = 0; i <= cells[0]; ++i)
      mesh.points.push_back({size_x * i / cells[0], size_y * j / cells[1], 0.0});
  for (Index j = 0; j < cells[1]; ++j)
    for (Index i = 0; i < cells[0]; ++i) {
      const Index a = j * nx + i, b = a + 1, c = a + nx + 1, d = a + nx;
      if (((i + j) & 1) == 0) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  return mesh;
}

std::array<Index, 3> cells_for_vertices(const Vec3d& size, double target) {
  // Every count along the first axis near the cubic one, and along the second; the third follows. The worst
  // ratio of two cell edges decides, then the distance to the target.
  const int dimensions = size.z > 0.0 ? 3 : 2;
  const double volume = size.x * size.y * (dimensions == 3 ? size.z : 1.0);
  double edge = std::pow(volume / target, 1.0 / dimensions);
  for (int i = 0; i < 50; ++i) {  // fixed point of prod (size / edge + 1) = target
    double count =
        (size.x / edge + 1.0) * (size.y / edge + 1.0) * (dimensions == 3 ? size.z / edge + 1.0 : 1.0);
    edge *= std::pow(count / target, 1.0 / dimensions);
  }
  std::array<Index, 3> best = {0, 0, 0};
  double best_cost = 1e300;
  const auto range = [&](double length, Index& low, Index& high) {
    low = std::max<Index>(1, static_cast<Index>(length / edge * 0.6));
    high = static_cast<Index>(length / edge * 1.6) + 2;
  };
  Index low[2], high[2];
  range(size.x, low[0], high[0]);
  range(size.y, low[1], high[1]);
  const auto consider = [&](Index i, Index j, Index k) {
    const double count = (i + 1.0) * (j + 1.0) * (dimensions == 3 ? k + 1.0 : 1.0);
    const double miss = std::abs(count / target - 1.0);
    if (k < (dimensions == 3 ? 1 : 0) || miss > 0.03) return;
    double shortest = std::min(size.x / i, size.y / j), longest = std::max(size.x / i, size.y / j);
    if (dimensions == 3) {
      shortest = std::min(shortest, size.z / k);
      longest = std::max(longest, size.z / k);
    }
    const double cost = longest / shortest + 2.0 * miss;
    if (cost >= best_cost) return;
    best_cost = cost;
    best = {i, j, k};
  };
  // Long axes have many candidates: try those near the cubic edge in steps that keep the search small.
  const Index step_x = std::max<Index>(1, (high[0] - low[0]) / 400),
              step_y = std::max<Index>(1, (high[1] - low[1]) / 400);
  for (Index i = low[0]; i <= high[0]; i += step_x)
    for (Index j = low[1]; j <= high[1]; j += dimensions == 3 ? step_y : 1) {
      if (dimensions == 2) {
        consider(i, j, 0);
        continue;
      }
      const Index k = static_cast<Index>(std::lround(target / ((i + 1.0) * (j + 1.0)))) - 1;
      consider(i, j, k);
    }
  return best;
}

}  // namespace sinew
