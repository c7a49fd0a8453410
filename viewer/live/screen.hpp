// Between pixels and space: rays under the cursor, places in the picture, dragging parallel to the picture.
// Pixels count from the upper left corner, x to the right and y down; the middle of the first is (0.5, 0.5).
#pragma once

#include <array>
#include <optional>

#include "viewer/framing.hpp"
#include "viewer/renderer.hpp"

namespace sinew::viewer {

struct Ray {
  Vec3d origin;     ///< [m]
  Vec3d direction;  ///< unit
  Vec3d at(double distance) const { return origin + distance * direction; }
};

/// The map of one view in one picture.
class ScreenMap {
 public:
  ScreenMap(const View& view, double width, double height);  ///< [pixel], of the window or of its framebuffer

  const View& view() const { return view_; }
  double width() const { return width_; }
  double height() const { return height_; }

  /// From the eye through a place in the picture.
  Ray ray(double x, double y) const;
  /// Place in the picture, perhaps outside of its borders; empty behind the eye.
  std::optional<std::array<double, 2>> project(const Vec3d& point) const;
  /// Distance [m] of a point from the eye along the view's axis; negative behind the eye.
  double depth(const Vec3d& point) const;
  /// The place under a pixel in the plane through a point parallel to the picture.
  Vec3d on_camera_plane(double x, double y, const Vec3d& through) const;
  /// Size of a pixel [m] at the depth of a point.
  double meters_per_pixel(const Vec3d& at) const;

 private:
  View view_;
  CameraAxes axes_;
  double width_, height_;
  double tangent_;  ///< of half the vertical field of view
};

}  // namespace sinew::viewer
