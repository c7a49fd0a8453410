// Closest points of point and triangle, and of two segments, with degenerate shapes (triangles that are a
// segment or a point, segments that are a point). Regions as in Ericson, Real-Time Collision Detection
// (2005), 5.1.5 and 5.1.9; no tolerance with a unit.
#pragma once

#include <sinew/base/vec3.hpp>

namespace sinew {

/// Part of a triangle (a, b, c): its face, an edge (k: from corner k to the next), or a corner.
enum class TrianglePart { face, edge_0, edge_1, edge_2, corner_0, corner_1, corner_2 };

template <class T>
struct TrianglePoint {
  T weight[3] = {T(1), T(0), T(0)};  ///< barycentric, of a, b, c
  TrianglePart part = TrianglePart::corner_0;
};

template <class T>
struct SegmentPoints {
  T s = T(0), t = T(0);  ///< in [0, 1] along the first and the second segment
};

template <class T>
SINEW_HD T clamp_unit(T x) {
  return x > T(0) ? (x < T(1) ? x : T(1)) : T(0);  // NaN becomes 0
}

/// Place in [0, 1] along a -> b nearest to x; 0 where the segment is a point.
template <class T>
SINEW_HD T closest_on_segment(const Vec3<T>& x, const Vec3<T>& a, const Vec3<T>& b) {
  const Vec3<T> e = b - a;
  const T length2 = squared_norm(e);
  return length2 > T(0) ? clamp_unit(dot(x - a, e) / length2) : T(0);
}

template <class T>
SINEW_HD Vec3<T> triangle_point(const TrianglePoint<T>& p, const Vec3<T>& a, const Vec3<T>& b,
                                const Vec3<T>& c) {
  return p.weight[0] * a + p.weight[1] * b + p.weight[2] * c;
}

template <class T>
SINEW_HD TrianglePoint<T> closest_on_triangle(const Vec3<T>& x, const Vec3<T>& a, const Vec3<T>& b,
                                              const Vec3<T>& c) {
  TrianglePoint<T> result;
  const Vec3<T> corner[3] = {a, b, c};
  const Vec3<T> n = cross(b - a, c - a);
  const T n2 = squared_norm(n);
  // Areas opposite to each corner: all positive where x is above the face. Corners are subtracted from x
  // first, so that far away from the origin nothing is lost.
  const T wa = dot(cross(b - x, c - x), n), wb = dot(cross(c - x, a - x), n), wc = n2 - wa - wb;
  if (n2 > T(0) && wa > T(0) && wb > T(0) && wc > T(0)) {
    result.weight[0] = wa / n2;
    result.weight[1] = wb / n2;
    result.weight[2] = T(1) - result.weight[0] - result.weight[1];
    result.part = TrianglePart::face;
    return result;
  }
  T best = T(-1);
  for (int k = 0; k < 3; ++k) {
    const int next = k == 2 ? 0 : k + 1;
    const T t = closest_on_segment(x, corner[k], corner[next]);
    const T d2 = squared_norm(x - corner[k] - t * (corner[next] - corner[k]));
    if (best >= T(0) && !(d2 < best)) continue;
    best = d2;
    result.weight[0] = result.weight[1] = result.weight[2] = T(0);
    result.weight[k] = T(1) - t;
    result.weight[next] = t;
    result.part = static_cast<TrianglePart>(t <= T(0) ? 4 + k : (t >= T(1) ? 4 + next : 1 + k));
  }
  return result;
}

/// Of the segments p0 -> p1 and q0 -> q1. Parallel segments: the middle of the stretch where they face each
/// other.
template <class T>
SINEW_HD SegmentPoints<T> closest_on_segments(const Vec3<T>& p0, const Vec3<T>& p1, const Vec3<T>& q0,
                                              const Vec3<T>& q1) {
  const Vec3<T> d = p1 - p0, e = q1 - q0, r = p0 - q0;
  const T dd = squared_norm(d), ee = squared_norm(e), de = dot(d, e), er = dot(e, r), dr = dot(d, r);
  if (!(dd > T(0))) return {T(0), closest_on_segment(p0, q0, q1)};
  if (!(ee > T(0))) return {closest_on_segment(q0, p0, p1), T(0)};
  const T determinant = dd * ee - de * de;  // dd ee sin^2
  SegmentPoints<T> result;
  if (determinant > T(1e-12) * dd * ee) {
    result.s = clamp_unit((de * er - dr * ee) / determinant);
  } else {
    T s0 = clamp_unit(-dr / dd), s1 = clamp_unit((de - dr) / dd);  // the ends of q seen from p
    result.s = (s0 + s1) / T(2);
  }
  result.t = (de * result.s + er) / ee;
  if (!(result.t > T(0)) || !(result.t < T(1))) {
    result.t = clamp_unit(result.t);
    result.s = clamp_unit((de * result.t - dr) / dd);
  }
  return result;
}

}  // namespace sinew
