// Signorini-Coulomb law of one contact point, in its own frame [n, t1, t2]. All rows in metres.
#pragma once

#include <sinew/base/vec3.hpp>

namespace sinew {

/// Orthonormal frame whose first vector is the normal n (unit); tangents by the axis least aligned with n.
template <class T>
struct ContactFrame {
  Vec3<T> n, t1, t2;
};

template <class T>
SINEW_HD ContactFrame<T> make_contact_frame(const Vec3<T>& n) {
  const T ax = n.x < 0 ? -n.x : n.x, ay = n.y < 0 ? -n.y : n.y, az = n.z < 0 ? -n.z : n.z;
  const Vec3<T> axis =
      ax <= ay && ax <= az ? Vec3<T>{1, 0, 0} : (ay <= az ? Vec3<T>{0, 1, 0} : Vec3<T>{0, 0, 1});
  const Vec3<T> t1 = normalized(axis - dot(axis, n) * n);
  return {n, t1, cross(n, t1)};
}

/// Exact force of one contact whose own compliance is r I_3 [m/N]: u = (gap, slip) without its own force.
/// Take off, stick, or slide on the cone (closed form, because the block is isotropic).
template <class T>
SINEW_HD Vec3<T> solve_coulomb_point(const Vec3<T>& u, T r, T friction) {
  using std::sqrt;
  if (!(u.x < T(0)) || !(r > T(0))) return {0, 0, 0};
  const T normal = -u.x / r;
  const T slip = sqrt(u.y * u.y + u.z * u.z);
  const T limit = friction * normal;
  if (slip <= limit * r) return {normal, -u.y / r, -u.z / r};
  const T scale = -limit / slip;
  return {normal, scale * u.y, scale * u.z};
}

/// Projection on the Coulomb cone |f_t| <= friction f_n.
template <class T>
SINEW_HD Vec3<T> project_on_cone(const Vec3<T>& f, T friction) {
  using std::sqrt;
  const T t = sqrt(f.y * f.y + f.z * f.z);
  if (f.x >= T(0) && t <= friction * f.x) return f;
  if (friction * t <= -f.x) return {0, 0, 0};
  const T n = (f.x + friction * t) / (T(1) + friction * friction);
  const T scale = t > T(0) ? friction * n / t : T(0);
  return {n, scale * f.y, scale * f.z};
}

/// Natural map of the law with De Saxce's change of variable [m]: r |f - P_K(f - (g + mu |d|, d)/r)|; zero
/// exactly where (u, f) satisfies Signorini and Coulomb. u = (gap, slip) with the force f acting.
template <class T>
SINEW_HD T natural_map_residual(const Vec3<T>& u, const Vec3<T>& f, T r, T friction) {
  using std::sqrt;
  if (!(r > T(0))) return T(0);
  const T slip = sqrt(u.y * u.y + u.z * u.z);
  const Vec3<T> w{u.x + friction * slip, u.y, u.z};
  return r * norm(f - project_on_cone(f - w / r, friction));
}

}  // namespace sinew
