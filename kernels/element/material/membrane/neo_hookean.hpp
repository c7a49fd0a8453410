// Neo-Hookean membrane: psi = mu/2 (i - 2 - 2 ln J) + lambda_ps/2 (ln J)^2 for J >= kLeastRatio; below, the
// function of J continues as its own second-order Taylor polynomial. A collapsed triangle then has a finite
// energy with a negative slope in J: it is pushed open.
#pragma once

#include "kernels/element/material/membrane/plane_stress.hpp"
#include "kernels/element/material/membrane/stretches.hpp"

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

  template <class S>
  SINEW_HD static MembraneStretchDerivatives<S> stretch_derivatives(const Params<S>& p, S s1, S s2) {
    const S mu = p.shear_modulus, lambda = plane_stress_lame(p), least = kLeastRatio<S>;
    const S j = s1 * s2, held = j < least ? least : j;
    const S ln = log(held), inverse = S(1) / held;
    const S curvature = (mu + lambda * (S(1) - ln)) * (inverse * inverse);
    const S slope = (lambda * ln - mu) * inverse + curvature * (j - held);
    MembraneStretchDerivatives<S> r;
    r.gradient[0] = mu * s1 + slope * s2;
    r.gradient[1] = mu * s2 + slope * s1;
    r.hessian[0] = mu + curvature * s2 * s2;
    r.hessian[1] = mu + curvature * s1 * s1;
    r.hessian[2] = slope + curvature * j;
    r.flip = mu - slope;
    r.twist = mu + slope;
    r.bend[0] = detail::over_stretch(r.gradient[0], s1);
    r.bend[1] = detail::over_stretch(r.gradient[1], s2);
    return r;
  }

  template <class S>
  SINEW_HD static Mat32<S> projection(const Params<S>& p, const Mat32<S>& f, S weight) {
    return project_by_stretches<MembraneNeoHookean>(p, f, weight);
  }
};

}  // namespace sinew
