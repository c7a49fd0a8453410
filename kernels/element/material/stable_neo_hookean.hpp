// Stable Neo-Hookean: Smith, de Goes, Kim, "Stable Neo-Hookean Flesh Simulation", 2018, Eq. 14:
//   psi = mu'/2 (I_C - 3) + lambda'/2 (J - alpha)^2 - mu'/2 ln(I_C + 1) - psi(I),
//   alpha = 1 + mu'/lambda' - mu'/(4 lambda'),
// with mu' = 4/3 mu, lambda' = lambda + 5/6 mu so that small strains obey Hooke's law with mu, lambda
// (sec. 3.4). Finite for inverted and flattened elements. The constant makes the energy at rest zero.
#pragma once

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/material/invariants.hpp"
#include "kernels/element/material/projection.hpp"
#include "kernels/element/material/stretches.hpp"

namespace sinew {

struct StableNeoHookean {
  static constexpr const char* kName = "stable_neo_hookean";
  template <class S>
  using Params = ElasticParameters<S>;

  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat3<T>& f, Mat3<T>& stress) {
    const S mu = p.shear_modulus * S(4) / S(3);
    const S lambda = p.first_lame + p.shear_modulus * S(5) / S(6);
    const S ratio = S(0.75) * mu / lambda;  // alpha - 1
    const Invariants<T> v = invariants_of(f);
    const T d = v.j_minus_one;
    stress = (mu * (S(1) - S(1) / (v.i1 + S(1)))) * f + (lambda * (d - ratio)) * v.cofactor;
    // With x = I_C - 3, d = J - 1: mu'/2 (3/4 x - 3/2 d) + mu'/2 (x/4 - ln(1 + x/4)) + lambda'/2 d^2, where
    // near rest x = (J^2 - 1) - second, so that 3/4 x - 3/2 d = 3/4 (d^2 - second) has no first order left.
    const T x = select(v.near_rest, v.j2_minus_one - v.second, v.i1 - S(3)) * S(0.25);
    const T first = select(v.near_rest, d * d - v.second, S(4) * x - S(2) * d);
    return (S(0.5) * mu) * (S(0.75) * first + (x - log1p(x))) + (S(0.5) * lambda) * (d * d);
  }

  template <class S>
  SINEW_HD static StretchDerivatives<S> stretch_derivatives(const Params<S>& p, const Vec3<S>& s) {
    const S mu = p.shear_modulus * S(4) / S(3);
    const S lambda = p.first_lame + p.shear_modulus * S(5) / S(6);
    const S inverse = S(1) / (squared_norm(s) + S(1));
    InvariantDerivatives<S> d;
    d.i1 = S(0.5) * mu * (S(1) - inverse);
    d.i1i1 = S(0.5) * mu * inverse * inverse;
    d.j = lambda * (s.x * s.y * s.z - S(1)) - S(0.75) * mu;
    d.jj = lambda;
    return stretch_derivatives_of(d, s);
  }

  template <class S>
  SINEW_HD static Mat3<S> projection(const Params<S>& p, const Mat3<S>& f, S weight) {
    return project_by_stretches<StableNeoHookean>(p, f, weight);
  }
};

}  // namespace sinew
