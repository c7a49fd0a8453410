// Colours of bodies without one of their own: pictures and the window show the same.
#pragma once

#include <cstddef>

#include <sinew/base/mat3.hpp>

namespace sinew::viewer {

/// Colours that stay apart also for colour-blind eyes (after Okabe and Ito 2008), linear RGB.
inline Vec3d body_color(std::size_t body) {
  constexpr Vec3d kColors[] = {{0.80, 0.35, 0.10}, {0.10, 0.45, 0.70}, {0.05, 0.45, 0.28},
                               {0.85, 0.60, 0.10}, {0.60, 0.25, 0.45}, {0.35, 0.62, 0.82}};
  return kColors[body % (sizeof kColors / sizeof kColors[0])];
}

}  // namespace sinew::viewer
