// The rotation of a 3 x 3 matrix of numbers or packs: R = argmin |F - R| over rotations, det R = +1.
//
// l = max tr(R^T F) = s1 + s2 + s3 (s3 < 0 where det F < 0) is the largest root of
//   p(l) = l^4 - 2 |F|^2 l^2 - 8 det F l + |F|^4 - 4 |cof F|^2,
// the characteristic polynomial of Horn's matrix ("Closed-form solution of absolute orientation using unit
// quaternions", 1987), and R = dl/dF because R is stationary. Differentiating p(l(F), F) = 0:
//   R = ((l^2 + |F|^2) F + 2 l cof F - 2 F F^T F) / (l^3 - |F|^2 l - 2 det F).
// The denominator is 2 (s1 + s2)(s1 + s3)(s2 + s3). Where s2 + s3 is small against |F| the rotation itself is
// hardly defined; such lanes take it from the singular vectors.
#pragma once

#include "kernels/element/small_matrix/svd3.hpp"

namespace sinew {

/// For F = 0 the identity. Error against the exact R near rest: some units in the last place.
template <class T>
SINEW_HD Mat3<T> polar_rotation(const Mat3<T>& f) {
  using S = ScalarOf<T>;
  const S stop = sizeof(S) == 4 ? S(1e-4) : S(1e-9);  // Newton's error is about the square of its last step
  const S least = sizeof(S) == 4 ? S(0.2) : S(0.1);   // denominator at |F| = 1; 3.08 at rest
  const T one(1), zero(0);
  // Everything at |F| = 1, so that neither size nor unit matters.
  const T size2 = double_dot(f, f);
  const Mat3<T> g = (one / sqrt(select(size2 > zero, size2, one))) * f;
  const Mat3<T> c = cofactor(g);
  const T det2 = S(2) * dot(g.row(0), c.row(0));
  const T last = one - S(4) * double_dot(c, c);
  // Newton from sqrt(3) |F| >= l falls to the root without passing it.
  T root(S(1.7320508075688772935));
  for (int step = 0; step < 12; ++step) {
    const T square = root * root;
    const T value = ((square - S(2)) * root - S(4) * det2) * root + last;
    const T slope = S(4) * ((square - one) * root - det2);
    const T change = value / slope;
    root -= change;
    if (all(abs(change) < T(stop))) break;
  }
  const T square = root * root;
  const T denominator = (square - one) * root - det2;
  // F^T F, symmetric.
  const Vec3<T> g0 = g.column(0), g1 = g.column(1), g2 = g.column(2);
  const T c00 = dot(g0, g0), c01 = dot(g0, g1), c02 = dot(g0, g2), c11 = dot(g1, g1), c12 = dot(g1, g2),
          c22 = dot(g2, g2);
  const T inverse = one / denominator;
  const T first = (square + one) * inverse, second = S(2) * root * inverse, third = S(-2) * inverse;
  const Vec3<T> q0 = {first + third * c00, third * c01, third * c02};
  const Vec3<T> q1 = {third * c01, first + third * c11, third * c12};
  const Vec3<T> q2 = {third * c02, third * c12, first + third * c22};
  Mat3<T> r;
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> row = g.row(i);
    r(i, 0) = dot(row, q0) + second * c(i, 0);
    r(i, 1) = dot(row, q1) + second * c(i, 1);
    r(i, 2) = dot(row, q2) + second * c(i, 2);
  }
  const auto good = denominator >= T(least);
  if (all(good)) return r;
  const Svd3<T> d = svd3(g);
  const Mat3<T> other = d.u * transpose(d.v);
  const auto nothing = size2 == zero;
  const T spoilt = zero * size2;  // not a number where F is not
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r(i, j) = select(good, r(i, j), select(nothing, i == j ? one : zero, other(i, j) + spoilt));
  return r;
}

}  // namespace sinew
