// Balls of the casters: obstacles by balls of their own, which turning does not change.
#include "viewer/live/live_light.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "viewer/render_geometry.hpp"

namespace sinew::viewer {

LocalBall ball_around(const ObstacleShape& shape) {
  const std::vector<Vec3d> points = hull_points({shape, Pose{}});
  if (points.empty()) return {};
  Vec3d low = points[0], high = points[0];
  for (const Vec3d& p : points) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
  LocalBall ball{0.5 * (low + high), 0.0};
  for (const Vec3d& p : points) ball.radius = std::max(ball.radius, norm(p - ball.center));
  return ball;
}

Vec3d live_light_direction(const LiveFrame& frame) {
  if (frame.light && is_finite(*frame.light) && squared_norm(*frame.light) > 0.0)
    return normalized(*frame.light);
  return key_light_direction(frame_view({}, {}, 16.0 / 9.0));  // as in pictures from the usual side
}

CasterBall live_casters(const LiveFrame& frame, const std::vector<LocalBall>& obstacle_balls,
                        const View& view, double aspect) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double half_height =
      norm(view.eye - view.target) * std::tan(0.5 * view.vertical_fov_deg * std::numbers::pi / 180.0);
  const double widest = 1.6 * half_height * std::max(1.0, aspect);
  const Vec3d cube{widest, widest, widest};  // what lies out of sight is cut off at a cube about the target
  Vec3d low{kInfinity, kInfinity, kInfinity}, high = -low;
  const auto add = [&](const Vec3d& own_low, const Vec3d& own_high) {
    for (int k = 0; k < 3; ++k)
      if (!(own_low[k] <= widest) || !(own_high[k] >= -widest)) return;
    low = component_min(low, component_max(own_low, -cube));
    high = component_max(high, component_min(own_high, cube));
  };
  const auto add_points = [&](const std::vector<Vec3d>* points) {
    if (!points || points->empty()) return;
    Vec3d own_low = points->front(), own_high = own_low;
    for (const Vec3d& p : *points) {
      own_low = component_min(own_low, p);
      own_high = component_max(own_high, p);
    }
    add(own_low - view.target, own_high - view.target);
  };
  for (const LiveSurface& surface : frame.surfaces)
    if (surface.visible) add_points(surface.points);
  for (const LiveCells& cells : frame.cells) add_points(cells.nodes);
  for (std::size_t i = 0; i < frame.obstacles.size() && i < obstacle_balls.size(); ++i) {
    const LocalBall& ball = obstacle_balls[i];
    if (ball.radius < 0.0) continue;
    const Vec3d center = frame.obstacles[i].pose.apply(ball.center) - view.target;
    const Vec3d reach{ball.radius, ball.radius, ball.radius};
    add(center - reach, center + reach);
  }
  if (!(low.x <= high.x)) return {{}, widest};
  const double radius = 0.5 * norm(high - low);
  const double rounded = std::exp2(std::ceil(4.0 * std::log2(1.02 * radius)) / 4.0);
  return {0.5 * (low + high), std::clamp(rounded, 1e-3 * widest, 1.8 * widest)};
}

}  // namespace sinew::viewer
