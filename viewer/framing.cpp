// Tight framing in closed form: for a view direction, the eye nearest to the points whose frustum holds them.
#include "viewer/framing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "viewer/render_geometry.hpp"

namespace sinew::viewer {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMargin = 0.86;  // share of the picture that the framed points may fill
// From the front right, slightly above.
const Vec3d kDefaultDirection{-0.42, 0.80, -0.36};

struct Bounds {
  Vec3d low{kInfinity, kInfinity, kInfinity}, high{-kInfinity, -kInfinity, -kInfinity};
  void add(const Vec3d& p) {
    low = component_min(low, p);
    high = component_max(high, p);
  }
  bool empty() const { return !(low.x <= high.x); }
  Vec3d center() const { return 0.5 * (low + high); }
  double radius() const { return 0.5 * norm(high - low); }
};

bool usable_direction(const Vec3d& d) {
  return is_finite(d) && squared_norm(d) > 1e-24;
}

double tangent_of_half_fov(const View& view) {
  return std::tan(0.5 * view.vertical_fov_deg * std::numbers::pi / 180.0);
}

/// Bodies, bounded obstacles of comparable size near them, and the feet of all that on planes close below.
std::vector<Vec3d> points_to_frame(const RenderFrame& frame) {
  std::vector<Vec3d> points;
  Bounds bodies;
  for (const RenderSurface& surface : frame.surfaces)
    for (const Vec3d& p : used_points(surface)) {
      points.push_back(p);
      bodies.add(p);
    }
  for (const RenderObstacle& obstacle : frame.obstacles) {
    const std::vector<Vec3d> hull = hull_points(obstacle);
    if (hull.empty()) continue;
    Bounds own;
    for (const Vec3d& p : hull) own.add(p);
    const double reach = 4.0 * bodies.radius();
    const bool near = bodies.empty() ||
                      (own.radius() <= reach && norm(own.center() - bodies.center()) <= reach + own.radius());
    if (near) points.insert(points.end(), hull.begin(), hull.end());
  }
  Bounds all;
  for (const Vec3d& p : points) all.add(p);
  if (all.empty()) return points;
  for (const RenderObstacle& obstacle : frame.obstacles) {
    if (!std::holds_alternative<HalfSpaceShape>(obstacle.shape)) continue;
    const Vec3d normal = obstacle.pose.rotation.column(2);
    for (int k = 0; k < 4; ++k) {
      const Vec3d corner{k & 1 ? all.low.x : all.high.x, k & 2 ? all.low.y : all.high.y, all.low.z};
      const double height = dot(corner - obstacle.pose.translation, normal);
      if (!(normal.z > 0.5) || !(height > 0.0) || height > 6.0 * all.radius()) continue;
      // Pulled in: the corners of a box lie outside what it bounds.
      const Vec3d center{all.center().x, all.center().y, all.low.z};
      points.push_back(center + 0.7 * (corner - center) - height * normal);
    }
  }
  return points;
}

}  // namespace

CameraAxes camera_axes(const View& view) {
  const Vec3d back = normalized(view.eye - view.target);
  Vec3d right = cross(Vec3d{0, 0, 1}, back);
  if (squared_norm(right) < 1e-12) right = Vec3d{1, 0, 0};  // straight down or up
  right = normalized(right);
  return {right, cross(back, right), back};
}

View sound_view(const View& view) {
  View sound = view;
  if (!is_finite(sound.target)) sound.target = {};
  if (!is_finite(sound.eye)) sound.eye = sound.target - 3.0 * normalized(kDefaultDirection);
  if (!std::isfinite(sound.vertical_fov_deg)) sound.vertical_fov_deg = 35.0;
  sound.vertical_fov_deg = std::clamp(sound.vertical_fov_deg, 1.0, 150.0);
  const double distance = norm(sound.eye - sound.target);
  const double rounding = 1e-12 * (norm(sound.target) + norm(sound.eye));
  if (!(distance > 1e-9 + rounding) || !(distance < 1e12))
    sound.eye = sound.target - (1.0 + rounding * 1e6) * normalized(kDefaultDirection);
  return sound;
}

View frame_view(const RenderFrame& frame, const CameraSpec& wishes, double aspect) {
  if (!(aspect > 1e-3) || !(aspect < 1e3)) aspect = 16.0 / 9.0;
  std::vector<Vec3d> points = points_to_frame(frame);
  if (points.empty()) {
    const Vec3d middle = wishes.target && is_finite(*wishes.target) ? *wishes.target : Vec3d{};
    for (int k = 0; k < 8; ++k)
      points.push_back(middle + 0.5 * Vec3d{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
  }
  Bounds bounds;
  for (const Vec3d& p : points) bounds.add(p);
  const double size = std::max(bounds.radius(), 1e-4);

  View view;
  view.vertical_fov_deg = wishes.vertical_fov_deg;
  view.target = wishes.target && is_finite(*wishes.target) ? *wishes.target : bounds.center();
  const Vec3d direction = normalized(
      wishes.direction && usable_direction(*wishes.direction) ? *wishes.direction : kDefaultDirection);
  const bool eye_given = wishes.eye && is_finite(*wishes.eye);
  view.eye = eye_given ? *wishes.eye : view.target - size * direction;
  view = sound_view(view);
  if (eye_given) return view;

  // Camera coordinates about the target: x right, y up, z forward. A point is inside where
  // |x - cx| <= tx (z - cz) and |y - cy| <= ty (z - cz); seek the largest cz.
  const CameraAxes axes = camera_axes(view);
  const double ty = kMargin * tangent_of_half_fov(view), tx = ty * aspect;
  double low_x = -kInfinity, high_x = kInfinity, low_y = -kInfinity, high_y = kInfinity;
  double near = kInfinity, far = -kInfinity, fixed_cz = kInfinity;
  for (const Vec3d& p : points) {
    const Vec3d d = p - view.target;
    const double x = dot(d, axes.right), y = dot(d, axes.up), z = -dot(d, axes.back);
    low_x = std::max(low_x, x - tx * z);
    high_x = std::min(high_x, x + tx * z);
    low_y = std::max(low_y, y - ty * z);
    high_y = std::min(high_y, y + ty * z);
    near = std::min(near, z);
    far = std::max(far, z);
    fixed_cz = std::min(fixed_cz, z - std::max(std::abs(x) / tx, std::abs(y) / ty));
  }
  const bool target_given = wishes.target && is_finite(*wishes.target);
  double cz = target_given ? fixed_cz : std::min((high_x - low_x) / (2 * tx), (high_y - low_y) / (2 * ty));
  cz = std::min(cz, near - 0.05 * size);
  const double cx = target_given ? 0.0 : 0.5 * (low_x + high_x);
  const double cy = target_given ? 0.0 : 0.5 * (low_y + high_y);
  const double middle = target_given ? 0.0 : 0.5 * (near + far);
  const Vec3d axis_point = view.target + cx * axes.right + cy * axes.up;
  view.target = axis_point - middle * axes.back;
  view.eye = axis_point - cz * axes.back;
  return sound_view(view);
}

Vec3d key_light_direction(const View& view) {
  const CameraAxes axes = camera_axes(view);
  // The camera's heading in the ground plane; a camera that looks straight down keeps its up vector.
  Vec3d heading{-axes.back.x, -axes.back.y, 0.0};
  if (squared_norm(heading) < 1e-6) heading = {axes.up.x, axes.up.y, 0.0};
  heading = normalized(heading);
  const Vec3d side{heading.y, -heading.x, 0.0};  // to the right
  return normalized(-0.62 * side - 0.30 * heading + Vec3d{0, 0, 1.0});
}

double shadow_radius(const RenderFrame& frame, const View& view, double aspect) {
  const double half_height = norm(view.eye - view.target) * tangent_of_half_fov(view);
  const double widest = 1.6 * half_height * std::max(1.0, aspect);
  double reach = 0.0;
  const auto add = [&](const std::vector<Vec3d>& points) {
    for (const Vec3d& p : points) reach = std::max(reach, norm(p - view.target));
  };
  for (const RenderSurface& surface : frame.surfaces) add(used_points(surface));
  for (const RenderObstacle& obstacle : frame.obstacles) add(hull_points(obstacle));
  if (!(reach > 0.0)) return widest;
  // In steps of a quarter octave: shadows must not shimmer from frame to frame.
  const double rounded = std::exp2(std::ceil(4.0 * std::log2(1.02 * reach)) / 4.0);
  return std::clamp(rounded, 1e-3 * widest, widest);
}

bool lowest_height(const RenderFrame& frame, double& height) {
  height = kInfinity;
  for (const RenderSurface& surface : frame.surfaces)
    for (const Vec3d& p : used_points(surface)) height = std::min(height, p.z);
  for (const RenderObstacle& obstacle : frame.obstacles)
    for (const Vec3d& p : hull_points(obstacle)) height = std::min(height, p.z);
  return height < kInfinity;
}

}  // namespace sinew::viewer
