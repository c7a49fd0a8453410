// Pinhole camera: a place in the picture is where its ray meets the plane at distance 1.
#include "viewer/live/screen.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::viewer {

ScreenMap::ScreenMap(const View& view, double width, double height)
    : view_(sound_view(view)),
      axes_(camera_axes(view_)),
      width_(std::max(width, 1.0)),
      height_(std::max(height, 1.0)),
      tangent_(std::tan(0.5 * view_.vertical_fov_deg * std::numbers::pi / 180.0)) {}

Ray ScreenMap::ray(double x, double y) const {
  const double u = (2.0 * x / width_ - 1.0) * tangent_ * width_ / height_;
  const double v = (1.0 - 2.0 * y / height_) * tangent_;
  return {view_.eye, normalized(u * axes_.right + v * axes_.up - axes_.back)};
}

double ScreenMap::depth(const Vec3d& point) const {
  return -dot(point - view_.eye, axes_.back);
}

std::optional<std::array<double, 2>> ScreenMap::project(const Vec3d& point) const {
  const Vec3d d = point - view_.eye;
  const double z = -dot(d, axes_.back);
  if (!(z > 1e-6 * norm(view_.eye - view_.target))) return std::nullopt;
  const double half = 0.5 * height_ / (tangent_ * z);
  return std::array{0.5 * width_ + half * dot(d, axes_.right), 0.5 * height_ - half * dot(d, axes_.up)};
}

Vec3d ScreenMap::on_camera_plane(double x, double y, const Vec3d& through) const {
  const Ray r = ray(x, y);
  return r.at(depth(through) / -dot(r.direction, axes_.back));
}

double ScreenMap::meters_per_pixel(const Vec3d& at) const {
  return 2.0 * tangent_ * std::abs(depth(at)) / height_;
}

}  // namespace sinew::viewer
