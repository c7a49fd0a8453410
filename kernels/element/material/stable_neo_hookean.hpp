// Stable Neo-Hookean: Smith, de Goes, Kim, "Stable Neo-Hookean Flesh Simulation", 2018, Eq. 14:
//   psi = mu'/2 (I_C - 3) + lambda'/2 (J - alpha)^2 - mu'/2 ln(I_C + 1) - psi(I),
//   alpha = 1 + mu'/lambda' - mu'/(4 lambda'),
// with mu' = 4/3 mu, lambda' = lambda + 5/6 mu so that small strains obey Hooke's law with mu, lambda
// (sec. 3.4). Finite for inverted and flattened elements. The constant makes the energy at rest zero.
#pragma once

#include <sinew/base/mat3.hpp>

namespace sinew {

struct StableNeoHookean {
  static constexpr const char* kName = "stable_neo_hookean";

  template <class T>
  struct Params {
    T shear_modulus;  ///< mu [Pa], > 0
    T first_lame;     ///< lambda [Pa], >= 0
  };

  template <class T>
  SINEW_HD static T energy_and_stress(const Params<T>& p, const Mat3<T>& f, Mat3<T>& stress) {
    using std::log1p;
    const T mu = p.shear_modulus * T(4) / T(3);
    const T lambda = p.first_lame + p.shear_modulus * T(5) / T(6);
    const T ratio = T(0.75) * mu / lambda;  // alpha - 1
    const T i_c = double_dot(f, f);
    const Mat3<T> c = cofactor(f);
    const T j = dot(f.row(0), c.row(0));
    const T volumetric = j - T(1) - ratio;
    stress = (mu * (T(1) - T(1) / (i_c + T(1)))) * f + (lambda * volumetric) * c;
    // ln((I_C + 1) / 4) by log1p and the quadratic relative to rest: full precision near rest.
    const T x = i_c - T(3);
    return T(0.5) * mu * (x - log1p(x / T(4))) +
           T(0.5) * lambda * ((j - T(1)) * (j - T(1)) - T(2) * ratio * (j - T(1)));
  }
};

}  // namespace sinew
