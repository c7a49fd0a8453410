// Mooney-Rivlin for rubber, isochoric invariants plus a bulk term (Simo and Taylor 1991 for the split):
//   psi = mu/2 ((1 - r) (J^(-2/3) I1 - 3) + r (J^(-4/3) I2 - 3)) + kappa/4 (J^2 - 1 - 2 ln J),
// kappa = lambda + 2/3 mu, I2 = |cof F|^2, r = mooney_ratio. In Rivlin's constants C10 = (1 - r) mu/2 and
// C01 = r mu/2; r = 0.2 (the default) is C10 = 4 C01. Below J = kLeastRatio the three functions of J continue
// as their own second-order Taylor polynomials and I1 as expelled_first_invariant().
#pragma once

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/material/invariants.hpp"
#include "kernels/element/material/projection.hpp"
#include "kernels/element/material/stretches.hpp"

namespace sinew {

struct MooneyRivlin {
  static constexpr const char* kName = "mooney_rivlin";
  template <class S>
  using Params = ElasticParameters<S>;

  /// a = J^(-2/3), b = J^(-4/3), c = J^(2/3), and first and second derivatives of a, b and k = J^2 - 1 - 2 ln
  /// J.
  template <class T>
  struct VolumeFunctions {
    T a, b, c, a1, a2, b1, b2, k1, k2;
  };
  template <class T>
  SINEW_HD static VolumeFunctions<T> volume_functions(const T& j) {
    using S = ScalarOf<T>;
    const T root = cbrt(j), inverse = S(1) / j, inverse2 = inverse * inverse;
    VolumeFunctions<T> r;
    r.c = root * root;
    r.a = S(1) / r.c;
    r.b = r.a * r.a;
    r.a1 = S(-2) / S(3) * (r.a * inverse);
    r.a2 = S(10) / S(9) * (r.a * inverse2);
    r.b1 = S(-4) / S(3) * (r.b * inverse);
    r.b2 = S(28) / S(9) * (r.b * inverse2);
    r.k1 = S(2) * (j - inverse);
    r.k2 = S(2) + S(2) * inverse2;
    return r;
  }

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
    const VolumeFunctions<T> g = volume_functions(ratio);
    const T c = g.c, a = g.a, b = g.b;
    const T ln = log_ratio(v);
    // Values and slopes at J by the Taylor polynomials.
    const T a_at = a + below * (g.a1 + S(0.5) * g.a2 * below), a_slope = g.a1 + g.a2 * below;
    const T b_at = b + below * (g.b1 + S(0.5) * g.b2 * below), b_slope = g.b1 + g.b2 * below;
    const T k_slope = g.k1 + g.k2 * below;

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
    return m1 * first + m2 * second + bulk * (k0 + below * (g.k1 + S(0.5) * g.k2 * below));
  }

  template <class S>
  SINEW_HD static StretchDerivatives<S> stretch_derivatives(const Params<S>& p, const Vec3<S>& s) {
    const S m1 = S(0.5) * p.shear_modulus * (S(1) - p.mooney_ratio);
    const S m2 = S(0.5) * p.shear_modulus * p.mooney_ratio;
    const S bulk = S(0.25) * (p.first_lame + p.shear_modulus * S(2) / S(3));
    const S j = s.x * s.y * s.z;
    const VolumeFunctions<S> v = volume_functions(j < kLeastRatio<S> ? kLeastRatio<S> : j);
    const S below = j < kLeastRatio<S> ? j - kLeastRatio<S> : S(0);
    const S xx = s.x * s.x, yy = s.y * s.y, zz = s.z * s.z;
    const S i2 = xx * yy + yy * zz + zz * xx;
    S phi_slope, phi_curvature;
    const S phi = expelled_first_invariant(squared_norm(s), phi_slope, phi_curvature);
    const S a_slope = v.a1 + v.a2 * below, b_slope = v.b1 + v.b2 * below;
    const S a = v.a + below * (v.a1 + S(0.5) * v.a2 * below),
            b = v.b + below * (v.b1 + S(0.5) * v.b2 * below);
    InvariantDerivatives<S> d;
    d.i1 = m1 * a * phi_slope;
    d.i2 = m2 * b;
    d.i1i1 = m1 * a * phi_curvature;
    d.i1j = m1 * a_slope * phi_slope;
    d.i2j = m2 * b_slope;
    d.j = m1 * a_slope * phi + m2 * b_slope * i2 + bulk * (v.k1 + v.k2 * below);
    d.jj = m1 * v.a2 * phi + m2 * v.b2 * i2 + bulk * v.k2;
    return stretch_derivatives_of(d, s);
  }

  template <class S>
  SINEW_HD static Mat3<S> projection(const Params<S>& p, const Mat3<S>& f, S weight) {
    return project_by_stretches<MooneyRivlin>(p, f, weight);
  }
};

}  // namespace sinew
