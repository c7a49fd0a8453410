#include "viewer/window/hand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <sinew/base/mat3.hpp>

#include "viewer/live/pick.hpp"
#include "viewer/window/cut.hpp"

namespace sinew::viewer {

namespace {

constexpr double kMarkRadius = 12.0;  // [window unit]
constexpr double kTurn = 0.01;        // [rad] per window unit
constexpr double kDepthStep = 1.05;   // factor of the distance per wheel step
constexpr double kFastest = 10.0;     // [1/s] sizes of the scene per second
constexpr double kLongestWay = 0.3;   // [s] for a way, though pictures may take longer

}  // namespace

std::optional<Touch> touch(const ViewState& state, const ViewOptions& options, const Ray& ray) {
  std::optional<Touch> first;
  double nearest = 0.0;
  const Model& model = state.scene->model;
  // What a cut has removed is not there to be taken.
  Ray into = ray;
  double skipped = 0.0;
  if (const std::optional<CutPlane> cut = cut_plane(state, options)) {
    const double height = dot(ray.origin - cut->point, cut->normal), slope = dot(ray.direction, cut->normal);
    if (height > 0.0) {
      if (!(slope < 0.0))
        skipped = std::numeric_limits<double>::infinity();
      else
        skipped = -height / slope;
    }
    into.origin = skipped < std::numeric_limits<double>::infinity() ? ray.at(skipped) : ray.origin;
  }
  const bool cut_away = !(skipped < std::numeric_limits<double>::infinity());
  for (std::size_t b = 0; b < state.points.size(); ++b) {
    if (options.hidden_body(b) || cut_away) continue;
    const auto hit = pick_triangle(into, state.points[b], model.surface_triangles(b));
    if (!hit || (first && hit->distance + skipped >= nearest)) continue;
    nearest = hit->distance + skipped;
    first = Touch{BodyPoint{model.body(b).name, -1, hit->triangle, hit->barycentric, std::nullopt}, b,
                  std::nullopt, hit->position};
  }
  std::vector<LiveObstacle> obstacles;
  std::vector<std::size_t> number;
  for (std::size_t o = 0; o < state.obstacle_pose.size(); ++o) {
    if (options.hidden_obstacle(o)) continue;
    obstacles.push_back({&model.obstacle(o).shape, state.obstacle_pose[o]});
    number.push_back(o);
  }
  const auto hit = pick_obstacle(ray, obstacles);
  if (hit && (!first || hit->distance < nearest))
    first = Touch{std::nullopt, 0, number[hit->obstacle], hit->position};
  return first;
}

bool Hand::press(const ViewState& state, const ViewOptions& options, const ScreenMap& screen, double x,
                 double y, bool turn, double now) {
  last_x_ = x;
  last_y_ = y;
  offset_x_ = offset_y_ = 0.0;
  flushed_ = now;
  moved_ = false;
  scene_size_ = std::max(body_bounds(state, options).size(), 1e-6);
  for (const GrabView& grab : state.grabs) {
    const auto seen = screen.project(grab.target);
    if (!is_pinned(grab.number) || !seen || std::hypot((*seen)[0] - x, (*seen)[1] - y) > kMarkRadius)
      continue;
    holds_ = Holds::body;
    grab_ = grab.number;
    target_ = grab.target;
    offset_x_ = (*seen)[0] - x;
    offset_y_ = (*seen)[1] - y;
    sent_ = target_;
    return true;
  }
  const std::optional<Touch> found = touch(state, options, screen.ray(x, y));
  if (!found) return false;
  target_ = sent_ = found->position;
  if (found->body_point) {
    holds_ = Holds::body;
    grab_ = session_.grab(*found->body_point, target_, options.compliance_mm * 1e-3);
    return true;
  }
  if (!state.scene->model.obstacle(*found->obstacle).movable) return false;
  holds_ = Holds::obstacle;
  obstacle_ = *found->obstacle;
  pose_ = state.obstacle_pose[obstacle_];
  turn_ = turn;
  return true;
}

void Hand::move(const ScreenMap& screen, double x, double y) {
  const double dx = x - last_x_, dy = y - last_y_;
  if (holds_ == Holds::nothing || (dx == 0.0 && dy == 0.0)) return;
  last_x_ = x;
  last_y_ = y;
  moved_ = true;
  if (holds_ == Holds::obstacle && turn_) {
    const CameraAxes axes = camera_axes(screen.view());
    pose_.rotation = rotation_from_vector(kTurn * dx * axes.up) *
                     rotation_from_vector(kTurn * dy * axes.right) * pose_.rotation;
    return;
  }
  const Vec3d before = target_;
  target_ = screen.on_camera_plane(x + offset_x_, y + offset_y_, target_);
  pose_.translation += target_ - before;
}

void Hand::change_depth(const ScreenMap& screen, double steps) {
  if (holds_ == Holds::nothing || steps == 0.0) return;
  moved_ = true;
  const Vec3d eye = screen.view().eye, before = target_;
  target_ = eye + std::pow(kDepthStep, steps) * (target_ - eye);
  pose_.translation += target_ - before;
}

void Hand::flush(double now) {
  const double way = norm(target_ - sent_);
  const double seconds = std::max(std::min(now - flushed_, kLongestWay), way / (kFastest * scene_size_));
  flushed_ = now;
  if (!std::exchange(moved_, false)) return;
  sent_ = target_;
  if (holds_ == Holds::body) session_.move_grab(grab_, target_, seconds);
  if (holds_ == Holds::obstacle) session_.move_obstacle(obstacle_, pose_, seconds);
}

void Hand::release(bool keep, double now) {
  flush(now);
  if (holds_ == Holds::body) {
    if (keep) {
      pinned_.insert(grab_);
    } else {
      pinned_.erase(grab_);
      session_.release_grab(grab_);
    }
  }
  holds_ = Holds::nothing;
  grab_ = -1;
}

void Hand::unpin(int number) {
  pinned_.erase(number);
  session_.release_grab(number);
}
void Hand::unpin_all() {
  forget();
  session_.release_all();
}
void Hand::forget() {
  pinned_.clear();
  holds_ = Holds::nothing;
  grab_ = -1;
}

}  // namespace sinew::viewer
