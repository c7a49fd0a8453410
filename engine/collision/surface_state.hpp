// A surface in one frame: where its points start and end, and boxes around their ways.
#pragma once

#include <memory>
#include <vector>

#include "engine/collision/box_tree.hpp"
#include "engine/collision/detect.hpp"
#include "engine/collision/flat_patches.hpp"
#include "engine/collision/surface.hpp"
#include "kernels/element/contact/distance.hpp"

namespace sinew {

/// What a topology needs once: the tree of its triangles. Each point and edge belongs to one of its
/// triangles, so that pairs of triangles lead to all pairs of features once (Curtis, Tamstorf & Manocha
/// 2008).
struct SurfaceTrees {
  explicit SurfaceTrees(const SurfaceTopology& topology);
  TreeShape faces;
  std::vector<Index> points;                  ///< used by triangles, ascending
  std::vector<Index> point_start, own_point;  ///< {triangles + 1} ranges of own_point
  std::vector<Index> edge_start, own_edge;    ///< {triangles + 1} ranges of own_edge
  FlatRest flat;
};

struct SurfaceState {
  std::vector<Vec3d> start, end;        ///< [m], {points}
  Box start_box;                        ///< around the points at the start
  Box box;                              ///< around all ways, inflated
  TreeBoxes faces;                      ///< inflated
  std::vector<Box> way;                 ///< {points} inflated
  std::vector<Box> edge_way, face_way;  ///< {edges}, {triangles}: around those of their points
  Pose from, to;                        ///< of an obstacle, as placed with
  double inflation = -1.0;              ///< [m]

  /// Boxes around start and end, larger by `inflation` [m].
  void refit(const SurfaceTopology& topology, const SurfaceTrees& trees, double inflation);

  /// Of an obstacle: whether all is as it was and boxes are large enough; if not, remembers what is needed
  /// [m].
  bool stands(const Pose& now_from, const Pose& now_to, double needed);
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
