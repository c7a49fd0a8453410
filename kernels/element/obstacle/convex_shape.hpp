// The analytic obstacles behind one type, and the plane that a point on its way gets from one of them; host
// and device. All in the obstacle's coordinates.
#pragma once

#include <cmath>

#include "kernels/element/obstacle/obstacle_list.hpp"

namespace sinew {

enum class ShapeKind { none, half_space, sphere, box, capsule, cylinder };

/// none: infinitely far (meshes are met surface against surface, not point by point).
struct ConvexShape {
  ShapeKind kind = ShapeKind::none;
  Vec3d size;  ///< [m] half extents of a box; of the others radius and, of two of them, half length
};

SINEW_HD inline SurfaceQuery<double> query_shape(const ConvexShape& shape, const Vec3d& x) {
  switch (shape.kind) {
    case ShapeKind::half_space:
      return query_half_space(x);
    case ShapeKind::sphere:
      return query_sphere(shape.size.x, x);
    case ShapeKind::box:
      return query_box(shape.size, x);
    case ShapeKind::capsule:
      return query_capsule(shape.size.x, shape.size.y, x);
    case ShapeKind::cylinder:
      return query_cylinder(shape.size.x, shape.size.y, x);
    case ShapeKind::none:
      break;
  }
  return {HUGE_VAL, {0.0, 0.0, 1.0}, x};
}

/// Largest n . x over the shape [m], n a unit vector: where its supporting plane lies.
SINEW_HD inline double support(const ConvexShape& shape, const Vec3d& n) {
  using std::abs;
  using std::hypot;
  switch (shape.kind) {
    case ShapeKind::half_space:
      return 0.0;  // n is its normal
    case ShapeKind::sphere:
      return shape.size.x;
    case ShapeKind::box:
      return abs(n.x) * shape.size.x + abs(n.y) * shape.size.y + abs(n.z) * shape.size.z;
    case ShapeKind::capsule:
      return shape.size.x + abs(n.z) * shape.size.y;
    case ShapeKind::cylinder:
      return shape.size.x * hypot(n.x, n.y) + abs(n.z) * shape.size.y;
    case ShapeKind::none:
      break;
  }
  return HUGE_VAL;
}

/// Whether the segment a -> b meets the shape, and where first (sphere tracing; a outside).
SINEW_HD inline bool first_hit(const ConvexShape& shape, const Vec3d& a, const Vec3d& b, Vec3d& hit) {
  const double length = norm(b - a);
  if (length == 0.0) return false;
  const double tolerance = 1e-9 * length + 1e-15;
  double t = 0.0;
  for (int step = 0; step < 64 && t < length; ++step) {
    hit = a + (t / length) * (b - a);
    const double d = query_shape(shape, hit).distance;
    if (d <= tolerance) return true;
    t += d;
  }
  if (t >= length) {
    hit = b;
    return query_shape(shape, b).distance <= 0.0;
  }
  // Grazing: steps as short as the distance get nowhere. The signed distance of a convex shape is convex
  // along the path: its minimum by sections of a third, then the first zero before it by bisection.
  const auto at = [&](double s) { return a + (s / length) * (b - a); };
  double low = t, high = length;
  for (int step = 0; step < 100 && high - low > tolerance; ++step) {
    const double first = low + (high - low) / 3.0, second = high - (high - low) / 3.0;
    if (query_shape(shape, at(first)).distance <= query_shape(shape, at(second)).distance)
      high = second;
    else
      low = first;
  }
  if (query_shape(shape, at(high)).distance > tolerance) return false;
  low = t;
  for (int step = 0; step < 60 && high - low > tolerance; ++step) {
    const double middle = 0.5 * (low + high);
    (query_shape(shape, at(middle)).distance > 0.0 ? low : high) = middle;
  }
  hit = at(low);
  return true;
}

/// A plane that has the shape behind it.
struct ShapePlane {
  SurfaceQuery<double> at;      ///< normal and a point of the plane
  double start_distance = 0.0;  ///< [m] of the way's start to the shape, or to the plane of the way out
};

/// Whether the way start -> end comes within reach [m], and the plane for it: of the nearest point at the
/// end, of the first hit, of the way out of an overlap. exit: unit vector by which all leave, or zero.
SINEW_HD inline bool find_plane(const ConvexShape& shape, const Vec3d& start, const Vec3d& end, double reach,
                                const Vec3d& exit, ShapePlane& plane) {
  plane.at = query_shape(shape, end);
  const double path = norm(end - start), end_distance = plane.at.distance;
  if (end_distance > reach + path) return false;

  const SurfaceQuery<double> at_start = query_shape(shape, start);
  plane.start_distance = at_start.distance;
  Vec3d hit;
  if (squared_norm(exit) > 0.0) {
    const double height = support(shape, exit), start_height = dot(exit, start) - height;
    if (dot(exit, end) - height > reach) return false;
    plane = {{start_height, exit, start - start_height * exit}, start_height};
  } else if (at_start.distance <= 0.0) {
    plane.at = at_start;
    // Touching, maybe at an edge where several faces are nearest: the face that the motion runs into counts.
    const double touch = 1e-9 * (1.0 + norm(start));
    if (at_start.distance >= -touch && path > 0.0) {
      const SurfaceQuery<double> outside =
          query_shape(shape, start - ((2.0 * touch + 1e-6 * path) / path) * (end - start));
      if (outside.distance > 0.0) plane.at = outside;
    }
  } else if (first_hit(shape, start, end, hit)) {
    // At the hit the distance is zero and its direction ill-defined: look from just outside.
    const double longest = 1e-6 * path + 1e-9, back = longest < path ? longest : path;
    plane.at = query_shape(shape, hit + (back / path) * (start - hit));
    if (plane.at.distance <= 0.0) plane.at = at_start;
  } else if (end_distance > reach) {
    return false;
  }
  return true;
}

}  // namespace sinew
