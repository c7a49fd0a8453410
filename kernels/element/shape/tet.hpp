// Linear tetrahedron: rest measure and deformation gradient.
#pragma once

#include <sinew/base/mat3.hpp>

namespace sinew {

/// Edge matrix [b - a, c - a, d - a] in columns.
template <class T>
SINEW_HD Mat3<T> tet_edges(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, const Vec3<T>& d) {
  return Mat3<T>::columns(b - a, c - a, d - a);
}

/// F = D_s D_m^-1.
template <class T>
SINEW_HD Mat3<T> tet_deformation_gradient(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c,
                                          const Vec3<T>& d, const Mat3<T>& rest_edges_inverse) {
  return tet_edges(a, b, c, d) * rest_edges_inverse;
}

/// Columns 0..2: gradient of V psi with respect to corners 1..3, V P D_m^-T; corner 0 gets minus their sum.
template <class T>
SINEW_HD Mat3<T> tet_corner_gradients(const Mat3<T>& stress, const Mat3<T>& rest_edges_inverse, T volume) {
  return (volume * stress) * transpose(rest_edges_inverse);
}

}  // namespace sinew
