// Isotropic energies as functions of the stretches s of F = U diag(s) V^T, U and V rotations: gradient,
// second derivative, and what the second derivative in F needs besides. For X = U^T dF V the change of the
// stress P = U diag(g) V^T is
//   (U^T dP V)_ii = sum_j H_ij X_jj,
//   (U^T dP V)_ij = flip_k (X_ij + X_ji)/2 + twist_k (X_ij - X_ji)/2          for i != j, k the third index,
//   flip_k = (g_i - g_j) / (s_i - s_j),      twist_k = (g_i + g_j) / (s_i + s_j)
// (Smith, de Goes, Kim, "Analytic Eigensystems for Isotropic Distortion Energies", 2019). Each material gives
// flip and twist in a form without these differences, safe where stretches coincide. Scalars only.
#pragma once

#include <sinew/base/mat3.hpp>

namespace sinew {

template <class S>
struct StretchDerivatives {
  Vec3<S> gradient;  ///< g [Pa]
  Mat3<S> hessian;   ///< H [Pa], symmetric
  Vec3<S> flip;      ///< [Pa]
  Vec3<S> twist;     ///< [Pa]
};

/// Partial derivatives of psi(I1, I2, J), I1 = |F|^2, I2 = |cof F|^2; those that are missing are zero.
template <class S>
struct InvariantDerivatives {
  S i1{}, i2{}, j{};
  S i1i1{}, i1j{}, i2j{}, jj{};
};

template <class S>
SINEW_HD StretchDerivatives<S> stretch_derivatives_of(const InvariantDerivatives<S>& d, const Vec3<S>& s) {
  StretchDerivatives<S> r;
  const S i1 = squared_norm(s);
  const Vec3<S> c{s.y * s.z, s.z * s.x, s.x * s.y};  // dJ/ds
  Vec3<S> d1, d2;                                    // dI1/ds, dI2/ds
  for (int i = 0; i < 3; ++i) {
    d1[i] = S(2) * s[i];
    d2[i] = S(2) * s[i] * (i1 - s[i] * s[i]);
  }
  r.gradient = d.i1 * d1 + d.i2 * d2 + d.j * c;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      S h = d.i1i1 * (d1[i] * d1[j]) + d.i1j * (d1[i] * c[j] + c[i] * d1[j]) +
            d.i2j * (d2[i] * c[j] + c[i] * d2[j]) + d.jj * (c[i] * c[j]);
      if (i == j)
        h += S(2) * d.i1 + S(2) * d.i2 * (i1 - s[i] * s[i]);
      else
        h += S(4) * d.i2 * (s[i] * s[j]) + d.j * s[3 - i - j];
      r.hessian(i, j) = h;
    }
    const S a = s[(i + 1) % 3], b = s[(i + 2) % 3];
    r.flip[i] = S(2) * d.i1 + S(2) * d.i2 * (i1 - (a * a + a * b + b * b)) - d.j * s[i];
    r.twist[i] = S(2) * d.i1 + S(2) * d.i2 * (i1 - (a * a - a * b + b * b)) + d.j * s[i];
  }
  return r;
}

/// Adds those of mu sum (s_i - 1)^2 = mu |F - R|^2. R jumps where two stretches cancel: the energy has a
/// concave kink there, of any steepness; the sum is held above kLeastSum.
template <class S>
SINEW_HD void add_rotation_distance(S mu, const Vec3<S>& s, StretchDerivatives<S>& r) {
  constexpr S kLeastSum = S(1e-9);
  for (int i = 0; i < 3; ++i) {
    const S sum = s[(i + 1) % 3] + s[(i + 2) % 3];
    r.gradient[i] += S(2) * mu * (s[i] - S(1));
    r.hessian(i, i) += S(2) * mu;
    r.flip[i] += S(2) * mu;
    r.twist[i] += S(2) * mu - S(4) * mu / (sum > kLeastSum ? sum : kLeastSum);
  }
}

}  // namespace sinew
