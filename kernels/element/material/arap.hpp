// As-rigid-as-possible: psi(F) = mu |F - R(F)|^2, R the rotation of the polar decomposition, det R = +1.
// Small strains: mu |eps|^2 * 2 / 2, that is Hooke's law with lambda = 0: it knows no Poisson ratio beyond
// mu.
#pragma once

#include <sinew/base/mat3.hpp>

#include "kernels/element/small_matrix/polar.hpp"

namespace sinew {

struct Arap {
  static constexpr const char* kName = "arap";

  template <class T>
  struct Params {
    T shear_modulus;  ///< mu [Pa], > 0
    T first_lame;     ///< lambda [Pa], unused
  };

  /// psi(F) [J/m^3] and P = d psi / dF [Pa] (first Piola-Kirchhoff); zero at every rotation.
  /// d|F - R|^2 = 2 (F - R) : dF, because R^T dR is skew and R^T F symmetric.
  template <class T>
  SINEW_HD static T energy_and_stress(const Params<T>& p, const Mat3<T>& f, Mat3<T>& stress) {
    const Mat3<T> difference = f - polar_rotation(f);
    stress = (T(2) * p.shear_modulus) * difference;
    return p.shear_modulus * double_dot(difference, difference);
  }
};

}  // namespace sinew
