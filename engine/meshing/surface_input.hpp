// Checks and mends a surface before it is filled.
#pragma once

#include <string>
#include <vector>

#include <sinew/mesh.hpp>

namespace sinew {

/// A surface that is ready to be filled.
struct SurfaceInput {
  SurfaceMesh surface;   ///< no unreferenced points, no repeated corners, outward
  Index holes = 0;       ///< closed chains of edges with a triangle on one side only
  Index components = 0;  ///< joined through points at the same place
  double volume = 0.0;   ///< [m^3] enclosed, by the divergence theorem; only meaningful without holes
  Vec3d low, high;       ///< [m] bounds
};

/// notes receives a line per remark. @throws MeshError: empty, index out of range, coordinate not finite,
/// flat.
SurfaceInput prepare_surface(const SurfaceMesh& surface, std::vector<std::string>& notes);

}  // namespace sinew
