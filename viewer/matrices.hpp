// Matrices of camera and lights, for positions about the view's target.
#pragma once

#include <array>

#include "viewer/renderer.hpp"

namespace sinew::viewer {

std::array<float, 3> to_float(const Vec3d& v);
std::array<float, 9> to_float(const Mat3d& m);  ///< row-major

/// To clip space; row-major.
std::array<float, 16> clip_matrix(const View& view, double aspect);

/// Position -> [-1, 1]^3 of a depth map that looks along -direction, about the shift; row-major.
std::array<float, 9> light_matrix(const Vec3d& direction, double radius);

/// What moves the casters' ball into [-1, 1]^3: its centre in the light's coordinates, in steps of a share of
/// the radius that is a whole number of texels: shadows must not shimmer.
std::array<float, 3> light_shift(const std::array<float, 9>& matrix, const Vec3d& center);

/// Spacing [m] of the ground's grid: a power of ten, about ten to a hundred lines across the picture.
double grid_spacing(const View& view);

}  // namespace sinew::viewer
