// Random values, meshes and places that scenes are made of.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include <sinew/model.hpp>

#include "tests/support/random.hpp"

namespace sinew::test {

class Dice : public Random {
 public:
  explicit Dice(std::uint64_t seed) : Random(seed + 1) {
    for (int i = 0; i < 8; ++i) uniform();  // near seeds start alike
  }
  double log_uniform(double low, double high) { return low * std::pow(high / low, uniform(0.0, 1.0)); }
  /// In [0, n).
  int pick(int n) { return static_cast<int>(uniform(0.0, n)); }
  bool chance(double p) { return uniform(0.0, 1.0) < p; }
  Vec3d direction() {
    const Vec3d v = vector();
    return norm(v) > 1e-3 ? normalized(v) : Vec3d{0.0, 0.0, 1.0};
  }
  /// Any direction, a length in [low, high].
  Vec3d arrow(double low, double high) {
    const double length = log_uniform(low, high);
    return length * direction();
  }
  /// Any, or one that keeps faces, edges and corners of blocks aligned.
  Mat3d orientation() {
    switch (pick(4)) {
      case 0:
        return rotation();
      case 1: {
        Vec3d turn{};
        const int axis = pick(3);
        turn[axis] = 0.25 * std::numbers::pi * pick(8);
        return rotation_from_vector(turn);
      }
      default:
        return Mat3d::identity();
    }
  }
};

/// A body of about the given size [m] at the origin, without a place yet.
BodySpec random_body(Dice& dice, const std::string& name, double size, std::string& text);
/// An obstacle of about the given size [m] at the origin.
ObstacleSpec random_obstacle(Dice& dice, const std::string& name, double size, std::string& text);
/// Speeds up to `fastest` [m/s].
Motion random_motion(Dice& dice, double size, double fastest);

}  // namespace sinew::test
