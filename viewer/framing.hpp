// Where the camera stands, and how far light and shadow reach.
#pragma once

#include "viewer/renderer.hpp"

namespace sinew::viewer {

/// See Renderer::frame_scene(). Never gives a value that is not finite.
View frame_view(const RenderFrame& frame, const CameraSpec& wishes, double aspect);

/// The view made usable: finite, eye apart from target, field of view in [1, 150] degrees.
View sound_view(const View& view);

/// Right, up and backward axes (unit) of the camera; world z is up where that is possible.
struct CameraAxes {
  Vec3d right, up, back;
};
CameraAxes camera_axes(const View& view);

/// Unit vector towards the key light: over the camera's left shoulder, so that shadows fall to the right and
/// away from the viewer.
Vec3d key_light_direction(const View& view);

/// Ball that holds what casts visible shadows, in steps: shadows must not shimmer from frame to frame.
struct CasterBall {
  Vec3d center;  ///< [m], about the view's target
  double radius = 1.0;
};
CasterBall caster_ball(const RenderFrame& frame, const View& view, double aspect);

}  // namespace sinew::viewer
