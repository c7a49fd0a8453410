// Signed distance of analytic obstacles in local coordinates (z up): exact outside and inside.
// All shapes are convex, so the plane through the nearest point, orthogonal to the normal, has the whole
// obstacle on one side: a point on the other side cannot penetrate.
#pragma once

#include <sinew/base/mat3.hpp>

namespace sinew {

/// Distance [m] (negative inside), outward unit normal and nearest surface point.
template <class T>
struct SurfaceQuery {
  T distance;
  Vec3<T> normal;
  Vec3<T> point;
};

/// z <= 0 is solid.
template <class T>
SINEW_HD SurfaceQuery<T> query_half_space(const Vec3<T>& x) {
  return {x.z, {0, 0, 1}, {x.x, x.y, 0}};
}

template <class T>
SINEW_HD SurfaceQuery<T> query_sphere(T radius, const Vec3<T>& x) {
  const T d = norm(x);
  const Vec3<T> n = d > T(0) ? x / d : Vec3<T>{0, 0, 1};
  return {d - radius, n, radius * n};
}

template <class T>
SINEW_HD SurfaceQuery<T> query_capsule(T radius, T half_length, const Vec3<T>& x) {
  const T z = x.z < -half_length ? -half_length : (x.z > half_length ? half_length : x.z);
  const Vec3<T> center{0, 0, z};
  const Vec3<T> r = x - center;
  const T d = norm(r);
  const Vec3<T> n = d > T(0) ? r / d : Vec3<T>{1, 0, 0};
  return {d - radius, n, center + radius * n};
}

template <class T>
SINEW_HD SurfaceQuery<T> query_box(const Vec3<T>& half, const Vec3<T>& x) {
  Vec3<T> clamped;
  bool inside = true;
  for (int i = 0; i < 3; ++i) {
    clamped[i] = x[i] < -half[i] ? -half[i] : (x[i] > half[i] ? half[i] : x[i]);
    inside = inside && x[i] > -half[i] && x[i] < half[i];
  }
  if (!inside) {
    const Vec3<T> r = x - clamped;
    const T d = norm(r);
    if (d > T(0)) return {d, r / d, clamped};
  }
  // Inside or on the surface: nearest face; ties go to the first axis.
  int axis = 0;
  T best = half[0] - (x.x < 0 ? -x.x : x.x);
  for (int i = 1; i < 3; ++i) {
    const T depth = half[i] - (x[i] < 0 ? -x[i] : x[i]);
    if (depth < best) {
      best = depth;
      axis = i;
    }
  }
  Vec3<T> n{}, p = clamped;
  n[axis] = x[axis] < 0 ? T(-1) : T(1);
  p[axis] = n[axis] * half[axis];
  return {-best, n, p};
}

/// Solid cylinder with flat ends: a box in (radial, axial) coordinates.
template <class T>
SINEW_HD SurfaceQuery<T> query_cylinder(T radius, T half_length, const Vec3<T>& x) {
  using std::sqrt;
  const T rho = sqrt(x.x * x.x + x.y * x.y);
  const Vec3<T> radial = rho > T(0) ? Vec3<T>{x.x / rho, x.y / rho, 0} : Vec3<T>{1, 0, 0};
  const T side = x.z < 0 ? T(-1) : T(1);
  const T dr = rho - radius, dz = (x.z < 0 ? -x.z : x.z) - half_length;
  if (dr > T(0) && dz > T(0)) {
    const T d = sqrt(dr * dr + dz * dz);
    const Vec3<T> n = (dr / d) * radial + Vec3<T>{0, 0, side * dz / d};
    return {d, n, radius * radial + Vec3<T>{0, 0, side * half_length}};
  }
  if (dr >= dz) return {dr, radial, radius * radial + Vec3<T>{0, 0, x.z}};
  return {dz, {0, 0, side}, {x.x, x.y, side * half_length}};
}

}  // namespace sinew
