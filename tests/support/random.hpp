// Repeatable random numbers for tests; the same on every platform.
#pragma once

#include <cstdint>

#include <sinew/base/mat3.hpp>

namespace sinew::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
  /// Uniform in [low, high).
  double uniform(double low = -1.0, double high = 1.0) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return low + (high - low) * static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }
  Vec3d vector(double size = 1.0) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Mat3d matrix(double size = 1.0) { return Mat3d::columns(vector(size), vector(size), vector(size)); }
  Mat3d rotation() { return rotation_from_vector(vector(3.0)); }

 private:
  std::uint64_t state_;
};

}  // namespace sinew::test
