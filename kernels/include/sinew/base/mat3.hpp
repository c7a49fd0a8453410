// 3 x 3 matrix, usable on host and device; part of the public API (rotations).
#pragma once

#include <sinew/base/vec3.hpp>

namespace sinew {

/// Row-major 3 x 3 matrix; zero by default.
template <class T>
struct Mat3 {
  T m[3][3]{};

  SINEW_HD constexpr T& operator()(int i, int j) { return m[i][j]; }
  SINEW_HD constexpr const T& operator()(int i, int j) const { return m[i][j]; }

  SINEW_HD static constexpr Mat3 identity() {
    Mat3 r;
    r.m[0][0] = r.m[1][1] = r.m[2][2] = T(1);
    return r;
  }
  SINEW_HD static constexpr Mat3 diagonal(T a, T b, T c) {
    Mat3 r;
    r.m[0][0] = a;
    r.m[1][1] = b;
    r.m[2][2] = c;
    return r;
  }
  SINEW_HD static constexpr Mat3 columns(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    Mat3 r;
    for (int i = 0; i < 3; ++i) {
      r.m[i][0] = a[i];
      r.m[i][1] = b[i];
      r.m[i][2] = c[i];
    }
    return r;
  }

  SINEW_HD constexpr Vec3<T> column(int j) const { return {m[0][j], m[1][j], m[2][j]}; }
  SINEW_HD constexpr Vec3<T> row(int i) const { return {m[i][0], m[i][1], m[i][2]}; }

  SINEW_HD constexpr Mat3& operator+=(const Mat3& o) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] += o.m[i][j];
    return *this;
  }
  SINEW_HD constexpr Mat3& operator-=(const Mat3& o) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] -= o.m[i][j];
    return *this;
  }
  SINEW_HD constexpr Mat3& operator*=(T s) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[i][j] *= s;
    return *this;
  }
  friend SINEW_HD constexpr Mat3 operator+(Mat3 a, const Mat3& b) { return a += b; }
  friend SINEW_HD constexpr Mat3 operator-(Mat3 a, const Mat3& b) { return a -= b; }
  friend SINEW_HD constexpr Mat3 operator*(Mat3 a, T s) { return a *= s; }
  friend SINEW_HD constexpr Mat3 operator*(T s, Mat3 a) { return a *= s; }
  friend SINEW_HD constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
    Mat3 r;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return r;
  }
  friend SINEW_HD constexpr Vec3<T> operator*(const Mat3& a, const Vec3<T>& v) {
    return {a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
            a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
            a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z};
  }
};

using Mat3d = Mat3<double>;

template <class T>
SINEW_HD constexpr Mat3<T> transpose(const Mat3<T>& a) {
  Mat3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.m[i][j] = a.m[j][i];
  return r;
}

template <class T>
SINEW_HD constexpr T trace(const Mat3<T>& a) {
  return a.m[0][0] + a.m[1][1] + a.m[2][2];
}

/// Cofactor matrix, d det(F) / dF; its rows are cross products of rows of F.
template <class T>
SINEW_HD constexpr Mat3<T> cofactor(const Mat3<T>& a) {
  const Vec3<T> r0 = cross(a.row(1), a.row(2));
  const Vec3<T> r1 = cross(a.row(2), a.row(0));
  const Vec3<T> r2 = cross(a.row(0), a.row(1));
  Mat3<T> r;
  for (int j = 0; j < 3; ++j) {
    r.m[0][j] = r0[j];
    r.m[1][j] = r1[j];
    r.m[2][j] = r2[j];
  }
  return r;
}

template <class T>
SINEW_HD constexpr T determinant(const Mat3<T>& a) {
  return dot(a.row(0), cross(a.row(1), a.row(2)));
}

/// Inverse by cofactors; the caller makes sure that the determinant is not zero.
template <class T>
SINEW_HD constexpr Mat3<T> inverse(const Mat3<T>& a) {
  return transpose(cofactor(a)) * (T(1) / determinant(a));
}

/// Frobenius inner product A : B.
template <class T>
SINEW_HD constexpr T double_dot(const Mat3<T>& a, const Mat3<T>& b) {
  T s{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s += a.m[i][j] * b.m[i][j];
  return s;
}

/// Rotation by |v| radians about v (Rodrigues); exact identity at zero.
template <class T>
SINEW_HD Mat3<T> rotation_from_vector(const Vec3<T>& v) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const T angle2 = squared_norm(v);
  Mat3<T> k;
  k.m[0][1] = -v.z;
  k.m[0][2] = v.y;
  k.m[1][0] = v.z;
  k.m[1][2] = -v.x;
  k.m[2][0] = -v.y;
  k.m[2][1] = v.x;
  const T angle = sqrt(angle2);
  // sin(a)/a and (1 - cos a)/a^2, the latter as half the squared sinc of a/2: no cancellation.
  const T a = angle > T(0) ? sin(angle) / angle : T(1);
  const T half = angle > T(0) ? sin(angle / 2) / (angle / 2) : T(1);
  return Mat3<T>::identity() + a * k + (T(0.5) * half * half) * (k * k);
}

}  // namespace sinew
