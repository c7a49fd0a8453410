// Invariants of F so that energies near rest do not cancel. With the Green strain E = (F^T F - I)/2,
//   J^2 - 1 = 2 tr E + 4 II(E) + 8 det E,      I1 - 3 = 2 tr E,      I2 - 3 = 4 tr E + 4 II(E),
// where II(E) = ((tr E)^2 - E : E)/2. Terms of first order can then be dropped by hand instead of being
// subtracted in floating point: an energy near rest errs by rounding * modulus * strain, where
// I1 - 3 - 2 ln J as it stands errs by rounding * modulus.
#pragma once

#include <sinew/base/mat3.hpp>

#include "kernels/element/simd/scalar.hpp"

namespace sinew {

/// Volume ratio J below which the energies with a barrier at J = 0 continue as polynomials. Elements of a
/// simulation that converges stay far above it (0.1: a cube squeezed to a tenth of its height, or to 46 % of
/// its edges). A lower value makes the curvature there (about 1/J^2 of the rest stiffness) spoil the
/// conditioning for everything around a single bad element; a higher one would be met by real compressions.
template <class S>
inline constexpr S kLeastRatio = S(0.1);

/// No F with J >= kLeastRatio has I1 below this: I1 >= 3 J^(2/3) (arithmetic and geometric mean).
template <class S>
inline constexpr S kLeastFirstInvariant = S(0.6463304070095651);  // 3 * 0.1^(2/3)

template <class T>
struct Invariants {
  using Mask = decltype(T() < T());
  Mat3<T> cofactor;  ///< dJ / dF
  T j;               ///< det F
  T i1;              ///< |F|^2
  Mask near_rest;    ///< J > 0 and |2 E| below 1/2: the two values below are made from E, else directly
  T j2_minus_one;    ///< J^2 - 1
  T j_minus_one;     ///< J - 1
  T second;          ///< 4 II(E) + 8 det E = (J^2 - 1) - (I1 - 3)
  T strain_second;   ///< 4 II(E)
  T strain_third;    ///< 8 det E
};

template <class T>
SINEW_HD Invariants<T> invariants_of(const Mat3<T>& f) {
  using S = ScalarOf<T>;
  Invariants<T> r;
  r.cofactor = cofactor(f);
  r.j = dot(f.row(0), r.cofactor.row(0));
  const Vec3<T> a = f.column(0), b = f.column(1), c = f.column(2);
  const T aa = squared_norm(a), bb = squared_norm(b), cc = squared_norm(c);
  r.i1 = aa + bb + cc;
  // C - I = 2 E: diagonal x, y, z; off-diagonal p = C_12, q = C_13, s = C_23.
  const T x = aa - S(1), y = bb - S(1), z = cc - S(1);
  const T p = dot(a, b), q = dot(a, c), s = dot(b, c);
  const T pp = p * p, qq = q * q, ss = s * s;
  // E cannot tell a mirrored F from F.
  r.near_rest = ((x * x + y * y + z * z + S(2) * (pp + qq + ss)) < T(S(0.25))) & (r.j > T(S(0)));
  r.strain_second = (x * y + y * z + z * x) - (pp + qq + ss);
  r.strain_third = x * (y * z - ss) - p * (p * z - s * q) + q * (p * s - y * q);
  r.second = r.strain_second + r.strain_third;
  r.j2_minus_one = select(r.near_rest, (x + y + z) + r.second, r.j * r.j - S(1));
  // J > 0.5 near rest: the divisor is safe there, and made so elsewhere.
  r.j_minus_one =
      select(r.near_rest, r.j2_minus_one / (S(1) + select(r.near_rest, r.j, T(S(1)))), r.j - S(1));
  return r;
}

/// ln max(J, kLeastRatio), to full precision near J = 1.
template <class T>
SINEW_HD T log_ratio(const Invariants<T>& v) {
  using S = ScalarOf<T>;
  const T least = T(kLeastRatio<S> - S(1));
  return log1p(select(v.near_rest, v.j_minus_one, select(v.j_minus_one < least, least, v.j_minus_one)));
}

/// phi(I1) = I1, but below kLeastFirstInvariant I1 + 2/3 (I0 - I1)^3 / I0^2: C2, and phi'(0) = -1. A term
/// mu/2 I1 alone would make F = 0 a local minimum beside the continued barrier (J is of third order there),
/// and an element that was squeezed into a point would stay one. derivative: phi'.
template <class T>
SINEW_HD T expelled_first_invariant(T i1, T& derivative) {
  using S = ScalarOf<T>;
  constexpr S kLeast = kLeastFirstInvariant<S>;
  const T below = select(i1 < T(kLeast), T(kLeast) - i1, T(S(0))) * (S(1) / kLeast);
  derivative = S(1) - S(2) * below * below;
  return i1 + (S(2) / S(3) * kLeast) * below * below * below;
}

/// With its second derivative; scalars.
template <class S>
SINEW_HD S expelled_first_invariant(S i1, S& derivative, S& second) {
  constexpr S kLeast = kLeastFirstInvariant<S>;
  second = i1 < kLeast ? S(4) * (kLeast - i1) / (kLeast * kLeast) : S(0);
  return expelled_first_invariant(i1, derivative);
}

}  // namespace sinew
