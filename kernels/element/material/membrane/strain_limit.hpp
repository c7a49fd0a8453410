// Strain limit of sheets (docs/cloth.md): psi = k/2 sum_i (s_i - s*)^2 over the principal stretches s_i > s*,
// by the eigenvectors of F^T F. C1, and zero for any F within the limit.
#pragma once

#include <sinew/base/mat32.hpp>

#include "kernels/element/simd/scalar.hpp"

namespace sinew {

/// Adds the stress [Pa] to stress; returns psi [J/m^3]. stiffness k [Pa], largest: s* > 0.
template <class T>
SINEW_HD T add_strain_limit(T stiffness, T largest, const Mat32<T>& f, Mat32<T>& stress) {
  const Vec3<T> a = f.column(0), b = f.column(1);
  const T c11 = dot(a, a), c12 = dot(a, b), c22 = dot(b, b), bound = largest * largest;
  const T half = T(0.5) * (c11 - c22), root = sqrt(half * half + c12 * c12), mean = T(0.5) * (c11 + c22);
  const T upper = mean + root;
  if (!any(upper > bound)) return T(0);
  // First principal direction (x, y), the other one across; any pair where both stretches are equal.
  const auto first = half >= T(0);
  T x = select(first, half + root, c12), y = select(first, c12, root - half);
  const T length = sqrt(x * x + y * y);
  const auto distinct = length > T(0);
  x = select(distinct, x / length, T(1));
  y = select(distinct, y / length, T(0));
  const auto add = [&](T squared, T vx, T vy) {
    // A stretch at its bound where the true one is below: adds nothing, and has a root.
    const T stretch = sqrt(max(squared, bound)), over = stretch - largest;
    const Vec3<T> u = (select(squared > bound, stiffness * over, T(0)) / stretch) * (vx * a + vy * b);
    stress += Mat32<T>::columns(vx * u, vy * u);
    return select(squared > bound, T(0.5) * stiffness * (over * over), T(0));
  };
  return add(upper, x, y) + add(mean - root, T(0) - y, x);
}

}  // namespace sinew
