// As-rigid-as-possible: psi(F) = mu |F - R(F)|^2, R the rotation of the polar decomposition, det R = +1.
// Small strains: Hooke's law with mu and lambda = 0: it knows no Poisson ratio beyond mu.
#pragma once

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/material/stretches.hpp"
#include "kernels/element/small_matrix/polar.hpp"

namespace sinew {

struct Arap {
  static constexpr const char* kName = "arap";
  template <class S>
  using Params = ElasticParameters<S>;  ///< lambda is not used

  /// psi(F) [J/m^3] and P = d psi / dF [Pa] (first Piola-Kirchhoff); zero at every rotation.
  /// d|F - R|^2 = 2 (F - R) : dF, because R^T dR is skew and R^T F symmetric.
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat3<T>& f, Mat3<T>& stress) {
    const Mat3<T> difference = f - polar_rotation(f);
    stress = T(S(2) * p.shear_modulus) * difference;
    return p.shear_modulus * double_dot(difference, difference);
  }

  template <class S>
  SINEW_HD static StretchDerivatives<S> stretch_derivatives(const Params<S>& p, const Vec3<S>& s) {
    StretchDerivatives<S> r;
    add_rotation_distance(p.shear_modulus, s, r);
    return r;
  }

  /// argmin w/2 |P - F|^2 + psi(P) = (w F + 2 mu R) / (w + 2 mu): R(P) = R(F), because every stretch moves
  /// towards 1 and none past it.
  template <class S>
  SINEW_HD static Mat3<S> projection(const Params<S>& p, const Mat3<S>& f, S weight) {
    const S mu2 = S(2) * p.shear_modulus;
    return (S(1) / (weight + mu2)) * (weight * f + mu2 * polar_rotation(f));
  }
};

}  // namespace sinew
