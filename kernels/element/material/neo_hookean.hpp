// Neo-Hookean with logarithmic barrier (Bonet and Wood, "Nonlinear Continuum Mechanics for Finite Element
// Analysis", Eq. 6.27; the energy of Incremental Potential Contact, Li et al. 2020):
//   psi = mu/2 (I1 - 3 - 2 ln J) + lambda/2 (ln J)^2          for J >= kLeastRatio.
// Below, the function of J continues as its own second-order Taylor polynomial, so that flat and inverted
// elements have a finite energy that pushes them open, and I1 as expelled_first_invariant().
#pragma once

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/material/invariants.hpp"
#include "kernels/element/material/projection.hpp"
#include "kernels/element/material/stretches.hpp"

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

  template <class S>
  SINEW_HD static StretchDerivatives<S> stretch_derivatives(const Params<S>& p, const Vec3<S>& s) {
    const S mu = p.shear_modulus, lambda = p.first_lame, least = kLeastRatio<S>;
    const S j = s.x * s.y * s.z, held = j < least ? least : j;
    const S ln = log(held), inverse = S(1) / held;
    S phi_slope, phi_curvature;
    expelled_first_invariant(squared_norm(s), phi_slope, phi_curvature);
    InvariantDerivatives<S> d;
    d.i1 = S(0.5) * mu * phi_slope;
    d.i1i1 = S(0.5) * mu * phi_curvature;
    d.jj = (mu + lambda * (S(1) - ln)) * (inverse * inverse);
    d.j = (lambda * ln - mu) * inverse + d.jj * (j - held);
    return stretch_derivatives_of(d, s);
  }

  template <class S>
  SINEW_HD static Mat3<S> projection(const Params<S>& p, const Mat3<S>& f, S weight) {
    return project_by_stretches<NeoHookean>(p, f, weight);
  }
};

}  // namespace sinew
