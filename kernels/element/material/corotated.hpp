// Corotated linear elasticity: psi(F) = mu |F - R|^2 + lambda/2 tr(R^T F - I)^2, R the rotation of the polar
// decomposition (Müller and Gross 2004; Sifakis and Barbic 2012, section 3.4). Linear in the stretches:
// cheap, but volume is kept to first order only, and nothing prevents inversion.
#pragma once

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/small_matrix/polar.hpp"

namespace sinew {

struct Corotated {
  static constexpr const char* kName = "corotated";
  template <class S>
  using Params = ElasticParameters<S>;

  /// P = 2 mu (F - R) + lambda tr(R^T F - I) R; R^T dR is skew, so R may be held fixed in the derivative.
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat3<T>& f, Mat3<T>& stress) {
    const Mat3<T> r = polar_rotation(f);
    const Mat3<T> difference = f - r;
    const T tr = double_dot(r, difference);
    stress = T(S(2) * p.shear_modulus) * difference + (p.first_lame * tr) * r;
    return p.shear_modulus * double_dot(difference, difference) + (S(0.5) * p.first_lame) * (tr * tr);
  }
};

}  // namespace sinew
