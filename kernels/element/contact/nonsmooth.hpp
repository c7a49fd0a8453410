// One row of the non-smooth Newton system of contact: value phi [m], and the derivatives that the scheme
// claims, d phi / d (gap or slip) = omega [1] and d phi / d force = e [m/N]. All rows in metres, r = h^2
// W_jj. Complementarity functions: Fischer 1992; minimum map. Friction: e l_t replaces the direction of slip,
// so that e is no derivative, but what makes phi vanish at the law of Coulomb (design, section 3).
#pragma once

#include <cmath>

#include <sinew/base/vec3.hpp>

namespace sinew {

enum class Complementarity { fischer_burmeister, minimum_map };

template <class T>
struct NonsmoothRow {
  T phi, omega, e;
};

/// 0 <= gap perp force >= 0.
template <class T>
SINEW_HD NonsmoothRow<T> nonsmooth_normal(T gap, T force, T r, Complementarity function) {
  using std::sqrt;
  const T scaled = r * force;
  if (function == Complementarity::minimum_map)
    return gap <= scaled ? NonsmoothRow<T>{gap, T(1), T(0)} : NonsmoothRow<T>{scaled, T(0), r};
  const T root = sqrt(gap * gap + scaled * scaled);
  if (!(root > T(0))) {  // any element of the generalised derivative: the one in the middle
    const T middle = T(1) - T(1) / sqrt(T(2));
    return {T(0), middle, r * middle};
  }
  return {gap + scaled - root, T(1) - gap / root, r * (T(1) - scaled / root)};
}

/// The force l >= 0 with omega(gap, r l) l = applied: where the published form stands when `applied` acts.
/// One root: the left side rises with l. Fischer-Burmeister only; the minimum map knows omega = 1 or no
/// force.
template <class T>
SINEW_HD T nonsmooth_unweighted(T gap, T applied, T r) {
  using std::sqrt;
  if (!(applied > T(0))) return T(0);
  if (gap == T(0)) return applied;
  // omega <= 2 and l >= applied / 2; with gap > 0, r l omega >= r l - gap, so that l <= applied + gap / r.
  T low = T(0.5) * applied, high = applied + (gap > T(0) ? gap / r : T(0));
  for (int k = 0; k < 100 && high - low > T(1e-15) * high; ++k) {
    const T l = T(0.5) * (low + high), s = r * l;
    ((T(1) - gap / sqrt(gap * gap + s * s)) * l < applied ? low : high) = l;
  }
  return T(0.5) * (low + high);
}

/// e of the friction rows phi = d + e l_t: zero where the contact sticks, |d| / (mu l_n) where it slides.
/// slip = |d| [m], tangential = |l_t| <= limit = mu l_n [N]. Capped at 1e6 r.
template <class T>
SINEW_HD T nonsmooth_friction(T slip, T tangential, T limit, T r, Complementarity function) {
  using std::sqrt;
  if (!(slip > T(0))) return T(0);
  const T cap = T(1e6) * r;
  const T room = r * (limit - tangential);
  T phi = room < slip ? room : slip;
  if (function == Complementarity::fischer_burmeister) phi = slip + room - sqrt(slip * slip + room * room);
  const T below = r * tangential + phi;
  if (!(below > T(0))) return cap;
  const T e = r * (slip - phi) / below;
  return e < T(0) ? T(0) : (e < cap ? e : cap);
}

/// The three rows of one point, along its frame.
template <class T>
struct NonsmoothPoint {
  Vec3<T> phi, omega, e;
};

/// Least omega of a row that is in the system.
inline constexpr double kLeastOmega = 1e-12;

/// Rows that have left the system: no value, no coupling, a unit on the diagonal.
template <class T>
SINEW_HD NonsmoothPoint<T> nonsmooth_left() {
  return {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
}

/// u = (gap, slip) [m], f [N] in the frame of a contact.
template <class T>
SINEW_HD NonsmoothPoint<T> nonsmooth_contact(const Vec3<T>& u, const Vec3<T>& f, T r, T friction,
                                             Complementarity function) {
  using std::hypot;
  NonsmoothPoint<T> rows = nonsmooth_left<T>();
  const NonsmoothRow<T> normal = nonsmooth_normal(u.x, f.x, r, function);
  rows.phi.x = normal.phi;
  rows.omega.x = normal.omega > T(kLeastOmega) ? normal.omega : T(kLeastOmega);
  rows.e.x = normal.e;
  const T limit = friction * f.x;
  if (!(f.x > T(0)) || !(limit > T(0))) return rows;
  T ty = f.y, tz = f.z;
  const T size = hypot(ty, tz);
  if (size > limit) {  // on its cone first: beyond twice the limit the denominator turns negative
    ty *= limit / size;
    tz *= limit / size;
  }
  const T e = nonsmooth_friction(hypot(u.y, u.z), size < limit ? size : limit, limit, r, function);
  rows.phi.y = u.y + e * ty;
  rows.phi.z = u.z + e * tz;
  rows.omega.y = rows.omega.z = T(1);
  rows.e.y = rows.e.z = e;
  return rows;
}

/// U + compliance f = 0.
template <class T>
SINEW_HD NonsmoothPoint<T> nonsmooth_held(const Vec3<T>& u, const Vec3<T>& f, T compliance) {
  return {u + compliance * f, {1, 1, 1}, {compliance, compliance, compliance}};
}

/// value: that of the row, compliance * force included; r: its own compliance, that one included.
template <class T>
SINEW_HD NonsmoothRow<T> nonsmooth_scalar(T value, T force, T r, T compliance, bool one_sided,
                                          Complementarity function) {
  if (!(r > T(0))) return {T(0), T(0), T(1)};
  NonsmoothRow<T> row{value, T(1), T(0)};
  if (one_sided) row = nonsmooth_normal(value, force, r, function);
  return {row.phi, row.omega > T(kLeastOmega) ? row.omega : T(kLeastOmega), row.e + row.omega * compliance};
}

/// Back on the law: the normal force first, then the tangent inside the cone.
template <class T>
SINEW_HD Vec3<T> normal_then_cone(Vec3<T> f, T friction) {
  using std::hypot;
  f.x = f.x > T(0) ? f.x : T(0);
  const T limit = friction * f.x, size = hypot(f.y, f.z);
  if (size > limit) {
    f.y *= limit / size;
    f.z *= limit / size;
  }
  return f;
}

}  // namespace sinew
