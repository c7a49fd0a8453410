// 3 x 2 matrix: deformation gradient and stress of triangles. Usable on host and device.
#pragma once

#include <sinew/base/vec3.hpp>

namespace sinew {

/// Row-major 2 x 2 matrix; zero by default.
template <class T>
struct Mat2 {
  T m[2][2]{};

  SINEW_HD constexpr T& operator()(int i, int j) { return m[i][j]; }
  SINEW_HD constexpr const T& operator()(int i, int j) const { return m[i][j]; }
};
using Mat2d = Mat2<double>;

template <class T>
SINEW_HD constexpr Mat2<T> transpose(const Mat2<T>& a) {
  Mat2<T> r;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) r.m[i][j] = a.m[j][i];
  return r;
}

/// Two columns of three components; zero by default.
template <class T>
struct Mat32 {
  T m[3][2]{};

  SINEW_HD constexpr T& operator()(int i, int j) { return m[i][j]; }
  SINEW_HD constexpr const T& operator()(int i, int j) const { return m[i][j]; }

  SINEW_HD static constexpr Mat32 columns(const Vec3<T>& a, const Vec3<T>& b) {
    Mat32 r;
    for (int i = 0; i < 3; ++i) {
      r.m[i][0] = a[i];
      r.m[i][1] = b[i];
    }
    return r;
  }
  SINEW_HD constexpr Vec3<T> column(int j) const { return {m[0][j], m[1][j], m[2][j]}; }

  SINEW_HD constexpr Mat32& operator+=(const Mat32& o) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) m[i][j] += o.m[i][j];
    return *this;
  }
  SINEW_HD constexpr Mat32& operator-=(const Mat32& o) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) m[i][j] -= o.m[i][j];
    return *this;
  }
  SINEW_HD constexpr Mat32& operator*=(T s) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) m[i][j] *= s;
    return *this;
  }
  friend SINEW_HD constexpr Mat32 operator+(Mat32 a, const Mat32& b) { return a += b; }
  friend SINEW_HD constexpr Mat32 operator-(Mat32 a, const Mat32& b) { return a -= b; }
  friend SINEW_HD constexpr Mat32 operator*(Mat32 a, T s) { return a *= s; }
  friend SINEW_HD constexpr Mat32 operator*(T s, Mat32 a) { return a *= s; }
  friend SINEW_HD constexpr Mat32 operator*(const Mat32& a, const Mat2<T>& b) {
    Mat32 r;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j];
    return r;
  }
};
using Mat32d = Mat32<double>;

/// Frobenius inner product A : B.
template <class T>
SINEW_HD constexpr T double_dot(const Mat32<T>& a, const Mat32<T>& b) {
  T s{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) s += a.m[i][j] * b.m[i][j];
  return s;
}

}  // namespace sinew
