// Singular values of a 3 x 3 matrix of numbers or packs. Host-device; no allocation, no branches on history.
//
// One-sided Jacobi (Hestenes 1958): rotate pairs of columns of F until they are orthogonal. Accurate to
// rounding for small singular values too, where a detour over F^T F would lose half of the digits.
#pragma once

#include <sinew/base/mat3.hpp>

#include "kernels/element/simd/scalar.hpp"

namespace sinew {

/// F = U diag(s) V^T, U and V proper rotations, s[0] >= s[1] >= |s[2]|; s[2] < 0 where det F < 0.
template <class T>
struct Svd3 {
  Mat3<T> u;
  Vec3<T> s;
  Mat3<T> v;
};

namespace detail {

template <class M, class T>
SINEW_HD Vec3<T> select_vector(M mask, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}

/// A unit vector orthogonal to the unit vector a.
template <class T>
SINEW_HD Vec3<T> any_orthogonal(const Vec3<T>& a) {
  const T ax = abs(a.x), ay = abs(a.y), az = abs(a.z), one(1), zero(0);
  const auto x_least = (ax <= ay) & (ax <= az);
  const auto y_not_z = ay <= az;
  const Vec3<T> axis{select(x_least, one, zero), select(x_least, zero, select(y_not_z, one, zero)),
                     select(x_least, zero, select(y_not_z, zero, one))};
  const Vec3<T> c = cross(a, axis);
  return c * (one / sqrt(dot(c, c)));
}

/// Turns columns p and q of b and v so that those of b become orthogonal; where they are, nothing changes.
template <class T>
SINEW_HD auto rotate_columns(Vec3<T>& bp, Vec3<T>& bq, Vec3<T>& vp, Vec3<T>& vq) {
  using S = ScalarOf<T>;
  const S tiny2 = sizeof(S) == 4 ? S(1e-14) : S(1e-32);
  const T one(1), zero(0);
  const T app = squared_norm(bp), aqq = squared_norm(bq), apq = dot(bp, bq);
  const auto needed = (apq * apq > tiny2 * (app * aqq)) & (apq != zero);
  const T zeta = (aqq - app) / (S(2) * apq);
  const T tangent = select(zeta >= zero, one, -one) / (abs(zeta) + sqrt(one + zeta * zeta));
  const T t = select(needed, tangent, zero);
  const T c = one / sqrt(one + t * t), s = c * t;
  const Vec3<T> old_b = bp, old_v = vp;
  bp = c * bp - s * bq;
  bq = s * old_b + c * bq;
  vp = c * vp - s * vq;
  vq = s * old_v + c * vq;
  return needed;
}

/// Swaps two columns where the second is longer; the sign keeps V a rotation.
template <class T>
SINEW_HD void order_columns(T& sa, T& sb, Vec3<T>& ba, Vec3<T>& bb, Vec3<T>& va, Vec3<T>& vb) {
  const auto swap = sa < sb;
  const T s = sa;
  sa = select(swap, sb, sa);
  sb = select(swap, s, sb);
  const Vec3<T> b = ba, v = va;
  ba = select_vector(swap, bb, ba);
  bb = select_vector(swap, -b, bb);
  va = select_vector(swap, vb, va);
  vb = select_vector(swap, -v, vb);
}

}  // namespace detail

template <class T>
SINEW_HD Svd3<T> svd3(const Mat3<T>& f) {
  using S = ScalarOf<T>;
  const T one(1), zero(0);
  Vec3<T> b[3] = {f.column(0), f.column(1), f.column(2)};
  Vec3<T> v[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
  for (int sweep = 0; sweep < 12; ++sweep) {
    const auto first = detail::rotate_columns(b[0], b[1], v[0], v[1]);
    const auto second = detail::rotate_columns(b[0], b[2], v[0], v[2]);
    const auto third = detail::rotate_columns(b[1], b[2], v[1], v[2]);
    if (!any(first | second | third)) break;
  }
  T s[3] = {sqrt(squared_norm(b[0])), sqrt(squared_norm(b[1])), sqrt(squared_norm(b[2]))};
  detail::order_columns(s[0], s[1], b[0], b[1], v[0], v[1]);
  detail::order_columns(s[1], s[2], b[1], b[2], v[1], v[2]);
  detail::order_columns(s[0], s[1], b[0], b[1], v[0], v[1]);
  // U from the columns; where a singular value vanishes any completion to a rotation is right.
  const T floor = s[0] * (sizeof(S) == 4 ? S(1e-6) : S(1e-14));
  const auto some = s[0] > zero, full = s[1] > floor;
  const Vec3<T> u0 =
      detail::select_vector(some, b[0] * (one / select(some, s[0], one)), Vec3<T>{one, zero, zero});
  Vec3<T> u1 = b[1] * (one / select(full, s[1], one));
  u1 = u1 - dot(u0, u1) * u0;
  u1 = u1 * (one / sqrt(dot(u1, u1)));
  u1 = detail::select_vector(full, u1, detail::any_orthogonal(u0));
  const Vec3<T> u2 = cross(u0, u1);
  Svd3<T> r;
  r.u = Mat3<T>::columns(u0, u1, u2);
  r.v = Mat3<T>::columns(v[0], v[1], v[2]);
  r.s = {s[0], s[1], select(dot(b[2], u2) < zero, -s[2], s[2])};
  return r;
}

}  // namespace sinew
