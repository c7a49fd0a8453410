// Where the light comes from and what its depth map holds.
#pragma once

#include <array>
#include <vector>

#include "viewer/framing.hpp"
#include "viewer/live/live_frame.hpp"

namespace sinew::viewer {

/// A ball around an obstacle, in its own coordinates; radius < 0: unbounded, or nothing.
struct LocalBall {
  Vec3d center;
  double radius = -1.0;
};
LocalBall ball_around(const ObstacleShape& shape);

/// Towards the light of a frame (unit).
Vec3d live_light_direction(const LiveFrame& frame);

/// Ball about the view's target that holds the visible casters, grown in steps so that shadows do not
/// shimmer; what is far out of sight is left out.
/// @param obstacle_balls one per obstacle of the frame.
CasterBall live_casters(const LiveFrame& frame, const std::vector<LocalBall>& obstacle_balls,
                        const View& view, double aspect);

}  // namespace sinew::viewer
