// Singular values and polar rotation of a 3 x 3 matrix. Host-device; no allocation, no branches on history.
//
// One-sided Jacobi (Hestenes 1958): rotate pairs of columns of F until they are orthogonal. Accurate to
// rounding for small singular values too, where a detour over F^T F would lose half of the digits.
#pragma once

#include <sinew/base/mat3.hpp>

namespace sinew {

/// F = U diag(s) V^T, U and V proper rotations, s[0] >= s[1] >= |s[2]|; s[2] < 0 where det F < 0.
template <class T>
struct Svd3 {
  Mat3<T> u;
  Vec3<T> s;
  Mat3<T> v;
};

namespace detail {

/// A unit vector orthogonal to the unit vector a.
template <class T>
SINEW_HD Vec3<T> any_orthogonal(const Vec3<T>& a) {
  const T ax = a.x < 0 ? -a.x : a.x, ay = a.y < 0 ? -a.y : a.y, az = a.z < 0 ? -a.z : a.z;
  const Vec3<T> axis =
      ax <= ay && ax <= az ? Vec3<T>{1, 0, 0} : (ay <= az ? Vec3<T>{0, 1, 0} : Vec3<T>{0, 0, 1});
  return normalized(cross(a, axis));
}

}  // namespace detail

template <class T>
SINEW_HD Svd3<T> svd3(const Mat3<T>& f) {
  using std::sqrt;
  Vec3<T> b[3] = {f.column(0), f.column(1), f.column(2)};
  Vec3<T> v[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const T tiny = sizeof(T) == 4 ? T(1e-7) : T(1e-16);
  for (int sweep = 0; sweep < 12; ++sweep) {
    bool rotated = false;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        const T app = squared_norm(b[p]), aqq = squared_norm(b[q]), apq = dot(b[p], b[q]);
        if (apq * apq <= tiny * tiny * app * aqq || apq == T(0)) continue;
        rotated = true;
        const T zeta = (aqq - app) / (T(2) * apq);
        const T t = (zeta >= 0 ? T(1) : T(-1)) / ((zeta >= 0 ? zeta : -zeta) + sqrt(T(1) + zeta * zeta));
        const T c = T(1) / sqrt(T(1) + t * t), s = c * t;
        const Vec3<T> bp = b[p], vp = v[p];
        b[p] = c * bp - s * b[q];
        b[q] = s * bp + c * b[q];
        v[p] = c * vp - s * v[q];
        v[q] = s * vp + c * v[q];
      }
    }
    if (!rotated) break;
  }
  T s[3] = {norm(b[0]), norm(b[1]), norm(b[2])};
  // Largest first; a swap with a sign keeps V a rotation.
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2 - i; ++j) {
      if (s[j] >= s[j + 1]) continue;
      const T sj = s[j];
      s[j] = s[j + 1];
      s[j + 1] = sj;
      const Vec3<T> bj = b[j], vj = v[j];
      b[j] = b[j + 1];
      b[j + 1] = -bj;
      v[j] = v[j + 1];
      v[j + 1] = -vj;
    }
  }
  // U from the columns; where a singular value vanishes any completion to a rotation is right.
  const T floor = s[0] * (sizeof(T) == 4 ? T(1e-6) : T(1e-14));
  Vec3<T> u0 = s[0] > T(0) ? b[0] / s[0] : Vec3<T>{1, 0, 0};
  Vec3<T> u1;
  if (s[1] > floor) {
    u1 = b[1] / s[1];
    u1 = normalized(u1 - dot(u0, u1) * u0);
  } else {
    u1 = detail::any_orthogonal(u0);
  }
  const Vec3<T> u2 = cross(u0, u1);
  Svd3<T> r;
  r.u = Mat3<T>::columns(u0, u1, u2);
  r.v = Mat3<T>::columns(v[0], v[1], v[2]);
  r.s = {s[0], s[1], dot(b[2], u2) < T(0) ? -s[2] : s[2]};
  return r;
}

/// The rotation R, det R = +1, nearest to F: argmin |F - R|. Newton's iteration (Higham 1986) where F is
/// well away from inversion, else from the singular vectors.
template <class T>
SINEW_HD Mat3<T> polar_rotation(const Mat3<T>& f) {
  using std::sqrt;
  const T det = determinant(f);
  const T size2 = double_dot(f, f);
  // det > 0.02 (|F|/sqrt 3)^3 bounds the condition number; six steps then reach rounding.
  if (det > T(0.02) * size2 * sqrt(size2) / T(5.196)) {
    Mat3<T> x = f;
    for (int step = 0; step < 12; ++step) {
      const Mat3<T> c = cofactor(x);
      const T d = dot(x.row(0), c.row(0));
      const Mat3<T> inverse_transpose = c * (T(1) / d);
      const T gamma = sqrt(sqrt(double_dot(inverse_transpose, inverse_transpose) / double_dot(x, x)));
      const Mat3<T> next = (T(0.5) * gamma) * x + (T(0.5) / gamma) * inverse_transpose;
      const Mat3<T> change = next - x;
      x = next;
      if (double_dot(change, change) < (sizeof(T) == 4 ? T(1e-12) : T(1e-28))) break;
    }
    return x;
  }
  const Svd3<T> d = svd3(f);
  return d.u * transpose(d.v);
}

}  // namespace sinew
