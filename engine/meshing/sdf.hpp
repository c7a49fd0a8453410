// Signed distance functions: negative inside [m]. The primitives are exact; blends are not, but keep the
// sign.
#pragma once

#include <algorithm>
#include <cmath>

#include <sinew/base/vec3.hpp>

namespace sinew::sdf {

/// Point in a plane, for profiles that are extruded.
struct Point2 {
  double x = 0.0, y = 0.0;
};
inline double length(double x, double y) {
  return std::sqrt(x * x + y * y);
}

inline double sphere(const Vec3d& p, const Vec3d& centre, double radius) {
  return norm(p - centre) - radius;
}

/// Spheres along a segment whose radius goes from ra at its start to rb, |ra - rb| < its length.
/// x, y: distance along the axis and from it. Least value over u of sqrt((x-u)^2 + y^2) - radius(u), convex
/// in u.
inline double rounded_cone(double x, double y, double segment, double ra, double rb) {
  const double slope = (ra - rb) / segment;
  const double u = std::clamp(x - y * slope / std::sqrt(1.0 - slope * slope), 0.0, segment);
  return length(x - u, y) - (ra - slope * u);
}
inline double rounded_cone(const Vec3d& p, const Vec3d& a, const Vec3d& b, double ra, double rb) {
  const double segment = norm(b - a);
  const double x = dot(p - a, b - a) / segment;
  return rounded_cone(x, std::sqrt(std::max(0.0, squared_norm(p - a) - x * x)), segment, ra, rb);
}
inline double rounded_cone(const Point2& p, const Point2& a, const Point2& b, double ra, double rb) {
  const double dx = b.x - a.x, dy = b.y - a.y, segment = length(dx, dy);
  const double x = ((p.x - a.x) * dx + (p.y - a.y) * dy) / segment;
  return rounded_cone(x, std::abs((p.x - a.x) * dy - (p.y - a.y) * dx) / segment, segment, ra, rb);
}

inline double capsule(const Vec3d& p, const Vec3d& a, const Vec3d& b, double radius) {
  return rounded_cone(p, a, b, radius, radius);
}

/// Intersection of two half-spaces at right angles, from the distances to each: a convex edge.
inline double corner(double a, double b) {
  return std::min(std::max(a, b), 0.0) + length(std::max(a, 0.0), std::max(b, 0.0));
}
/// The same with an edge of the given radius.
inline double rounded_corner(double a, double b, double radius) {
  return corner(a + radius, b + radius) - radius;
}

/// Box with half extents and edges of the given radius.
inline double box(const Vec3d& p, const Vec3d& half, double radius = 0.0) {
  const Vec3d d = {std::abs(p.x) - half.x + radius, std::abs(p.y) - half.y + radius,
                   std::abs(p.z) - half.z + radius};
  return norm(component_max(d, Vec3d{})) + std::min(std::max({d.x, d.y, d.z}), 0.0) - radius;
}

/// Torus about z.
inline double torus(const Vec3d& p, double radius, double tube_radius) {
  return length(length(p.x, p.y) - radius, p.z) - tube_radius;
}

/// Cylinder along z.
inline double cylinder(const Vec3d& p, double radius, double half_height) {
  return corner(length(p.x, p.y) - radius, std::abs(p.z) - half_height);
}

/// Union with a fillet: the two distances are blended by a parabola where they differ by less than width.
inline double smooth_union(double a, double b, double width) {
  const double h = std::max(width - std::abs(a - b), 0.0);
  return std::min(a, b) - 0.25 * h * h / width;
}
/// a without b, with rounded edges.
inline double smooth_difference(double a, double b, double width) {
  return -smooth_union(-a, b, width);
}

}  // namespace sinew::sdf
