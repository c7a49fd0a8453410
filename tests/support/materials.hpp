// States of deformation that every material is tried in, and derivatives by differences.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sinew/base/mat32.hpp>

#include "kernels/element/material/material_list.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/random.hpp"

namespace sinew::test {

using Parameters = ElasticParameters<double>;

struct State {
  std::string name;
  Mat3d f;
};

/// Away from the kinks of the polar rotation (s_2 + s_3 = 0) and from the joint at J = kLeastRatio.
inline std::vector<State> states() {
  Random random(11);
  std::vector<State> s{{"rest", Mat3d::identity()},
                       {"rotated", random.rotation()},
                       {"stretched", Mat3d::diagonal(1.8, 1.3, 0.9)},
                       {"pressed", Mat3d::diagonal(0.7, 0.8, 1.1)},
                       {"equal stretches", Mat3d::diagonal(1.4, 0.8, 0.8)},
                       {"swollen", 1.6 * Mat3d::identity()},
                       {"inverted", Mat3d::diagonal(1.2, 0.9, -0.5)},
                       {"inverted, strain of a small one", Mat3d::diagonal(1.15, 1.1, -0.85)},
                       {"nearly flat", Mat3d::diagonal(1.3, 0.8, 1e-2)},
                       {"nearly flat, inverted", Mat3d::diagonal(1.2, 0.9, -1e-2)},
                       {"small", Mat3d::diagonal(0.5, 0.35, 0.3)}};
  Mat3d shear = Mat3d::identity();
  shear(0, 1) = 0.8;
  shear(2, 0) = -0.3;
  s.push_back({"sheared", shear});
  const std::size_t plain = s.size();
  for (std::size_t i = 2; i < plain; ++i)
    s.push_back({"rotated, " + s[i].name, random.rotation() * s[i].f * random.rotation()});
  for (int i = 0; i < 10; ++i) s.push_back({"random", Mat3d::identity() + random.matrix(0.3)});
  return s;
}

template <class M>
double energy(const Parameters& p, const Mat3d& f) {
  Mat3d stress;
  return M::energy_and_stress(p, f, stress);
}
template <class M>
Mat3d stress(const Parameters& p, const Mat3d& f) {
  Mat3d result;
  M::energy_and_stress(p, f, result);
  return result;
}

template <class M>
double energy(const Parameters& p, const Mat32d& f) {
  Mat32d stress;
  return M::energy_and_stress(p, f, stress);
}
template <class M>
Mat32d stress(const Parameters& p, const Mat32d& f) {
  Mat32d result;
  M::energy_and_stress(p, f, result);
  return result;
}

inline double frobenius(const Mat32d& a) {
  return std::sqrt(double_dot(a, a));
}

/// lambda as the material sees it: ARAP has none.
template <class M>
double lame_of(const Parameters& p) {
  return std::string(M::kName) == "arap" ? 0.0 : p.first_lame;
}

}  // namespace sinew::test
