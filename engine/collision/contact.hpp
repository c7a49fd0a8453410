// A contact: one row of B (a weighted sum of nodes) seen in its own frame, with what decides its gap and
// slip.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include <sinew/mesh.hpp>

#include "engine/collision/contact_term.hpp"
#include "kernels/element/contact/coulomb.hpp"

namespace sinew {

/// What touches what. Side a is always a body.
enum class ContactFeature : std::uint8_t {
  point_shape,     ///< surface point of a on an analytic obstacle
  patch_shape,     ///< a point within an edge or a triangle of a, on an analytic obstacle
  point_triangle,  ///< surface point of a on the surface of another body, of itself, or of a mesh obstacle
  triangle_point,  ///< triangle of a on a point of an obstacle
  edge_edge,
  node_shape,     ///< node inside a on an analytic obstacle: see narrow_phase_nodes.cpp
  node_triangle,  ///< node inside a on the surface of another body or of a mesh obstacle
};

/// Which contact it is, the same from frame to frame: the order of contacts, and the key of warm starts.
struct ContactKey {
  Index body = 0;  ///< side a; between two bodies: the owner of the point, or the lower one (edge_edge)
  ContactFeature feature = ContactFeature::point_shape;
  Index feature_a = 0;    ///< contact point, triangle, edge or node (user's number) of a
  Index other_body = -1;  ///< side b: a body (maybe the same), or -1 and an obstacle
  Index obstacle = -1;
  Index feature_b = 0;  ///< nearest feature of b: see surface.hpp; 0 for analytic obstacles
  friend auto operator<=>(const ContactKey&, const ContactKey&) = default;
};

struct Contact {
  static constexpr Index kMostTerms = 16;  ///< an embedded point on an embedded triangle

  ContactKey key;
  Index count = 0;    ///< terms used; weights sum to 1 against an obstacle, to 0 between surfaces of bodies
  Index count_a = 0;  ///< of them on side a (they come first)
  std::array<ContactTerm, kMostTerms> term{};
  ContactFrame<double> frame;  ///< n pushes side a off side b
  Vec3d plane_point;           ///< [m] gap = n . (x - plane_point) - gap_offset, x = sum of weight * position
  Vec3d start;                 ///< [m] x at the frame's start
  Vec3d obstacle_displacement;  ///< [m] of the obstacle's material at the contact during the frame
  double gap_offset = 0.0;      ///< [m] <= 0: overlap that may remain (limited depenetration speed)
  double friction = 0.0;

  /// (gap, slip) as a world vector: gap along n, slip along the tangents [m]; x at the end of the frame.
  Vec3d displacement(const Vec3d& x) const {
    const Vec3d moved = x - start - obstacle_displacement;
    return (dot(frame.n, x - plane_point) - gap_offset) * frame.n + dot(frame.t1, moved) * frame.t1 +
           dot(frame.t2, moved) * frame.t2;
  }
};

/// x [m]: weighted sum of the first `count` terms; position(body) gives a body's nodes in internal order.
template <class Positions>
Vec3d weighted_point(const Contact& contact, Index count, Positions&& position) {
  Vec3d x{};
  for (Index k = 0; k < count; ++k)
    x += contact.term[k].weight * position(contact.term[k].body)[contact.term[k].node];
  return x;
}

}  // namespace sinew
