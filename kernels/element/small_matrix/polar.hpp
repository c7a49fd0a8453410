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

// Off the common path: a call, which leaves registers to that.
#if defined(__CUDACC__)
#define SINEW_COLD __host__ __device__
#else
#define SINEW_COLD __attribute__((noinline, cold))
#endif

namespace sinew {

namespace detail {

/// near in the lanes that are good, elsewhere the rotation from singular vectors. Apart from the common path,
/// which keeps its registers so.
template <class M, class T>
SINEW_COLD Mat3<T> rotation_of_vectors(const Mat3<T>& f, const M& good, const Mat3<T>& near) {
  const T one(1), zero(0);
  T largest(0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) largest = max(largest, abs(f(i, j)));
  const auto nothing = largest == zero;
  const Svd3<T> d = svd3((one / select(nothing, one, largest)) * f);
  const Mat3<T> other = d.u * transpose(d.v);
  const T spoilt = zero * double_dot(f, f);  // not a number where F is not
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r(i, j) = select(good, near(i, j), select(nothing, i == j ? one : zero, other(i, j) + spoilt));
  return r;
}

/// The largest root of p at |F| = 1, and the inverse of the denominator there.
template <class T>
struct PolarRoot {
  T root, denominator, inverse;
};

/// With e = sqrt(3) - l, p = 0 reads b e = a + 16 e^2 - 4 sqrt(3) e^3 + e^4, where a = p(sqrt(3)) and
/// b = p'(sqrt(3)). Solved for e as a power series in alpha = a / b_0 and omega = b / b_0 - 1, b_0 at rest: up to
/// fourth order it misses the root by about 40 alpha^5, from above, and Newton falls to the root from there.
template <class T>
SINEW_HD PolarRoot<T> largest_root(const T& det2, const T& last) {
  using S = ScalarOf<T>;
  const S stop = sizeof(S) == 4 ? S(1e-4) : S(4e-9);  // Newton's error is about the square of its last step
  const S sqrt3 = S(1.7320508075688772935);
  const T one(1);
  const T alpha = (S(3) / S(64) * sqrt3) * last + (S(9) / S(64) * sqrt3 - S(0.5625) * det2);
  const T omega = S(0.125) - (S(3) / S(16) * sqrt3) * det2;
  const T first = one - omega * (one - omega * (one - omega));
  const T second = (S(0.75) * sqrt3) * (one - omega * (S(3) - S(6) * omega));
  const T third = S(2.8125) - S(14.625) * omega;
  T root = sqrt3 - alpha * (first + alpha * (second + alpha * (third + (S(273) / S(64) * sqrt3) * alpha)));
  PolarRoot<T> r;
  for (int step = 0; step < 12; ++step) {
    const T square = root * root;
    const T value = ((square - S(2)) * root - S(4) * det2) * root + last;
    r.denominator = (square - one) * root - det2;
    const T inverse = one / r.denominator;
    const T change = (S(0.25) * value) * inverse;
    root -= change;
    r.inverse = inverse + (inverse * inverse) * (S(3) * square - one) * change;  // at the new root
    if (all(abs(change) < T(stop))) break;
  }
  r.root = root;
  return r;
}

}  // namespace detail

/// For F = 0 the identity. Error against the exact R near rest: some units in the last place.
template <class T>
SINEW_HD Mat3<T> polar_rotation(const Mat3<T>& f) {
  using S = ScalarOf<T>;
  constexpr bool kFloat = sizeof(S) == 4;
  const S least = kFloat ? S(0.2) : S(0.1);  // denominator at |F| = 1; 3.08 at rest
  const S smallest = kFloat ? S(1e-8) : S(1e-60), greatest = S(1) / smallest;  // |F|^2 of which powers are safe
  const T one(1);
  // F^T F, symmetric; as green_strain() has it, so that the compiler may make it once.
  const Vec3<T> f0 = f.column(0), f1 = f.column(1), f2 = f.column(2);
  const T c00 = dot(f0, f0), c01 = dot(f0, f1), c02 = dot(f0, f2), c11 = dot(f1, f1), c12 = dot(f1, f2),
          c22 = dot(f2, f2);
  // The root at |F| = 1, so that neither size nor unit matters.
  const T size2 = c00 + c11 + c22;
  const T inverse2 = one / size2, inverse1 = sqrt(size2) * inverse2;
  const Mat3<T> c = cofactor(f);
  const T det2 = (S(2) * inverse2 * inverse1) * dot(f.row(0), c.row(0));
  const T last = one - (S(4) * inverse2 * inverse2) * double_dot(c, c);
  const detail::PolarRoot<T> solved = detail::largest_root(det2, last);
  const T root = solved.root, scale = inverse1 * solved.inverse;
  const T second = S(2) * root * (inverse2 * solved.inverse);
  const T first = (root * root + one) * scale, third = S(-2) * inverse2 * scale;
  const Vec3<T> q0 = {first + third * c00, third * c01, third * c02};
  const Vec3<T> q1 = {third * c01, first + third * c11, third * c12};
  const Vec3<T> q2 = {third * c02, third * c12, first + third * c22};
  Mat3<T> r;
  for (int i = 0; i < 3; ++i) {
    const Vec3<T> row = f.row(i);
    r(i, 0) = dot(row, q0) + second * c(i, 0);
    r(i, 1) = dot(row, q1) + second * c(i, 1);
    r(i, 2) = dot(row, q2) + second * c(i, 2);
  }
  const auto good = (solved.denominator >= T(least)) & (size2 >= T(smallest)) & (size2 <= T(greatest));
  if (all(good)) return r;
  return detail::rotation_of_vectors(f, good, r);
}

}  // namespace sinew
