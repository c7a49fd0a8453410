// Lines, arrows and points as triangles of constant width in the picture.
#pragma once

#include <vector>

#include "viewer/live/live_frame.hpp"
#include "viewer/renderer.hpp"

namespace sinew::viewer {

/// As the graphics card reads it.
struct OverlayVertex {
  float clip[4];
  float color[3];  ///< as shown (sRGB)
  float shape[4];  ///< [pixel] place in the stroke (2), radius, rim
};

/// Three vertices a triangle: lines with round ends, arrows as a shaft and a head, points as discs with a
/// white rim. Parts behind the eye and what is not finite are left out.
std::vector<OverlayVertex> overlay_triangles(const LiveFrame& frame, const View& view, int width, int height);

}  // namespace sinew::viewer
