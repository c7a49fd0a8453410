// Meshes as plain arrays. Lengths in metres once a mesh is in a Model; files keep their own units.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <sinew/base/vec3.hpp>

namespace sinew {

using Tet = std::array<Index, 4>;       ///< positive volume: det[b-a, c-a, d-a] > 0
using Triangle = std::array<Index, 3>;  ///< counter-clockwise seen from outside

/// Triangles in space; open or closed.
struct SurfaceMesh {
  std::vector<Vec3d> points;        ///< {point_count}
  std::vector<Triangle> triangles;  ///< {triangle_count}, 0-based

  bool empty() const { return triangles.empty(); }
};

/// A fine surface carried by a coarse tetrahedral mesh: point p = sum_k weights[p][k] *
/// node(tets[tet[p]][k]).
struct EmbeddedSurface {
  std::vector<Triangle> triangles;             ///< {triangle_count}, indices of embedded points
  std::vector<Index> tet;                      ///< {point_count}, carrying tetrahedron
  std::vector<std::array<double, 4>> weights;  ///< {point_count}, barycentric, sum to 1

  bool empty() const { return triangles.empty(); }
};

/// Tetrahedra, possibly with a share of each cell filled and an embedded surface.
struct TetMesh {
  std::vector<Vec3d> nodes;  ///< {node_count}
  std::vector<Tet> tets;     ///< {tet_count}, 0-based
  /// {tet_count} or empty (all 1): share of the cell's volume that holds material, in (0, 1];
  /// scales its mass and stiffness.
  std::vector<double> inside_fraction;
  EmbeddedSurface surface;  ///< optional: used for pictures, export and contact instead of the boundary
};

/// Six times the signed volume is det[b-a, c-a, d-a].
double tet_volume(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);

/// Boundary faces of a tetrahedral mesh (faces used by exactly one tetrahedron), outward, in the order of
/// (tetrahedron, face): indices are node numbers.
std::vector<Triangle> boundary_triangles(const TetMesh& mesh);

/// Positions [m] of the embedded points for the given node positions.
std::vector<Vec3d> embedded_points(const TetMesh& mesh, const std::vector<Vec3d>& node_positions);

/// True where every edge belongs to two triangles that run along it in opposite directions.
bool is_closed(const std::vector<Triangle>& triangles);

/// Volume enclosed by a closed surface (divergence theorem); signed.
double enclosed_volume(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles);

}  // namespace sinew
