// Turntable camera: azimuth, elevation and distance about a target.
#include "viewer/live/camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::viewer {
namespace {

constexpr double kPi = std::numbers::pi;
// Straight down the picture would not know where up is.
constexpr double kSteepest = 89.9 * kPi / 180.0;
constexpr double kNearest = 1e-5, kFarthest = 1e6;  // [m]
constexpr double kZoomStep = 0.88;
constexpr double kTravelTime = 0.09;  // [s] in which 1 - 1/e of the way is done

Vec3d direction_of(double azimuth, double elevation) {
  return {std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
          std::sin(elevation)};
}

}  // namespace

OrbitCamera::OrbitCamera() : OrbitCamera(frame_view({}, {}, 16.0 / 9.0)) {}

OrbitCamera::OrbitCamera(const View& view) : at_(place_of(view)), goal_(at_) {}

OrbitCamera::Place OrbitCamera::place_of(const View& wished) {
  const View view = sound_view(wished);
  const Vec3d d = view.eye - view.target;
  Place place{view.target, norm(d), 0.0, 0.0, view.vertical_fov_deg};
  place.azimuth = d.x == 0.0 && d.y == 0.0 ? -0.5 * kPi : std::atan2(d.y, d.x);
  place.elevation = std::clamp(std::atan2(d.z, std::hypot(d.x, d.y)), -kSteepest, kSteepest);
  return place;
}

View OrbitCamera::view_of(const Place& place) {
  return {place.target + place.distance * direction_of(place.azimuth, place.elevation), place.target,
          place.fov};
}

View OrbitCamera::view() const {
  return view_of(at_);
}

void OrbitCamera::orbit(double dx, double dy, double height) {
  finish();
  const double turn = kPi / std::max(height, 1.0);
  at_.azimuth -= turn * dx;
  at_.elevation = std::clamp(at_.elevation + turn * dy, -kSteepest, kSteepest);
  goal_ = at_;
}

void OrbitCamera::pan(double dx, double dy, double height) {
  finish();
  const ScreenMap map(view(), height, height);
  const CameraAxes axes = camera_axes(view());
  at_.target += map.meters_per_pixel(at_.target) * (dy * axes.up - dx * axes.right);
  goal_ = at_;
}

void OrbitCamera::zoom(double steps, double x, double y, double width, double height) {
  finish();
  const double farther = std::clamp(at_.distance * std::pow(kZoomStep, steps), kNearest, kFarthest);
  const double ratio = farther / at_.distance;
  const Vec3d held = ScreenMap(view(), width, height).on_camera_plane(x, y, at_.target);
  at_.target = held + ratio * (at_.target - held);
  at_.distance = farther;
  goal_ = at_;
}

void OrbitCamera::frame(const Vec3d& low, const Vec3d& high, double aspect) {
  const double radius = 0.5 * norm(high - low);
  if (!is_finite(low) || !is_finite(high) || !(low.x <= high.x) || !(radius > 0.0)) return;
  // The nearest eye on the line of sight from which all corners are inside, with a margin.
  constexpr double kShare = 0.80;
  goal_.target = 0.5 * (low + high);
  const CameraAxes axes = camera_axes(view_of(goal_));
  const double ty = kShare * std::tan(0.5 * goal_.fov * kPi / 180.0), tx = ty * std::max(aspect, 0.01);
  double distance = 0.0;
  for (int k = 0; k < 8; ++k) {
    const Vec3d d =
        Vec3d{k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z} - goal_.target;
    const double aside = std::max(std::abs(dot(d, axes.right)) / tx, std::abs(dot(d, axes.up)) / ty);
    distance = std::max(distance, dot(d, axes.back) + aside);
  }
  goal_.distance = std::clamp(distance, kNearest, kFarthest);
}

void OrbitCamera::look(const View& view) {
  goal_ = place_of(view);
}

void OrbitCamera::look_from(StandardView side) {
  const auto set = [&](double azimuth_deg, double elevation_deg) {
    goal_.azimuth = azimuth_deg * kPi / 180.0;
    goal_.elevation = std::clamp(elevation_deg * kPi / 180.0, -kSteepest, kSteepest);
  };
  switch (side) {
    case StandardView::front:
      return set(-90.0, 0.0);
    case StandardView::back:
      return set(90.0, 0.0);
    case StandardView::left:
      return set(180.0, 0.0);
    case StandardView::right:
      return set(0.0, 0.0);
    case StandardView::top:
      return set(-90.0, 90.0);
    case StandardView::bottom:
      return set(-90.0, -90.0);
    case StandardView::iso:
      return set(-60.0, 25.0);
  }
}

void OrbitCamera::set_fov(double vertical_deg) {
  if (!std::isfinite(vertical_deg)) return;
  const double fov = std::clamp(vertical_deg, 10.0, 90.0);
  for (Place* place : {&at_, &goal_}) {
    place->distance *= std::tan(0.5 * place->fov * kPi / 180.0) / std::tan(0.5 * fov * kPi / 180.0);
    place->fov = fov;
  }
}

void OrbitCamera::set_target(const Vec3d& target) {
  if (is_finite(target)) goal_.target = target;
}

bool OrbitCamera::advance(double seconds) {
  const double part = 1.0 - std::exp(-std::max(seconds, 0.0) / kTravelTime);
  const double turn = std::remainder(goal_.azimuth - at_.azimuth, 2.0 * kPi);  // the short way round
  const double climb = goal_.elevation - at_.elevation, grow = std::log(goal_.distance / at_.distance);
  const Vec3d move = goal_.target - at_.target;
  const double left = std::abs(turn) + std::abs(climb) + std::abs(grow) + norm(move) / goal_.distance +
                      std::abs(goal_.fov - at_.fov);
  if (left * (1.0 - part) < 1e-3) {
    finish();
    return false;
  }
  at_.azimuth += part * turn;
  at_.elevation += part * climb;
  at_.distance *= std::exp(part * grow);
  at_.target += part * move;
  at_.fov += part * (goal_.fov - at_.fov);
  return true;
}

}  // namespace sinew::viewer
