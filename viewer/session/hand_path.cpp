#include "viewer/session/hand_path.hpp"

#include <array>
#include <cmath>

namespace sinew::viewer {

namespace {
using Quaternion = std::array<double, 4>;  // w, x, y, z

/// The largest of the four components is found first, so that no small number is divided by.
Quaternion quaternion_of(const Mat3d& r) {
  const double trace = r(0, 0) + r(1, 1) + r(2, 2);
  if (trace > 0.0) {
    const double s = 2.0 * std::sqrt(1.0 + trace);
    return {s / 4.0, (r(2, 1) - r(1, 2)) / s, (r(0, 2) - r(2, 0)) / s, (r(1, 0) - r(0, 1)) / s};
  }
  const int i = r(1, 1) > r(0, 0) ? (r(2, 2) > r(1, 1) ? 2 : 1) : (r(2, 2) > r(0, 0) ? 2 : 0);
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const double s = 2.0 * std::sqrt(1.0 + r(i, i) - r(j, j) - r(k, k));
  Quaternion q{};
  q[0] = (r(k, j) - r(j, k)) / s;
  q[static_cast<std::size_t>(1 + i)] = s / 4.0;
  q[static_cast<std::size_t>(1 + j)] = (r(j, i) + r(i, j)) / s;
  q[static_cast<std::size_t>(1 + k)] = (r(k, i) + r(i, k)) / s;
  return q;
}

Mat3d rotation_of(const Quaternion& given) {
  double length = 0.0;
  for (const double c : given) length += c * c;
  length = std::sqrt(length);
  const double w = given[0] / length, x = given[1] / length, y = given[2] / length, z = given[3] / length;
  Mat3d r;
  r(0, 0) = 1.0 - 2.0 * (y * y + z * z);
  r(0, 1) = 2.0 * (x * y - w * z);
  r(0, 2) = 2.0 * (x * z + w * y);
  r(1, 0) = 2.0 * (x * y + w * z);
  r(1, 1) = 1.0 - 2.0 * (x * x + z * z);
  r(1, 2) = 2.0 * (y * z - w * x);
  r(2, 0) = 2.0 * (x * z - w * y);
  r(2, 1) = 2.0 * (y * z + w * x);
  r(2, 2) = 1.0 - 2.0 * (x * x + y * y);
  return r;
}
}  // namespace

HoldingHand::HoldingHand(const Vec3d& hand, const Vec3d& point) : path_(hand), at_(hand) {
  if (norm(point - hand) <= kNothing) return;
  at_ = point;
  behind_ = point - hand;
  left_ = kCatchUp;
}

Vec3d HoldingHand::advance(double time_step) {
  if (left_ <= time_step * (1.0 + 1e-6)) {
    behind_ = {};
    left_ = 0.0;
  } else {
    behind_ = (1.0 - time_step / left_) * behind_;
    left_ -= time_step;
  }
  at_ = path_.advance(time_step) + behind_;
  return at_;
}

Vec3d between(const Vec3d& a, const Vec3d& b, double fraction) {
  return fraction >= 1.0 ? b : a + fraction * (b - a);
}

// Spherical interpolation of quaternions (Shoemake, Animating rotation with quaternion curves, 1985).
Pose between(const Pose& a, const Pose& b, double fraction) {
  if (fraction >= 1.0) return b;
  const Quaternion p = quaternion_of(a.rotation);
  Quaternion q = quaternion_of(b.rotation);
  double cosine = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
  if (cosine < 0.0) {
    cosine = -cosine;
    for (double& c : q) c = -c;
  }
  double from = 1.0 - fraction, to = fraction;
  if (cosine < 1.0 - 1e-9) {
    const double angle = std::acos(cosine);
    from = std::sin(from * angle) / std::sin(angle);
    to = std::sin(to * angle) / std::sin(angle);
  }
  Quaternion mixed{};
  for (std::size_t i = 0; i < 4; ++i) mixed[i] = from * p[i] + to * q[i];
  return {rotation_of(mixed), between(a.translation, b.translation, fraction)};
}

}  // namespace sinew::viewer
