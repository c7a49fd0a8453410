// Neo-Hookean with logarithmic barrier (Bonet and Wood, "Nonlinear Continuum Mechanics for Finite Element
// Analysis", Eq. 6.27; the energy of Incremental Potential Contact, Li et al. 2020):
//   psi = mu/2 (I1 - 3 - 2 ln J) + lambda/2 (ln J)^2          for J >= kLeastRatio.
// Below, the function of J continues as its own second-order Taylor polynomial, so that flat and inverted
// elements have a finite energy that pushes them open, and I1 as expelled_first_invariant().
#pragma once

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/material/invariants.hpp"

namespace sinew {

struct NeoHookean {
  static constexpr const char* kName = "neo_hookean";
  template <class S>
  using Params = ElasticParameters<S>;

  /// P = mu phi'(I1) F + g'(J) cof F, g(J) = -mu ln J + lambda/2 (ln J)^2.
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat3<T>& f, Mat3<T>& stress) {
    const S mu = p.shear_modulus, lambda = p.first_lame, least = kLeastRatio<S>;
    const Invariants<T> v = invariants_of(f);
    const T ln = log_ratio(v);
    const T below = select(v.j < T(least), v.j - least, T(S(0)));  // J - J0 where J < J0
    const T inverse = S(1) / select(v.j < T(least), T(least), v.j);
    const T slope = (lambda * ln - mu) * inverse;                           // g' at max(J, J0)
    const T curvature = (mu + lambda * (S(1) - ln)) * (inverse * inverse);  // g''
    T phi_slope;
    const T phi = expelled_first_invariant(v.i1, phi_slope);
    stress = (mu * phi_slope) * f + (slope + curvature * below) * v.cofactor;
    // I1 - 3 - 2 ln J, near rest without its terms of first order: ((J^2 - 1) - ln J^2) - (4 II + 8 det E).
    const T distortion =
        select(v.near_rest, (v.j2_minus_one - S(2) * ln) - v.second, (phi - S(3)) - S(2) * ln);
    return (S(0.5) * mu) * distortion + (S(0.5) * lambda) * (ln * ln) +
           below * (slope + S(0.5) * curvature * below);
  }
};

}  // namespace sinew
