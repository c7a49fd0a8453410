// Linear triangle in space: rest measure and deformation gradient. The rest plane has its first axis along
// edge 0-1; which way the second one points (the side of the triangle) is of no account.
#pragma once

#include <sinew/base/mat32.hpp>

namespace sinew {

/// Edges [b - a, c - a] in columns.
template <class T>
SINEW_HD Mat32<T> triangle_edges(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  return Mat32<T>::columns(b - a, c - a);
}

template <class T>
SINEW_HD T triangle_area(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  return T(0.5) * norm(cross(b - a, c - a));
}

/// D_m^-1 [1/m] of a rest triangle that is not degenerate: D_m = [l, t; 0, w] with l the length of edge 0-1,
/// t and w the coordinates of corner 2 along it and away from it. Upper triangular.
template <class T>
SINEW_HD Mat2<T> triangle_rest_inverse(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  const Vec3<T> e = b - a, d = c - a;
  const T l = norm(e);
  const T t = dot(d, e) / l, w = norm(cross(e, d)) / l;
  Mat2<T> r;
  r(0, 0) = T(1) / l;
  r(0, 1) = -t / (l * w);
  r(1, 1) = T(1) / w;
  return r;
}

/// F = D_s D_m^-1, 3 x 2.
template <class T>
SINEW_HD Mat32<T> triangle_deformation_gradient(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c,
                                                const Mat2<T>& rest_edges_inverse) {
  return triangle_edges(a, b, c) * rest_edges_inverse;
}

/// Columns 0, 1: gradient of V psi with respect to corners 1, 2, V P D_m^-T; corner 0 gets minus their sum.
/// volume: rest area times thickness [m^3].
template <class T>
SINEW_HD Mat32<T> triangle_corner_gradients(const Mat32<T>& stress, const Mat2<T>& rest_edges_inverse,
                                            T volume) {
  return (volume * stress) * transpose(rest_edges_inverse);
}

}  // namespace sinew
