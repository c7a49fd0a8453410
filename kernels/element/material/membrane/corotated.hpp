// Corotated membrane: psi(F) = mu |F - R|^2 + lambda_ps/2 (s1 + s2 - 2)^2, s the stretches.
#pragma once

#include "kernels/element/material/membrane/plane_stress.hpp"
#include "kernels/element/material/membrane/stretches.hpp"

namespace sinew {

struct MembraneCorotated {
  static constexpr const char* kName = "corotated";
  template <class S>
  using Params = ElasticParameters<S>;

  /// P = 2 mu (F - R) + lambda_ps (s1 + s2 - 2) R, s1 + s2 - 2 = R : (F - R).
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat32<T>& f, Mat32<T>& stress) {
    const S lambda = plane_stress_lame(p);
    const Mat32<T> r = membrane_rotation(f, membrane_invariants_of(f));
    const Mat32<T> difference = f - r;
    const T tr = double_dot(r, difference);
    stress = T(S(2) * p.shear_modulus) * difference + (lambda * tr) * r;
    return p.shear_modulus * double_dot(difference, difference) + (S(0.5) * lambda) * (tr * tr);
  }

  template <class S>
  SINEW_HD static MembraneStretchDerivatives<S> stretch_derivatives(const Params<S>& p, S s1, S s2) {
    return detail::corotated_stretches(p.shear_modulus, plane_stress_lame(p), s1, s2);
  }

  template <class S>
  SINEW_HD static Mat32<S> projection(const Params<S>& p, const Mat32<S>& f, S weight) {
    return project_corotated_membrane(p.shear_modulus, plane_stress_lame(p), f, weight);
  }
};

}  // namespace sinew
