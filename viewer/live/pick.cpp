// Rays against triangles and the shapes of obstacles, in the obstacle's coordinates.
#include "viewer/live/pick.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "viewer/render_geometry.hpp"

namespace sinew::viewer {
namespace {

constexpr double kMiss = std::numeric_limits<double>::infinity();

// All return the distance along the ray (unit direction), kMiss where there is none ahead. From inside a
// closed shape they give the way out: whoever is inside sees the far wall.

double first_ahead(double near, double far) {
  return near > 0.0 ? near : (far > 0.0 ? far : kMiss);
}

double hit_ball(const Ray& ray, const Vec3d& center, double radius) {
  const Vec3d o = ray.origin - center;
  const double half = dot(o, ray.direction);
  const double root = radius * radius - squared_norm(o - half * ray.direction);
  if (!(root >= 0.0)) return kMiss;
  return first_ahead(-half - std::sqrt(root), -half + std::sqrt(root));
}

double hit_box(const Ray& ray, const Vec3d& half) {
  double near = -kMiss, far = kMiss;
  for (int k = 0; k < 3; ++k) {
    const double o = ray.origin[k], d = ray.direction[k];
    if (d == 0.0) {
      if (std::abs(o) > half[k]) return kMiss;
      continue;
    }
    const double a = (-half[k] - o) / d, b = (half[k] - o) / d;
    near = std::max(near, std::min(a, b));
    far = std::min(far, std::max(a, b));
  }
  return near <= far ? first_ahead(near, far) : kMiss;
}

/// The mantle of a cylinder about z, without its ends.
double hit_mantle(const Ray& ray, double radius, double half_length) {
  const Vec3d &o = ray.origin, &d = ray.direction;
  const double a = d.x * d.x + d.y * d.y, b = o.x * d.x + o.y * d.y;
  const double c = o.x * o.x + o.y * o.y - radius * radius;
  const double root = b * b - a * c;
  if (!(a > 0.0) || !(root >= 0.0)) return kMiss;
  for (const double s : {(-b - std::sqrt(root)) / a, (-b + std::sqrt(root)) / a})
    if (s > 0.0 && std::abs(o.z + s * d.z) <= half_length) return s;
  return kMiss;
}

double hit_disc(const Ray& ray, double z, double radius) {
  const double s = ray.direction.z != 0.0 ? (z - ray.origin.z) / ray.direction.z : kMiss;
  if (!(s > 0.0) || s == kMiss) return kMiss;
  const Vec3d p = ray.at(s);
  return p.x * p.x + p.y * p.y <= radius * radius ? s : kMiss;
}

double hit_capsule(const Ray& ray, double radius, double half_length) {
  return std::min({hit_mantle(ray, radius, half_length), hit_ball(ray, {0, 0, half_length}, radius),
                   hit_ball(ray, {0, 0, -half_length}, radius)});
}

double hit_rod(const Ray& ray, const Vec3d& a, const Vec3d& b, double radius) {
  const double length = norm(b - a);
  if (!(length > 0.0)) return hit_ball(ray, a, radius);
  const Vec3d axis = (b - a) / length;
  const Vec3d aside = std::abs(axis.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0};
  const Vec3d u = normalized(cross(aside, axis));
  const Pose rod{Mat3d::columns(u, cross(axis, u), axis), 0.5 * (a + b)};
  return hit_capsule({rod.apply_inverse(ray.origin), transpose(rod.rotation) * ray.direction}, radius,
                     0.5 * length);
}

double hit_mesh(const Ray& ray, const MeshShape& shape) {
  const std::vector<Vec3d>& points = shape.mesh.points;
  double nearest = kMiss;
  if (const auto hit = pick_triangle(ray, points, shape.mesh.triangles)) nearest = hit->distance;
  if (shape.edges.empty() && shape.points.empty()) return nearest;
  const double radius = drawn_thickness(shape);
  const auto known = [&](Index i) { return i >= 0 && std::size_t(i) < points.size(); };
  for (const auto& [a, b] : shape.edges)
    if (known(a) && known(b))
      nearest = std::min(nearest, hit_rod(ray, points[std::size_t(a)], points[std::size_t(b)], radius));
  for (const Index i : shape.points)
    if (known(i)) nearest = std::min(nearest, hit_ball(ray, points[std::size_t(i)], radius));
  return nearest;
}

double hit_shape(const Ray& ray, const ObstacleShape& shape) {
  if (std::holds_alternative<HalfSpaceShape>(shape)) {
    const bool meets = ray.origin.z > 0.0 && ray.direction.z < 0.0;
    return meets ? -ray.origin.z / ray.direction.z : kMiss;
  }
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return hit_ball(ray, {}, sphere->radius);
  if (const auto* box = std::get_if<BoxShape>(&shape)) return hit_box(ray, box->half_extents);
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape))
    return hit_capsule(ray, capsule->radius, capsule->half_length);
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape))
    return std::min({hit_mantle(ray, cylinder->radius, cylinder->half_length),
                     hit_disc(ray, cylinder->half_length, cylinder->radius),
                     hit_disc(ray, -cylinder->half_length, cylinder->radius)});
  return hit_mesh(ray, std::get<MeshShape>(shape));
}

}  // namespace

std::optional<TriangleHit> pick_triangle(const Ray& ray, const std::vector<Vec3d>& points,
                                         const std::vector<Triangle>& triangles) {
  TriangleHit best;
  best.distance = kMiss;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto [i, j, k] = triangles[t];
    if (std::min({i, j, k}) < 0 || std::size_t(std::max({i, j, k})) >= points.size()) continue;
    // Volumes of the ray with the edges (Moeller and Trumbore 1997, in symmetric form): no crack along edges.
    const Vec3d a = points[std::size_t(i)] - ray.origin, b = points[std::size_t(j)] - ray.origin,
                c = points[std::size_t(k)] - ray.origin;
    const double u = dot(ray.direction, cross(c, b)), v = dot(ray.direction, cross(a, c)),
                 w = dot(ray.direction, cross(b, a));
    if (!((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))) continue;
    const double sum = u + v + w;
    if (sum == 0.0 || !std::isfinite(sum)) continue;
    const Vec3d barycentric = Vec3d{u, v, w} / sum;
    const double distance = dot(ray.direction, barycentric.x * a + barycentric.y * b + barycentric.z * c);
    if (!(distance > 0.0) || !(distance < best.distance)) continue;
    best = {Index(t), barycentric, distance, ray.at(distance)};
  }
  if (best.triangle < 0) return std::nullopt;
  return best;
}

std::optional<ObstacleHit> pick_obstacle(const Ray& ray, const std::vector<LiveObstacle>& obstacles) {
  std::optional<ObstacleHit> best;
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    const LiveObstacle& obstacle = obstacles[i];
    if (!obstacle.shape) continue;
    const Ray local{obstacle.pose.apply_inverse(ray.origin),
                    transpose(obstacle.pose.rotation) * ray.direction};
    const double distance = hit_shape(local, *obstacle.shape);
    if (distance < (best ? best->distance : kMiss)) best = ObstacleHit{i, distance, ray.at(distance)};
  }
  return best;
}

}  // namespace sinew::viewer
