// Contact points of a body against the analytic obstacles.
//
// Convex obstacles: the plane through the nearest point has the whole obstacle behind it, so a point on the
// right side of its plane cannot penetrate, however far it slides in the frame. A point whose path from q_t
// to q~ meets the obstacle gets the plane of the first hit: fast points do not tunnel. Paths are taken in the
// obstacle's own coordinates at both ends, so moving obstacles are covered too.
#pragma once

#include <optional>
#include <vector>

#include "engine/collision/contact.hpp"
#include "engine/collision/friction_table.hpp"
#include "engine/precompute/body_precompute.hpp"

namespace sinew {

/// Obstacle with its poses at both ends of the frame.
struct ObstacleFrame {
  const ObstacleSpec* spec = nullptr;
  Pose start, end;
};

/// Position [m] of a contact point for node positions in internal order.
inline Vec3d point_position(const ContactPoint& point, const Vec3d* position) {
  Vec3d x{};
  for (Index k = 0; k < point.count; ++k) x += point.weight[k] * position[point.node[k]];
  return x;
}

/// Signed distance [m] to an obstacle in a given pose.
double obstacle_distance(const ObstacleSpec& spec, const Pose& pose, const Vec3d& x);

/// Direction in the obstacle's coordinates in which a whole body leaves an obstacle that holds most of its
/// points; nothing where it does not: then each point leaves by its own nearest face.
using ExitDirection = std::optional<Vec3d>;

/// {obstacles}, from the positions at the frame's start.
std::vector<ExitDirection> exit_directions(const BodyPrecomputed& body,
                                           const std::vector<ObstacleFrame>& obstacles, const Vec3d* start);

struct DetectSettings {
  Index body = 0;
  double margin = 0.0;             ///< [m] around the path
  double thickness = 0.0;          ///< [m] the body keeps off
  double max_depenetration = 0.0;  ///< [m] per frame
  const FrictionTable* friction = nullptr;
  std::vector<ExitDirection> exits;  ///< {obstacles} or empty: none
};

/// Place in body.points of a surface point that is there.
std::size_t point_index(const BodyPrecomputed& body, Index surface_point);

/// Appends, in the order of (point, obstacle): every point whose path comes within the margin.
void detect_contacts(const BodyPrecomputed& body, const std::vector<ObstacleFrame>& obstacles,
                     const Vec3d* start, const Vec3d* end, const DetectSettings& settings,
                     std::vector<Contact>& contacts);

/// Appends contacts of points that penetrate at the given positions; known: {points, obstacles}, not 0 where
/// there is a contact already.
void detect_missed_contacts(const BodyPrecomputed& body, const std::vector<ObstacleFrame>& obstacles,
                            const Vec3d* start, const Vec3d* end, const DetectSettings& settings,
                            const std::vector<char>& known, std::vector<Contact>& contacts);

/// Appends contacts of nodes inside a solid (feature node_shape) that are, or came, beyond an obstacle:
/// those whose plane the end position violates.
void detect_inner_contacts(const BodyPrecomputed& body, const std::vector<ObstacleFrame>& obstacles,
                           const Vec3d* start, const Vec3d* end, const DetectSettings& settings,
                           std::vector<Contact>& contacts);

/// Deepest penetration [m] of the contact points, >= 0.
double deepest_penetration(const BodyPrecomputed& body, const std::vector<ObstacleFrame>& obstacles,
                           const Vec3d* position);

}  // namespace sinew
