// Central differences, fourth order: the yardstick of every gradient.
#pragma once

#include <sinew/base/mat3.hpp>

namespace sinew::test {

/// d f / d a_ij by the five-point stencil: error O(step^4).
template <class F>
Mat3d gradient(const F& f, const Mat3d& a, double step = 1e-3) {
  Mat3d g;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const auto at = [&](double t) {
        Mat3d b = a;
        b(i, j) += t;
        return f(b);
      };
      g(i, j) = (8.0 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12.0 * step);
    }
  }
  return g;
}

inline double frobenius(const Mat3d& a) {
  return std::sqrt(double_dot(a, a));
}

}  // namespace sinew::test
