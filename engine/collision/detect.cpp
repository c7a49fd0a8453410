#include "engine/collision/detect.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "kernels/element/obstacle/convex_shape.hpp"

namespace sinew {

namespace {

ConvexShape convex_shape(const ObstacleShape& shape) {
  struct Visit {
    ConvexShape operator()(const HalfSpaceShape&) const { return {ShapeKind::half_space, {}}; }
    ConvexShape operator()(const SphereShape& s) const { return {ShapeKind::sphere, {s.radius, 0, 0}}; }
    ConvexShape operator()(const BoxShape& s) const { return {ShapeKind::box, s.half_extents}; }
    ConvexShape operator()(const CapsuleShape& s) const {
      return {ShapeKind::capsule, {s.radius, s.half_length, 0}};
    }
    ConvexShape operator()(const CylinderShape& s) const {
      return {ShapeKind::cylinder, {s.radius, s.half_length, 0}};
    }
    ConvexShape operator()(const MeshShape&) const { return {}; }
  };
  return std::visit(Visit{}, shape);
}

SurfaceQuery<double> query(const ObstacleShape& shape, const Vec3d& x) {
  return query_shape(convex_shape(shape), x);
}

constexpr double kTouching = 1e-6;  // [m] closer than this a point lies on a surface, not inside

/// The contact of one point with one obstacle, if its path comes within the margin.
std::optional<Contact> make_contact(const ObstacleFrame& obstacle, const Vec3d& start, const Vec3d& end,
                                    const DetectSettings& settings, const ExitDirection& exit) {
  ShapePlane plane;
  if (!find_plane(convex_shape(obstacle.spec->shape), obstacle.start.apply_inverse(start),
                  obstacle.end.apply_inverse(end), settings.margin + settings.thickness,
                  exit.value_or(Vec3d{}), plane))
    return std::nullopt;
  Contact contact;
  contact.frame = make_contact_frame(obstacle.end.rotation * plane.at.normal);
  const Vec3d surface = obstacle.end.apply(plane.at.point);
  contact.plane_point = surface + settings.thickness * contact.frame.n;
  contact.start = start;
  contact.obstacle_displacement = surface - obstacle.start.apply(plane.at.point);
  contact.gap_offset = std::min(0.0, plane.start_distance - settings.thickness + settings.max_depenetration);
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
