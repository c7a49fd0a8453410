#include "engine/collision/detect.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/element/obstacle/obstacle_list.hpp"

namespace sinew {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

SurfaceQuery<double> query(const ObstacleShape& shape, const Vec3d& x) {
  struct Visit {
    const Vec3d& x;
    SurfaceQuery<double> operator()(const HalfSpaceShape&) const { return query_half_space(x); }
    SurfaceQuery<double> operator()(const SphereShape& s) const { return query_sphere(s.radius, x); }
    SurfaceQuery<double> operator()(const BoxShape& s) const { return query_box(s.half_extents, x); }
    SurfaceQuery<double> operator()(const CapsuleShape& s) const {
      return query_capsule(s.radius, s.half_length, x);
    }
    SurfaceQuery<double> operator()(const CylinderShape& s) const {
      return query_cylinder(s.radius, s.half_length, x);
    }
    // Far away: meshes are met surface against surface, not point by point.
    SurfaceQuery<double> operator()(const MeshShape&) const { return {kInfinity, {0.0, 0.0, 1.0}, x}; }
  };
  return std::visit(Visit{x}, shape);
}

/// Largest n . x over the shape [m], n a unit vector: where its supporting plane lies.
double support(const ObstacleShape& shape, const Vec3d& n) {
  struct Visit {
    const Vec3d& n;
    double operator()(const HalfSpaceShape&) const { return 0.0; }  // n is its normal
    double operator()(const SphereShape& s) const { return s.radius; }
    double operator()(const BoxShape& s) const {
      return std::abs(n.x) * s.half_extents.x + std::abs(n.y) * s.half_extents.y +
             std::abs(n.z) * s.half_extents.z;
    }
    double operator()(const CapsuleShape& s) const { return s.radius + std::abs(n.z) * s.half_length; }
    double operator()(const CylinderShape& s) const {
      return s.radius * std::hypot(n.x, n.y) + std::abs(n.z) * s.half_length;
    }
    double operator()(const MeshShape&) const { return kInfinity; }
  };
  return std::visit(Visit{n}, shape);
}

/// Where the segment a -> b first meets the shape (sphere tracing; a outside), or nothing.
std::optional<Vec3d> first_hit(const ObstacleShape& shape, const Vec3d& a, const Vec3d& b) {
  const double length = norm(b - a);
  if (length == 0.0) return std::nullopt;
  const double tolerance = 1e-9 * length + 1e-15;
  double t = 0.0;
  for (int step = 0; step < 64 && t < length; ++step) {
    const Vec3d x = a + (t / length) * (b - a);
    const double d = query(shape, x).distance;
    if (d <= tolerance) return x;
    t += d;
  }
  if (t >= length) return query(shape, b).distance <= 0.0 ? std::optional<Vec3d>(b) : std::nullopt;
  // Grazing: steps as short as the distance get nowhere. The signed distance of a convex shape is convex
  // along the path: its minimum by sections of a third, then the first zero before it by bisection.
  const auto at = [&](double s) { return a + (s / length) * (b - a); };
  double low = t, high = length;
  for (int step = 0; step < 100 && high - low > tolerance; ++step) {
    const double first = low + (high - low) / 3.0, second = high - (high - low) / 3.0;
    if (query(shape, at(first)).distance <= query(shape, at(second)).distance)
      high = second;
    else
      low = first;
  }
  if (query(shape, at(high)).distance > tolerance) return std::nullopt;
  low = t;
  for (int step = 0; step < 60 && high - low > tolerance; ++step) {
    const double middle = 0.5 * (low + high);
    (query(shape, at(middle)).distance > 0.0 ? low : high) = middle;
  }
  return at(low);
}

constexpr double kTouching = 1e-6;  // [m] closer than this a point lies on a surface, not inside

/// The contact of one point with one obstacle, if its path comes within the margin.
std::optional<Contact> make_contact(const ObstacleFrame& obstacle, const Vec3d& start, const Vec3d& end,
                                    const DetectSettings& settings, const ExitDirection& exit) {
  const ObstacleShape& shape = obstacle.spec->shape;
  const Vec3d local_start = obstacle.start.apply_inverse(start);
  const Vec3d local_end = obstacle.end.apply_inverse(end);
  const SurfaceQuery<double> at_end = query(shape, local_end);
  const double path = norm(local_end - local_start);
  const double reach = settings.margin + settings.thickness;
  if (at_end.distance > reach + path) return std::nullopt;

  SurfaceQuery<double> chosen = at_end;
  const SurfaceQuery<double> at_start = query(shape, local_start);
  double start_distance = at_start.distance;
  if (exit) {
    const double plane = support(shape, *exit), height = dot(*exit, local_start) - plane;
    if (dot(*exit, local_end) - plane > reach) return std::nullopt;
    chosen = {height, *exit, local_start - height * *exit};
    start_distance = height;
  } else if (at_start.distance <= 0.0) {
    chosen = at_start;
    // Touching, maybe at an edge where several faces are nearest: the face that the motion runs into counts.
    const double touch = 1e-9 * (1.0 + norm(local_start));
    if (at_start.distance >= -touch && path > 0.0) {
      const SurfaceQuery<double> outside =
          query(shape, local_start - ((2.0 * touch + 1e-6 * path) / path) * (local_end - local_start));
      if (outside.distance > 0.0) chosen = outside;
    }
  } else if (const auto hit = first_hit(shape, local_start, local_end)) {
    // At the hit the distance is zero and its direction ill-defined: look from just outside.
    const double back = std::min(path, 1e-6 * path + 1e-9);
    chosen = query(shape, *hit + (back / path) * (local_start - *hit));
    if (chosen.distance <= 0.0) chosen = at_start;
  } else if (at_end.distance > reach) {
    return std::nullopt;
  }
  Contact contact;
  contact.frame = make_contact_frame(obstacle.end.rotation * chosen.normal);
  const Vec3d surface = obstacle.end.apply(chosen.point);
  contact.plane_point = surface + settings.thickness * contact.frame.n;
  contact.start = start;
  contact.obstacle_displacement = surface - obstacle.start.apply(chosen.point);
  contact.gap_offset = std::min(0.0, start_distance - settings.thickness + settings.max_depenetration);
  return contact;
}

/// Names the contact, and writes its row of B.
void complete(const ContactPoint& p, ContactFeature feature, std::size_t obstacle,
              const DetectSettings& settings, Contact& contact) {
  contact.key = {settings.body, feature, p.surface_point, -1, static_cast<Index>(obstacle), 0};
  contact.count = contact.count_a = p.count;
  for (Index k = 0; k < p.count; ++k) contact.term[k] = {settings.body, p.node[k], p.weight[k]};
  contact.friction = settings.friction->between(settings.body, -1, static_cast<Index>(obstacle));
}

ExitDirection exit_of(const DetectSettings& settings, std::size_t obstacle) {
  return settings.exits.empty() ? ExitDirection{} : settings.exits[obstacle];
}

}  // namespace

std::vector<ExitDirection> exit_directions(const BodyPrecomputed& body,
                                           const std::vector<ObstacleFrame>& obstacles, const Vec3d* start) {
  std::vector<ExitDirection> exits(obstacles.size());
  for (std::size_t o = 0; o < obstacles.size(); ++o) {
    const ObstacleFrame& obstacle = obstacles[o];
    std::size_t inside = 0;
    Vec3d center{};
    for (const ContactPoint& point : body.points) {
      const Vec3d x = obstacle.start.apply_inverse(point_position(point, start));
      center += x / static_cast<double>(body.points.size());
      if (query(obstacle.spec->shape, x).distance < -kTouching) ++inside;
    }
    if (2 * inside > body.points.size()) exits[o] = query(obstacle.spec->shape, center).normal;
  }
  return exits;
}

double obstacle_distance(const ObstacleSpec& spec, const Pose& pose, const Vec3d& x) {
  return query(spec.shape, pose.apply_inverse(x)).distance;
}

std::size_t point_index(const BodyPrecomputed& body, Index surface_point) {
  const auto place =
      std::lower_bound(body.points.begin(), body.points.end(), surface_point,
                       [](const ContactPoint& point, Index value) { return point.surface_point < value; });
  return static_cast<std::size_t>(place - body.points.begin());
}

void detect_contacts(const BodyPrecomputed& body, const std::vector<ObstacleFrame>& obstacles,
                     const Vec3d* start, const Vec3d* end, const DetectSettings& settings,
                     std::vector<Contact>& contacts) {
  for (std::size_t p = 0; p < body.points.size(); ++p) {
    const Vec3d a = point_position(body.points[p], start), b = point_position(body.points[p], end);
    for (std::size_t o = 0; o < obstacles.size(); ++o) {
      if (auto contact = make_contact(obstacles[o], a, b, settings, exit_of(settings, o))) {
        complete(body.points[p], ContactFeature::point_shape, o, settings, *contact);
        contacts.push_back(*contact);
      }
    }
  }
}

void detect_missed_contacts(const BodyPrecomputed& body, const std::vector<ObstacleFrame>& obstacles,
                            const Vec3d* start, const Vec3d* end, const DetectSettings& settings,
                            const std::vector<char>& known, std::vector<Contact>& contacts) {
  for (std::size_t p = 0; p < body.points.size(); ++p) {
    const Vec3d b = point_position(body.points[p], end);
    for (std::size_t o = 0; o < obstacles.size(); ++o) {
      if (known[p * obstacles.size() + o] ||
          obstacle_distance(*obstacles[o].spec, obstacles[o].end, b) >= 0.5 * settings.thickness)
        continue;
      auto contact = make_contact(obstacles[o], point_position(body.points[p], start), b, settings,
                                  exit_of(settings, o));
      if (!contact) continue;
      complete(body.points[p], ContactFeature::point_shape, o, settings, *contact);
      contacts.push_back(*contact);
    }
  }
}

void detect_inner_contacts(const BodyPrecomputed& body, const std::vector<ObstacleFrame>& obstacles,
                           const Vec3d* start, const Vec3d* end, const DetectSettings& settings,
                           std::vector<Contact>& contacts) {
  // The surface has its own thickness before it: nodes inside only must not come through.
  DetectSettings bare = settings;
  bare.margin = bare.thickness = 0.0;
  for (const ContactPoint& p : body.inner) {
    const Vec3d a = point_position(p, start), b = point_position(p, end);
    for (std::size_t o = 0; o < obstacles.size(); ++o) {
      auto contact = make_contact(obstacles[o], a, b, bare, exit_of(bare, o));
      if (!contact || !(dot(contact->frame.n, contact->displacement(b)) < 0.0)) continue;
      complete(p, ContactFeature::node_shape, o, bare, *contact);
      contacts.push_back(*contact);
    }
  }
}

double deepest_penetration(const BodyPrecomputed& body, const std::vector<ObstacleFrame>& obstacles,
                           const Vec3d* position) {
  double deepest = 0.0;
  for (const ContactPoint& point : body.points) {
    const Vec3d x = point_position(point, position);
    for (const ObstacleFrame& o : obstacles)
      deepest = std::max(deepest, -obstacle_distance(*o.spec, o.end, x));
  }
  return deepest;
}

}  // namespace sinew
