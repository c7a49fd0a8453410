// Handles: points of bodies that are held, moved, tied to each other or pulled by cables. They come and go at
// run time, cost no preparation, and their forces are outputs. Nodes that are held for good are better pinned
// (PinSpec): those leave the unknowns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <sinew/motion.hpp>

namespace sinew {

/// Names one handle for as long as it lives; ids of removed handles are told apart by the generation.
struct HandleId {
  Index index = -1;
  std::uint32_t generation = 0;
  friend bool operator==(const HandleId&, const HandleId&) = default;
};

/// A place on the surface of a body: one of its surface points, a place in one of its surface triangles, or
/// the place nearest to a point of space when the handle is made. Exactly one of the three.
struct BodyPoint {
  std::string body;
  Index surface_point = -1;                        ///< index into Simulation::surface_points(body)
  Index triangle = -1;                             ///< of Model::surface_triangles(body)
  Vec3d barycentric{};                             ///< in that triangle, sums to 1
  std::optional<Vec3d> nearest_to = std::nullopt;  ///< [m], world
};

/// Where a ray meets a surface.
struct SurfaceHit {
  BodyPoint point{};      ///< triangle and barycentric
  Vec3d position;         ///< [m]
  double distance = 0.0;  ///< [m] along the ray
};

// In all specs: `name` may be empty in handles made at run time. `compliance` [m/N] >= 0 says how far the
// whole handle gives way per newton of pull; 0 is hard. Paths and motions run in the simulation's time.

/// A point pulled to a target.
struct GrabSpec {
  std::string name;
  BodyPoint point{};
  VectorPath target{};  ///< [m]; empty: where the point is when the grab is made
  double compliance = 0.0;
};

/// Nodes held where they are, or moved from there by a motion: the change of its pose since then.
struct HoldSpec {
  std::string name;
  std::string body;
  Region region{};  ///< chosen by the positions at time 0
  Motion motion{};
  std::optional<Vec3d> origin = std::nullopt;  ///< [m] of rotation and torque; default: centroid of the nodes
  double compliance = 0.0;
};

/// Nodes of body a tied to the places of body b where they are: inside it, or just off its surface.
struct WeldSpec {
  std::string name;
  std::string body_a;
  Region region{};  ///< nodes of body a, chosen by the positions at time 0
  std::string body_b;
  double compliance = 0.0;
};

/// Nodes tied to a rigid frame (a robot's link): it is moved by set_frame() or a motion, and feels the
/// reaction.
struct AttachmentSpec {
  std::string name;
  std::string body;
  Region region{};  ///< chosen by the positions at time 0
  Pose frame{};     ///< in the world when the attachment is made; forces and torques refer to its origin
  Motion motion{};  ///< about the frame's origin
  double compliance = 0.0;
};

/// A cable that runs without friction through points of bodies and fixed points of the world, in this order.
struct CableSpec {
  using Point = std::variant<BodyPoint, Vec3d>;  ///< of a body, or fixed [m]
  std::string name;
  std::vector<Point> points{};  ///< at least 2, at least one of a body
  /// [m] > 0, the cable's own length; empty and no tension: its length when it is made.
  ScalarPath length{};
  ScalarPath tension{};    ///< [N] >= 0: in place of a length, the pull is given
  bool two_sided = false;  ///< true: a rod of changing segments, it pushes too; false: it can go slack
  double compliance = 0.0;
};

using HandleSpec = std::variant<GrabSpec, HoldSpec, WeldSpec, AttachmentSpec, CableSpec>;
const std::string& name_of(const HandleSpec& spec);

/// Force of a handle on one of its points.
struct HandleForce {
  Vec3d position;  ///< [m] at the end of the last frame
  Vec3d force;     ///< [N] on the body; of a weld: on body a
};

}  // namespace sinew
