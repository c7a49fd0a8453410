// Singular values of a 3 x 2 matrix: one rotation of one-sided Jacobi makes its two columns orthogonal.
// Scalars.
#pragma once

#include <sinew/base/mat32.hpp>

#include "kernels/element/small_matrix/svd3.hpp"

namespace sinew {

/// F = [u0, u1] diag(s) V^T, u orthonormal, V a rotation, s[0] >= s[1] >= 0.
template <class S>
struct Svd32 {
  Vec3<S> u[2];
  S s[2];
  Mat2<S> v;
};

template <class S>
SINEW_HD Svd32<S> svd32(const Mat32<S>& f) {
  using std::sqrt;
  Vec3<S> a = f.column(0), b = f.column(1);
  S c(1), s(0);
  // A second turn removes what rounding of the first left.
  for (int turn = 0; turn < 2; ++turn) {
    const S aa = squared_norm(a), bb = squared_norm(b), ab = dot(a, b);
    if (ab == S(0)) break;
    const S zeta = (bb - aa) / (S(2) * ab);
    const S t = (zeta >= S(0) ? S(1) : S(-1)) / ((zeta >= S(0) ? zeta : -zeta) + sqrt(S(1) + zeta * zeta));
    const S ct = S(1) / sqrt(S(1) + t * t), st = ct * t;
    const Vec3<S> old = a;
    a = ct * a - st * b;
    b = st * old + ct * b;
    const S old_c = c;
    c = ct * c - st * s;
    s = st * old_c + ct * s;
  }
  // [a, b] = F V, V = [c, s; -s, c].
  Svd32<S> r;
  r.v.m[0][0] = c, r.v.m[0][1] = s, r.v.m[1][0] = -s, r.v.m[1][1] = c;
  if (squared_norm(b) > squared_norm(a)) {  // swap with a sign: V stays a rotation
    const Vec3<S> old = a;
    a = b;
    b = -old;
    r.v.m[0][0] = s, r.v.m[0][1] = -c, r.v.m[1][0] = c, r.v.m[1][1] = s;
  }
  r.s[0] = norm(a);
  r.s[1] = norm(b);
  r.u[0] = r.s[0] > S(0) ? a / r.s[0] : Vec3<S>{S(1), S(0), S(0)};
  const S floor = r.s[0] * (sizeof(S) == 4 ? S(1e-6) : S(1e-14));
  if (r.s[1] > floor) {
    const Vec3<S> u = b / r.s[1];
    r.u[1] = normalized(u - dot(r.u[0], u) * r.u[0]);
  } else {
    const Vec3<S>& u = r.u[0];
    const S x = u.x * u.x, y = u.y * u.y, z = u.z * u.z;
    const Vec3<S> axis = x <= y && x <= z ? Vec3<S>{S(1), S(0), S(0)}
                                          : (y <= z ? Vec3<S>{S(0), S(1), S(0)} : Vec3<S>{S(0), S(0), S(1)});
    r.u[1] = normalized(cross(u, axis));
  }
  return r;
}

}  // namespace sinew
