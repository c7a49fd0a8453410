// Perspective of the camera, parallel projection of the lights.
#include "viewer/matrices.hpp"

#include <cmath>
#include <numbers>

#include "viewer/framing.hpp"

namespace sinew::viewer {
namespace {

constexpr double kShiftStep = 1.0 / 16;  // a whole number of texels in all depth maps

double tangent_of_half_fov(const View& view) {
  return std::tan(0.5 * view.vertical_fov_deg * std::numbers::pi / 180.0);
}

}  // namespace

std::array<float, 3> to_float(const Vec3d& v) {
  return {float(v.x), float(v.y), float(v.z)};
}

std::array<float, 9> to_float(const Mat3d& m) {
  std::array<float, 9> out{};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) out[std::size_t(3 * r + c)] = float(m.row(r)[c]);
  return out;
}

std::array<float, 16> clip_matrix(const View& view, double aspect) {
  const CameraAxes axes = camera_axes(view);
  const Vec3d eye = view.eye - view.target;
  const double distance = norm(eye), near = 0.02 * distance, far = 400.0 * distance;
  const double f = 1.0 / tangent_of_half_fov(view);
  const double a = (far + near) / (near - far), b = 2.0 * far * near / (near - far);
  std::array<float, 16> m{};
  const auto row = [&](int r, const Vec3d& axis, double scale, double extra) {
    for (int i = 0; i < 3; ++i) m[std::size_t(4 * r + i)] = float(scale * axis[i]);
    m[std::size_t(4 * r + 3)] = float(-scale * dot(axis, eye) + extra);
  };
  row(0, axes.right, f / aspect, 0.0);
  row(1, axes.up, f, 0.0);
  row(2, axes.back, a, b);
  row(3, axes.back, -1.0, 0.0);
  return m;
}

std::array<float, 9> light_matrix(const Vec3d& direction, double radius) {
  const Vec3d aside = std::abs(direction.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
  const Vec3d u = normalized(cross(aside, direction)), v = cross(direction, u);
  std::array<float, 9> m{};
  for (int i = 0; i < 3; ++i) {
    m[std::size_t(i)] = float(u[i] / radius);
    m[std::size_t(3 + i)] = float(v[i] / radius);
    m[std::size_t(6 + i)] = float(-direction[i] / radius);
  }
  return m;
}

std::array<float, 3> light_shift(const std::array<float, 9>& matrix, const Vec3d& center) {
  std::array<float, 3> shift{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = matrix[3 * i] * center.x + matrix[3 * i + 1] * center.y + matrix[3 * i + 2] * center.z;
    shift[i] = float(kShiftStep * std::round(x / kShiftStep));
  }
  return shift;
}

double grid_spacing(const View& view) {
  const double height = 2.0 * norm(view.eye - view.target) * tangent_of_half_fov(view);
  return std::pow(10.0, std::floor(std::log10(height) - 0.75 + 1e-9));
}

}  // namespace sinew::viewer
