// Points against analytic obstacles: the planes that they get.
#pragma once

#include "kernels/element/obstacle/convex_shape.hpp"
#include "kernels/op/box_tree_ops.hpp"

namespace sinew {

/// An obstacle in its poses at both ends of the frame: x = rotation * local + translation.
struct DeviceObstacle {
  ConvexShape shape;
  Mat3d start_rotation, end_rotation;
  Vec3d start_translation, end_translation;  ///< [m]
};

/// Where points are in a frame; borrowed, on the device.
struct PointWays {
  View<const Vec3d> start, end;  ///< {points} [m]
  View<const double> reach;      ///< {points} [m]: margin and thickness
  View<const Index> body;        ///< {points}
  View<const Vec3d> exit;  ///< {bodies, obstacles} by which a body leaves, in the obstacle's coordinates;
                           ///< zero: each point by its own way
};

/// What one point has to do with one obstacle, in the obstacle's coordinates.
struct PointPlane {
  Index point, obstacle;
  ShapePlane plane;
};

class PointPlaneOps {
 public:
  virtual ~PointPlaneOps() = default;

  /// Obstacles that each point's way comes near.
  virtual void count_planes(View<const DeviceObstacle> obstacles, const PointWays& points,
                            View<std::uint32_t> count) = 0;
  /// Those of point p from plane[start[p]] to plane[start[p + 1]], by obstacle; points that do not fit whole
  /// are left out.
  virtual void list_planes(View<const DeviceObstacle> obstacles, const PointWays& points,
                           View<const std::uint32_t> start, View<PointPlane> plane) = 0;
};

}  // namespace sinew
