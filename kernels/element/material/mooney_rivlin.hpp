// Mooney-Rivlin for rubber, isochoric invariants plus a bulk term (Simo and Taylor 1991 for the split):
//   psi = mu/2 ((1 - r) (J^(-2/3) I1 - 3) + r (J^(-4/3) I2 - 3)) + kappa/4 (J^2 - 1 - 2 ln J),
// kappa = lambda + 2/3 mu, I2 = |cof F|^2, r = mooney_ratio. In Rivlin's constants C10 = (1 - r) mu/2 and
// C01 = r mu/2; r = 0.2 (the default) is C10 = 4 C01. Below J = kLeastRatio the three functions of J continue
// as their own second-order Taylor polynomials and I1 as expelled_first_invariant().
#pragma once

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/material/invariants.hpp"

namespace sinew {

struct MooneyRivlin {
  static constexpr const char* kName = "mooney_rivlin";
  template <class S>
  using Params = ElasticParameters<S>;

  /// P = 2 psi_1 phi'(I1) F + psi_2 dI2/dF + psi_J cof F, dI2/dF = 2 (I1 F - F F^T F).
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat3<T>& f, Mat3<T>& stress) {
    const S m1 = S(0.5) * p.shear_modulus * (S(1) - p.mooney_ratio);
    const S m2 = S(0.5) * p.shear_modulus * p.mooney_ratio;
    const S bulk = S(0.25) * (p.first_lame + p.shear_modulus * S(2) / S(3));
    const S least = kLeastRatio<S>;
    const Invariants<T> v = invariants_of(f);
    const T ratio = select(v.j < T(least), T(least), v.j);         // J, at least J0
    const T below = select(v.j < T(least), v.j - least, T(S(0)));  // J - J0 where J < J0
    const T inverse = S(1) / ratio;
    const T root = cbrt(ratio);
    const T c = root * root;          // J^(2/3)
    const T a = S(1) / c, b = a * a;  // J^(-2/3), J^(-4/3)
    const T ln = log_ratio(v);

    // First and second derivative of J^(-2/3), J^(-4/3) and J^2 - 1 - 2 ln J at max(J, J0), and the values
    // there and at J by their Taylor polynomials.
    const T inverse2 = inverse * inverse;
    const T a1 = S(-2) / S(3) * (a * inverse), a2 = S(10) / S(9) * (a * inverse2);
    const T b1 = S(-4) / S(3) * (b * inverse), b2 = S(28) / S(9) * (b * inverse2);
    const T k1 = S(2) * (ratio - inverse), k2 = S(2) + S(2) * inverse2;
    const T a_at = a + below * (a1 + S(0.5) * a2 * below), a_slope = a1 + a2 * below;
    const T b_at = b + below * (b1 + S(0.5) * b2 * below), b_slope = b1 + b2 * below;
    const T k_slope = k1 + k2 * below;

    T phi_slope;
    const T phi = expelled_first_invariant(v.i1, phi_slope);
    const T i2 = double_dot(v.cofactor, v.cofactor);
    const T from_first = S(2) * m1 * (a_at * phi_slope), from_second = S(2) * m2 * b_at;
    stress = (from_first + from_second * v.i1) * f - from_second * (f * (transpose(f) * f)) +
             (m1 * (a_slope * phi) + m2 * (b_slope * i2) + bulk * k_slope) * v.cofactor;

    // Near rest, with x = J^2 - 1 and D = c^2 + c + 1, so that c - 1 = x / D, and C = I + 2 E:
    //   I1 - 3 c = x^2 (c + 2) / D^2 - 4 II - 8 III,    I2 - 3 c^2 = x^2 (2 c + 1) / D^2 - 4 II - 16 III.
    const T d = c * c + c + S(1);
    const T x2 = v.j2_minus_one * v.j2_minus_one / (d * d);
    const T first = select(v.near_rest, a * (x2 * (c + S(2)) - v.second), a_at * phi - S(3));
    const T second =
        select(v.near_rest, b * (x2 * (S(2) * c + S(1)) - v.second - v.strain_third), b_at * i2 - S(3));
    const T k0 = select(v.near_rest, v.j2_minus_one, ratio * ratio - S(1)) - S(2) * ln;
    return m1 * first + m2 * second + bulk * (k0 + below * (k1 + S(0.5) * k2 * below));
  }
};

}  // namespace sinew
