// Meshes from a grid of boxes: cuboids of tetrahedra and sheets of triangles.
#pragma once

#include <array>

#include <sinew/mesh.hpp>

namespace sinew {

/// Cuboid [0, size] with cells[k] boxes along axis k, six Kuhn tetrahedra each: mirrored from box to box, or
/// all boxes alike with their long diagonals parallel.
TetMesh make_cuboid(const Vec3d& size, const std::array<Index, 3>& cells, bool mirrored = true);

/// Sheet [0, size_x] x [0, size_y] at z = 0, normal +z, with the diagonals of the cells alternating.
SurfaceMesh make_sheet(double size_x, double size_y, const std::array<Index, 2>& cells);

/// Numbers of cells whose product of (cells + 1) is within 3 % of target, as near to cubes as possible; axes
/// with size 0 are left out. All zero if there is none.
std::array<Index, 3> cells_for_vertices(const Vec3d& size, double target);

}  // namespace sinew
