// A surface in one frame: where its points start and end, and boxes around their ways.
#pragma once

#include <memory>
#include <vector>

#include "engine/collision/box_tree.hpp"
#include "engine/collision/detect.hpp"
#include "engine/collision/surface.hpp"
#include "kernels/element/contact/distance.hpp"

namespace sinew {

/// Shapes of the trees of a topology.
struct SurfaceTrees {
  explicit SurfaceTrees(const SurfaceTopology& topology);
  TreeShape points, edges, faces;
};

struct SurfaceState {
  std::vector<Vec3d> start, end;   ///< [m], {points}
  Box start_box;                   ///< around the points at the start
  Box box;                         ///< around all ways, inflated
  TreeBoxes points, edges, faces;  ///< inflated
  std::vector<Box> way;            ///< {points} inflated

  /// Boxes around start and end, larger by `inflation` [m].
  void refit(const SurfaceTopology& topology, const SurfaceTrees& trees, double inflation);
};

/// Nearest place of a surface to a point.
struct NearestFace {
  Index face = -1;
  TrianglePoint<double> place;
  Vec3d point;            ///< [m]
  double distance = 0.0;  ///< [m], < 0: inside (closed surfaces, by the normal of the nearest feature)
};

/// Outward, not normalised: of a face, of an edge, or of a point (weighted by angles; Baerentzen & Aanaes
/// 2005).
Vec3d face_normal(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index face);
Vec3d edge_normal(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index edge);
Vec3d point_normal(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index point);
/// Of that part of a face.
Vec3d part_normal(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index face, TrianglePart part);

/// At the start positions. bound [m]: nothing farther is looked for.
NearestFace nearest_face(const SurfaceTopology& topology, const SurfaceTrees& trees,
                         const SurfaceState& state, const Vec3d& x, double bound = 1e150);

}  // namespace sinew
