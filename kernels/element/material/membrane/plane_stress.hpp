// What the membrane materials share. A sheet is free to get thinner: stress across it is zero (plane stress).
// At small strain that is Hooke's law in the plane with lambda_ps in place of lambda,
//   lambda_ps = 2 lambda mu / (lambda + 2 mu),
// and the membrane energies are the two-dimensional forms of the solids' energies with lambda_ps. Thickness
// is not an unknown: energies are per rest volume (rest area times rest thickness).
//
// Isotropic membranes are functions of i = tr F^T F and J = |f1 x f2|, the ratio of areas, with
//   dJ/dF = N = [f2 x n, n x f1],   n = f1 x f2 / J.
// On a collapsed triangle (f1 parallel to f2, or zero) n is any unit vector across the longer column: N is
// then one of the directions in which the triangle opens, and energies whose slope in J is negative push
// along it. Where F = 0 there is no direction at all: N = 0.
#pragma once

#include <sinew/base/mat32.hpp>

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/material/invariants.hpp"

namespace sinew {

template <class S>
SINEW_HD S plane_stress_lame(const ElasticParameters<S>& p) {
  return S(2) * p.first_lame * p.shear_modulus / (p.first_lame + S(2) * p.shear_modulus);
}

template <class T>
struct MembraneInvariants {
  using Mask = decltype(T() < T());
  Mat32<T> n;      ///< dJ / dF
  T j;             ///< ratio of areas, >= 0
  T i;             ///< |F|^2
  Mask near_rest;  ///< |2 E| below 1/2: the two values below are made from E, else directly
  T j2_minus_one;  ///< J^2 - 1 = 2 tr E + 4 det E
  T j_minus_one;   ///< J - 1
  T second;        ///< 4 det E = (J^2 - 1) - (i - 2)
};

namespace detail {

/// A unit vector across a; zero where a is zero.
template <class T>
SINEW_HD Vec3<T> unit_across(const Vec3<T>& a) {
  using S = ScalarOf<T>;
  const T xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z, zero(S(0)), one(S(1));
  const auto x_least = (xx <= yy) & (xx <= zz);
  const auto y_least = yy <= zz;
  const Vec3<T> axis{select(x_least, one, zero), select(x_least, zero, select(y_least, one, zero)),
                     select(x_least, zero, select(y_least, zero, one))};
  const Vec3<T> across = cross(a, axis);
  const T length = sqrt(squared_norm(across));
  return select(length > zero, one / select(length > zero, length, one), zero) * across;
}

}  // namespace detail

template <class T>
SINEW_HD MembraneInvariants<T> membrane_invariants_of(const Mat32<T>& f) {
  using S = ScalarOf<T>;
  const T one(S(1));
  MembraneInvariants<T> r;
  const Vec3<T> a = f.column(0), b = f.column(1);
  const T aa = squared_norm(a), bb = squared_norm(b), p = dot(a, b);
  const Vec3<T> across = cross(a, b);
  r.i = aa + bb;
  r.j = sqrt(squared_norm(across));
  // Below this the direction of the cross product is rounding.
  constexpr S kFlat = sizeof(S) == 4 ? S(1e-6) : S(1e-14);
  const auto flat = r.j <= kFlat * r.i;
  const T scale = one / select(flat, one, r.j);
  const auto b_longer = bb > aa;
  const Vec3<T> any = detail::unit_across(
      Vec3<T>{select(b_longer, b.x, a.x), select(b_longer, b.y, a.y), select(b_longer, b.z, a.z)});
  const Vec3<T> n{select(flat, any.x, scale * across.x), select(flat, any.y, scale * across.y),
                  select(flat, any.z, scale * across.z)};
  r.n = Mat32<T>::columns(cross(b, n), cross(n, a));
  const T x = aa - S(1), y = bb - S(1), pp = p * p;
  r.near_rest = (x * x + y * y + S(2) * pp) < T(S(0.25));
  r.second = x * y - pp;
  r.j2_minus_one = select(r.near_rest, (x + y) + r.second, r.j * r.j - S(1));
  r.j_minus_one = select(r.near_rest, r.j2_minus_one / (S(1) + r.j), r.j - S(1));
  return r;
}

/// The 3 x 2 matrix with orthonormal columns nearest to F: R = (F + N) / (s1 + s2), s1 + s2 = sqrt(i + 2 J).
/// The first two axes where F = 0.
template <class T>
SINEW_HD Mat32<T> membrane_rotation(const Mat32<T>& f, const MembraneInvariants<T>& v) {
  using S = ScalarOf<T>;
  const T zero(S(0)), one(S(1));
  const T sum2 = v.i + S(2) * v.j;
  const auto point = sum2 <= zero;
  const T scale = one / sqrt(select(point, one, sum2));
  Mat32<T> r = scale * (f + v.n);
  r(0, 0) = select(point, one, r(0, 0));
  r(1, 1) = select(point, one, r(1, 1));
  return r;
}

}  // namespace sinew
