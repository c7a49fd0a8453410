// Continuous collision detection: the first time in [0, 1] at which a point meets a triangle, or a segment a
// segment, all corners moving along straight lines.
//
// Both are coplanar at the roots of a cubic u . (v x w), u, v, w linear in time (Provot 1997). The cubic is
// written in Bernstein form: coefficients of one sign mean no root, and halving isolates the first one
// without dividing. A root counts where the two really are within `reach` of each other. Where the cubic
// vanishes (motion in a plane, parallel segments, degenerate shapes) the distance decides: steps of the
// distance over a bound on the relative motion never pass a contact (Li et al. 2021, Codimensional
// Incremental Potential Contact, section 4.2).
#pragma once

#include <cmath>

#include "kernels/element/contact/distance.hpp"

namespace sinew {

/// Corners at time 0 and 1; a pair (x, triangle) has corners x, a, b, c, a pair of segments p0, p1, q0, q1.
template <class T>
struct MovingCorners {
  Vec3<T> start[4], end[4];

  SINEW_HD Vec3<T> at(int k, T time) const { return start[k] + time * (end[k] - start[k]); }
};

template <class T>
struct FirstHit {
  bool hit = false;
  T time = T(0);
};

/// Distance [m] of point and triangle, or of two segments, at a time.
template <class T, bool kSegments>
SINEW_HD T distance_at(const MovingCorners<T>& m, T time) {
  const Vec3<T> x0 = m.at(0, time), x1 = m.at(1, time), x2 = m.at(2, time), x3 = m.at(3, time);
  if constexpr (kSegments) {
    const SegmentPoints<T> c = closest_on_segments(x0, x1, x2, x3);
    return norm(x0 + c.s * (x1 - x0) - x2 - c.t * (x3 - x2));
  } else {
    return norm(x0 - triangle_point(closest_on_triangle(x0, x1, x2, x3), x1, x2, x3));
  }
}

/// Bound [m] on how much the distance can change over the whole step.
template <class T, bool kSegments>
SINEW_HD T motion_bound(const MovingCorners<T>& m) {
  Vec3<T> d[4];
  for (int k = 0; k < 4; ++k) d[k] = m.end[k] - m.start[k];
  constexpr int kFirst = kSegments ? 2 : 1;  // corners of the first shape
  T most = T(0);
  for (int i = 0; i < kFirst; ++i)  // the distance changes no faster than the fastest pair of points
    for (int j = kFirst; j < 4; ++j) {
      const T relative = squared_norm(d[i] - d[j]);
      if (relative > most) most = relative;
    }
  return std::sqrt(most);
}

/// First time at which the distance is at most reach, by steps that cannot pass it. After kMostSteps (sliding
/// along at little more than reach) the time reached counts as a hit: too early, never too late.
template <class T, bool kSegments>
SINEW_HD FirstHit<T> first_approach(const MovingCorners<T>& m, T reach) {
  constexpr int kMostSteps = 64;
  const T speed = motion_bound<T, kSegments>(m);
  T time = T(0);
  for (int step = 0; step < kMostSteps; ++step) {
    const T distance = distance_at<T, kSegments>(m, time);
    if (distance <= reach) return {true, time};
    // A little more than the sure step, or it would take for ever to arrive: reach is met within a tenth.
    const T advance = distance - T(0.9) * reach;
    if (advance >= speed * (T(1) - time)) return {};
    time += advance / speed;
  }
  return {true, time};
}

namespace ccd_detail {

template <class T>
SINEW_HD T triple(const Vec3<T>& u, const Vec3<T>& v, const Vec3<T>& w) {
  return dot(u, cross(v, w));
}

template <class T>
SINEW_HD T magnitude(T x) {
  return x < T(0) ? -x : x;
}

}  // namespace ccd_detail

/// Bernstein coefficients of u . (v x w) over the step, and a bound on their rounding error.
template <class T>
struct CoplanarCubic {
  T b[4];
  T error;
};

template <class T, bool kSegments>
SINEW_HD CoplanarCubic<T> coplanar_cubic(const MovingCorners<T>& m) {
  using ccd_detail::triple;
  const Vec3<T>*s = m.start, *e = m.end;
  const Vec3<T> u0 = kSegments ? s[0] - s[2] : s[0] - s[1], u1 = kSegments ? e[0] - e[2] : e[0] - e[1];
  const Vec3<T> v0 = kSegments ? s[1] - s[0] : s[2] - s[1], v1 = kSegments ? e[1] - e[0] : e[2] - e[1];
  const Vec3<T> w0 = kSegments ? s[3] - s[2] : s[3] - s[1], w1 = kSegments ? e[3] - e[2] : e[3] - e[1];
  CoplanarCubic<T> c;
  c.b[0] = triple(u0, v0, w0);
  c.b[1] = (triple(u1, v0, w0) + triple(u0, v1, w0) + triple(u0, v0, w1)) / T(3);
  c.b[2] = (triple(u0, v1, w1) + triple(u1, v0, w1) + triple(u1, v1, w0)) / T(3);
  c.b[3] = triple(u1, v1, w1);
  const auto largest = [](const Vec3<T>& a, const Vec3<T>& b) {
    const T x = squared_norm(a), y = squared_norm(b);
    return std::sqrt(x > y ? x : y);
  };
  // Differences of corners carry the rounding of the corners themselves.
  T corner = T(0);
  for (int k = 0; k < 4; ++k) corner += squared_norm(s[k] - s[0]) + squared_norm(e[k] - s[0]);
  corner = std::sqrt(corner);
  T size = T(0);
  for (int k = 0; k < 4; ++k) size = std::fmax(size, std::fmax(squared_norm(s[k]), squared_norm(e[k])));
  constexpr T kRounding = sizeof(T) == 8 ? T(2e-16) : T(1e-7);
  const T lu = largest(u0, u1), lv = largest(v0, v1), lw = largest(w0, w1);
  c.error = T(16) * kRounding * (lu * lv * lw + std::sqrt(size) * (lu * lv + lv * lw + lw * lu));
  return c;
}

/// First hit of the pair. reach [m], > 0: how near they must be where they are coplanar; a small part of the
/// thickness, so that nothing slips between neighbours.
template <class T, bool kSegments>
SINEW_HD FirstHit<T> first_hit(const MovingCorners<T>& m, T reach) {
  using ccd_detail::magnitude;
  const CoplanarCubic<T> cubic = coplanar_cubic<T, kSegments>(m);
  T largest = T(0);
  for (const T b : cubic.b) largest = std::fmax(largest, magnitude(b));
  if (largest <= cubic.error) return first_approach<T, kSegments>(m, reach);

  struct Piece {
    T b[4];
    T low, high;
  };
  constexpr int kDepth = 44;
  Piece stack[kDepth + 2];
  int top = 0;
  stack[top++] = {{cubic.b[0], cubic.b[1], cubic.b[2], cubic.b[3]}, T(0), T(1)};
  int budget = 400;  // multiple roots: many small pieces
  while (top > 0 && budget-- > 0) {
    const Piece p = stack[--top];
    bool above = true, below = true;
    for (const T b : p.b) {
      above = above && b > cubic.error;
      below = below && b < -cubic.error;
    }
    if (above || below) continue;
    const T width = p.high - p.low;
    if (width < T(1e-9) || top >= kDepth) {
      const T distance = distance_at<T, kSegments>(m, p.low);
      if (distance <= reach + width * motion_bound<T, kSegments>(m)) return {true, p.low};
      continue;
    }
    // de Casteljau at the middle.
    const T h01 = (p.b[0] + p.b[1]) / T(2), h12 = (p.b[1] + p.b[2]) / T(2), h23 = (p.b[2] + p.b[3]) / T(2);
    const T h012 = (h01 + h12) / T(2), h123 = (h12 + h23) / T(2), half = (h012 + h123) / T(2);
    const T middle = (p.low + p.high) / T(2);
    stack[top++] = {{half, h123, h23, p.b[3]}, middle, p.high};
    stack[top++] = {{p.b[0], h01, h012, half}, p.low, middle};
  }
  // Too many pieces near zero: almost a motion in a plane.
  return budget > 0 ? FirstHit<T>{} : first_approach<T, kSegments>(m, reach);
}

template <class T>
SINEW_HD FirstHit<T> first_hit_point_triangle(const MovingCorners<T>& m, T reach) {
  return first_hit<T, false>(m, reach);
}

template <class T>
SINEW_HD FirstHit<T> first_hit_segments(const MovingCorners<T>& m, T reach) {
  return first_hit<T, true>(m, reach);
}

}  // namespace sinew
