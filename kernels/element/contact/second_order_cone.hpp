// The cone K = {x : x0 >= |(x1, x2)|} and its Jordan algebra, for interior-point methods: Alizadeh and
// Goldfarb, "Second-order cone programming", 2003; scaling of Nesterov and Todd after Andersen, Roos and
// Terlaky 2003. The first component of a Vec3 is the cone's axis.
#pragma once

#include <cmath>

#include <sinew/base/config.hpp>
#include <sinew/base/mat3.hpp>
#include <sinew/base/vec3.hpp>

namespace sinew::cone {

/// Distance inside, x0 - |(x1, x2)|; negative outside.
template <class T>
SINEW_HD T depth(const Vec3<T>& x) {
  using std::sqrt;
  return x.x - sqrt(x.y * x.y + x.z * x.z);
}

/// x0^2 - x1^2 - x2^2 without cancellation.
template <class T>
SINEW_HD T determinant(const Vec3<T>& x) {
  using std::sqrt;
  const T t = sqrt(x.y * x.y + x.z * x.z);
  return (x.x - t) * (x.x + t);
}

/// Jordan product; (1, 0, 0) is its unit.
template <class T>
SINEW_HD Vec3<T> product(const Vec3<T>& a, const Vec3<T>& b) {
  return {dot(a, b), a.x * b.y + b.x * a.y, a.x * b.z + b.x * a.z};
}

/// y with a o y = b, for a inside the cone.
template <class T>
SINEW_HD Vec3<T> quotient(const Vec3<T>& b, const Vec3<T>& a) {
  const T y0 = (a.x * b.x - a.y * b.y - a.z * b.z) / determinant(a);
  return {y0, (b.y - a.y * y0) / a.x, (b.z - a.z * y0) / a.x};
}

/// Largest step along d for which x + step d stays in the cone, at most `most`.
template <class T>
SINEW_HD T longest_step(const Vec3<T>& x, const Vec3<T>& d, T most) {
  using std::sqrt;
  T step = most;
  if (d.x < T(0) && -x.x / d.x < step) step = -x.x / d.x;
  // a s^2 + 2 b s + c = 0 at the boundary, c > 0.
  const T a = determinant(d), b = x.x * d.x - x.y * d.y - x.z * d.z, c = determinant(x);
  const T disc = b * b - a * c;
  if (disc < T(0)) return step;
  const T q = -(b + (b >= T(0) ? sqrt(disc) : -sqrt(disc)));
  if (a != T(0) && q / a > T(0) && q / a < step) step = q / a;
  if (q != T(0) && c / q > T(0) && c / q < step) step = c / q;
  return step;
}

/// Symmetric W with W v = W^-1 x: W = eta (w0, w'; w, I + w w' / (1 + w0)), w0^2 - |w|^2 = 1.
template <class T>
struct Scaling {
  T eta = T(1);
  Vec3<T> w{T(1), T(0), T(0)};

  SINEW_HD static Scaling between(const Vec3<T>& x, const Vec3<T>& v) {
    using std::sqrt;
    const T dx = sqrt(determinant(x)), dv = sqrt(determinant(v));
    const Vec3<T> a = x / dx, b = v / dv;
    const T gamma = sqrt((T(1) + dot(a, b)) / T(2));
    const T f = T(1) / (T(2) * gamma);
    return {sqrt(dx / dv), {f * (a.x + b.x), f * (a.y - b.y), f * (a.z - b.z)}};
  }
  SINEW_HD Vec3<T> apply(const Vec3<T>& z) const { return eta * hyperbolic(z, T(1)); }
  SINEW_HD Vec3<T> apply_inverse(const Vec3<T>& z) const { return hyperbolic(z, T(-1)) / eta; }
  /// W^-2 = (2 u u' - J) / eta^2, u = J w, J = diag(1, -1, -1).
  SINEW_HD Mat3<T> inverse_squared() const {
    const Vec3<T> u{w.x, -w.y, -w.z};
    Mat3<T> m;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m(i, j) = T(2) * u[i] * u[j] - (i == j ? (i == 0 ? T(1) : T(-1)) : T(0));
    return m * (T(1) / (eta * eta));
  }

 private:
  SINEW_HD Vec3<T> hyperbolic(const Vec3<T>& z, T sign) const {
    const T along = w.y * z.y + w.z * z.z, f = sign * z.x + along / (T(1) + w.x);
    return {w.x * z.x + sign * along, z.y + f * w.y, z.z + f * w.z};
  }
};

}  // namespace sinew::cone
