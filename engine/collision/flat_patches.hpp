// Parts of a sheet that cannot touch themselves: nothing within them needs to be looked at.
//
// For a sheet whose rest shape is flat and convex, two of its points are apart by the integral of the
// deformation gradient F {3, 2} along the straight line between their rest places. If all F along it lie
// within r of some matrix M (start and end of the frame included), then |x - y| >= (sigma_min(M) - r) |X -
// Y|. Unlike cones of normals (Volino & Magnenat-Thalmann 1994) this needs no test of the patch's outline.
#pragma once

#include <array>
#include <vector>

#include "engine/collision/box_tree.hpp"
#include "engine/collision/surface.hpp"

namespace sinew {

/// Rest shape of a flat, convex sheet.
struct FlatRest {
  /// {triangles}: inverse [1/m] of the matrix of the first corner's two sides in the plane, by rows; empty:
  /// the sheet is not flat, or not convex.
  std::vector<std::array<double, 4>> inverse;
  double lowest = 0.0;  ///< [m] least height of a triangle
};

FlatRest flat_rest(const SurfaceTopology& topology);

/// {nodes of the tree of triangles}: 1 where points of different triangles below keep `share` of their rest
/// distance on the ways from start to end.
void find_flat_patches(const FlatRest& rest, const SurfaceTopology& topology, const TreeShape& tree,
                       const std::vector<Vec3d>& start, const std::vector<Vec3d>& end, double share,
                       std::vector<char>& apart);

}  // namespace sinew
