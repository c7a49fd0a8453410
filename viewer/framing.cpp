// Tight framing in closed form: for a view direction, the eye nearest to the points whose frustum holds them.
#include "viewer/framing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

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

constexpr double kLongestDrop = 10.0;     // of the bodies' size: farther down, the ground is left out
constexpr double kLeastShare = 1.0 / 12;  // of the picture's height: the bodies stay at least this large
constexpr double kComparable = 5.0;       // times the bodies' size: larger obstacles are not shown as a whole

double largest_extent(const Bounds& b) {
  return std::max({b.high.x - b.low.x, b.high.y - b.low.y, b.high.z - b.low.z});
}

/// What a picture should show, the bodies apart.
struct Subject {
  std::vector<Vec3d> bodies, obstacles, feet;  ///< feet: where bodies and obstacles would come down
};

/// Appends the points where the bottom of a box would come down on half-spaces below it, pulled in because
/// the corners of a box lie outside what it bounds.
void add_feet(std::vector<Vec3d>& feet, const RenderFrame& frame, const Bounds& box, double longest) {
  for (const RenderObstacle& obstacle : frame.obstacles) {
    if (!std::holds_alternative<HalfSpaceShape>(obstacle.shape)) continue;
    const Vec3d normal = obstacle.pose.rotation.column(2);
    if (!(normal.z > 0.5)) continue;
    for (int k = 0; k < 4; ++k) {
      Vec3d foot{k & 1 ? box.low.x : box.high.x, k & 2 ? box.low.y : box.high.y, box.low.z};
      const Vec3d center{box.center().x, box.center().y, box.low.z};
      foot = center + 0.7 * (foot - center);
      const double drop = dot(foot - obstacle.pose.translation, normal) / normal.z;
      if (!(drop > 0.0) || drop > longest) continue;
      foot.z -= drop;
      feet.push_back(foot);
    }
  }
}

/// Bounded obstacles near the bodies or below their footprint, and the ground below. A large obstacle below
/// is shown where the bodies would land on it.
Subject subject_of(const RenderFrame& frame, bool with_obstacles, bool with_ground) {
  Subject subject;
  Bounds bodies;
  for (const RenderSurface& surface : frame.surfaces)
    for (const Vec3d& p : used_points(surface)) {
      subject.bodies.push_back(p);
      bodies.add(p);
    }
  Bounds all = bodies;
  const double longest = bodies.empty() ? kInfinity : kLongestDrop * largest_extent(bodies);
  for (const RenderObstacle& obstacle : frame.obstacles) {
    if (!with_obstacles) break;
    const std::vector<Vec3d> hull = hull_points(obstacle);
    if (hull.empty()) continue;
    Bounds own;
    for (const Vec3d& p : hull) own.add(p);
    bool shown = bodies.empty();
    if (!shown) {
      const double reach = 4.0 * bodies.radius(), drop = bodies.low.z - own.high.z;
      const bool below = own.low.x < bodies.high.x && own.high.x > bodies.low.x &&
                         own.low.y < bodies.high.y && own.high.y > bodies.low.y && own.low.z < bodies.low.z &&
                         drop <= longest;
      const bool near = own.radius() <= reach && norm(own.center() - bodies.center()) <= reach + own.radius();
      shown = near || (below && own.radius() <= kComparable * bodies.radius());
      if (below && !shown && drop > 0.0) {
        const Bounds landed{{bodies.low.x, bodies.low.y, own.high.z},
                            {bodies.high.x, bodies.high.y, own.high.z}};
        subject.obstacles.push_back(landed.low);
        subject.obstacles.push_back(landed.high);
      }
    }
    if (!shown) continue;
    subject.obstacles.insert(subject.obstacles.end(), hull.begin(), hull.end());
    for (const Vec3d& p : hull) all.add(p);
  }
  if (with_ground && !all.empty())
    add_feet(subject.feet, frame, all, bodies.empty() ? 6.0 * all.radius() : longest);
  return subject;
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

namespace {

/// The tightest view of some points that grants the wishes.
View view_of(std::vector<Vec3d> points, const CameraSpec& wishes, double aspect) {
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

/// Size of points in the picture, the larger of width and height, over the picture's height.
double share_of_height(const std::vector<Vec3d>& points, const View& view) {
  const CameraAxes axes = camera_axes(view);
  const double t = tangent_of_half_fov(view);
  Bounds seen;
  for (const Vec3d& p : points) {
    const Vec3d d = p - view.eye;
    const double depth = std::max(-dot(d, axes.back), 1e-12);
    seen.add({dot(d, axes.right) / (2.0 * t * depth), dot(d, axes.up) / (2.0 * t * depth), 0.0});
  }
  return largest_extent(seen);
}

}  // namespace

View frame_view(const RenderFrame& frame, const CameraSpec& wishes, double aspect) {
  if (!(aspect > 1e-3) || !(aspect < 1e3)) aspect = 16.0 / 9.0;
  // From all of it to the bodies alone: the first view in which the bodies are large enough.
  View view;
  for (const auto& [with_obstacles, with_ground] :
       {std::pair{true, true}, {false, true}, {true, false}, {false, false}}) {
    const Subject subject = subject_of(frame, with_obstacles, with_ground);
    std::vector<Vec3d> points = subject.bodies;
    points.insert(points.end(), subject.obstacles.begin(), subject.obstacles.end());
    points.insert(points.end(), subject.feet.begin(), subject.feet.end());
    view = view_of(std::move(points), wishes, aspect);
    if (subject.bodies.empty() || wishes.eye || share_of_height(subject.bodies, view) >= kLeastShare) break;
  }
  return view;
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

CasterBall caster_ball(const RenderFrame& frame, const View& view, double aspect) {
  const double half_height = norm(view.eye - view.target) * tangent_of_half_fov(view);
  const double widest = 1.6 * half_height * std::max(1.0, aspect);
  // What lies out of sight is cut off at a cube about the target.
  const Vec3d cube{widest, widest, widest};
  std::vector<Vec3d> points;
  Bounds bounds;
  const auto add = [&](std::vector<Vec3d> own) {
    Bounds box;
    for (Vec3d& p : own) box.add(p = p - view.target);
    for (int k = 0; k < 3; ++k)
      if (!(box.low[k] <= widest) || !(box.high[k] >= -widest)) return;
    for (const Vec3d& p : own) {
      points.push_back(component_max(component_min(p, cube), -cube));
      bounds.add(points.back());
    }
  };
  for (const RenderSurface& surface : frame.surfaces) add(used_points(surface));
  for (const RenderObstacle& obstacle : frame.obstacles) add(hull_points(obstacle));
  if (points.empty()) return {{}, widest};
  CasterBall ball{bounds.center(), 0.0};
  for (const Vec3d& p : points) ball.radius = std::max(ball.radius, norm(p - ball.center));
  const double rounded = std::exp2(std::ceil(4.0 * std::log2(1.06 * ball.radius)) / 4.0);
  ball.radius = std::clamp(rounded, 1e-3 * widest, 1.8 * widest);
  return ball;
}

}  // namespace sinew::viewer
