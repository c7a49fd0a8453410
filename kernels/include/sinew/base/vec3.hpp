// Three-component vector, usable on host and device; part of the public API.
#pragma once

#include <cmath>

#include <sinew/base/config.hpp>

namespace sinew {

/// Plain aggregate of three components; no invariant, zero by default.
template <class T>
struct Vec3 {
  T x{};
  T y{};
  T z{};

  SINEW_HD constexpr T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  SINEW_HD constexpr const T& operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }

  SINEW_HD constexpr Vec3& operator+=(const Vec3& o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  SINEW_HD constexpr Vec3& operator-=(const Vec3& o) {
    x -= o.x;
    y -= o.y;
    z -= o.z;
    return *this;
  }
  SINEW_HD constexpr Vec3& operator*=(T s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
  friend SINEW_HD constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
  friend SINEW_HD constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
  friend SINEW_HD constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend SINEW_HD constexpr Vec3 operator*(Vec3 a, T s) { return a *= s; }
  friend SINEW_HD constexpr Vec3 operator*(T s, Vec3 a) { return a *= s; }
  friend SINEW_HD constexpr Vec3 operator/(Vec3 a, T s) { return {a.x / s, a.y / s, a.z / s}; }
  friend SINEW_HD constexpr bool operator==(const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }
};

using Vec3d = Vec3<double>;

template <class T>
SINEW_HD constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
SINEW_HD constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
SINEW_HD constexpr T squared_norm(const Vec3<T>& a) {
  return dot(a, a);
}

template <class T>
SINEW_HD T norm(const Vec3<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// a / |a|; the zero vector stays zero.
template <class T>
SINEW_HD Vec3<T> normalized(const Vec3<T>& a) {
  const T length = norm(a);
  return length > T(0) ? a / length : a;
}

template <class T>
SINEW_HD constexpr Vec3<T> component_min(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

template <class T>
SINEW_HD constexpr Vec3<T> component_max(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

inline bool is_finite(const Vec3d& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

}  // namespace sinew
