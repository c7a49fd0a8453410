// Neo-Hookean membrane: psi = mu/2 (i - 2 - 2 ln J) + lambda_ps/2 (ln J)^2 for J >= kLeastRatio; below, the
// function of J continues as its own second-order Taylor polynomial. A collapsed triangle then has a finite
// energy with a negative slope in J: it is pushed open.
#pragma once

#include "kernels/element/material/membrane/plane_stress.hpp"

namespace sinew {

struct MembraneNeoHookean {
  static constexpr const char* kName = "neo_hookean";
  template <class S>
  using Params = ElasticParameters<S>;

  /// P = mu F + g'(J) N, g(J) = -mu ln J + lambda_ps/2 (ln J)^2.
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat32<T>& f, Mat32<T>& stress) {
    const S mu = p.shear_modulus, lambda = plane_stress_lame(p), least = kLeastRatio<S>;
    const MembraneInvariants<T> v = membrane_invariants_of(f);
    const auto low = v.j < T(least);
    const T ln = log1p(select(low, T(least - S(1)), v.j_minus_one));
    const T below = select(low, v.j - least, T(S(0)));  // J - J0 where J < J0
    const T inverse = S(1) / select(low, T(least), v.j);
    const T slope = (lambda * ln - mu) * inverse;                           // g' at max(J, J0)
    const T curvature = (mu + lambda * (S(1) - ln)) * (inverse * inverse);  // g''
    stress = T(mu) * f + (slope + curvature * below) * v.n;
    // i - 2 - 2 ln J, near rest without its terms of first order: ((J^2 - 1) - ln J^2) - 4 det E.
    const T distortion =
        select(v.near_rest, (v.j2_minus_one - S(2) * ln) - v.second, (v.i - S(2)) - S(2) * ln);
    return (S(0.5) * mu) * distortion + (S(0.5) * lambda) * (ln * ln) +
           below * (slope + S(0.5) * curvature * below);
  }
};

}  // namespace sinew
