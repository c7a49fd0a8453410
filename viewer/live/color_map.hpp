// The colour map of values: dark violet over green to yellow, with evenly growing lightness, so that equal
// steps of a value look equally large, in print and to people who do not see all colours.
#pragma once

#include <array>

#include <sinew/base/vec3.hpp>

namespace sinew::viewer {

inline constexpr int kColorMapSize = 256;

/// Linear RGB of a value mapped to [0, 1]; clamped, grey where not finite.
Vec3d color_of(double t);

/// Linear RGB to what a screen is given (sRGB), for legends and swatches.
Vec3d display_color(const Vec3d& linear);

/// Linear RGB at (i + 1/2) / kColorMapSize.
const std::array<std::array<float, 3>, kColorMapSize>& color_table();

}  // namespace sinew::viewer
