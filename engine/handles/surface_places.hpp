// Places on surfaces and inside bodies as weighted sums of nodes.
#pragma once

#include <optional>
#include <vector>

#include "engine/collision/contact_term.hpp"
#include "engine/model/model_data.hpp"

namespace sinew {

/// Nearest point of a triangle to x as barycentric weights.
Vec3d nearest_in_triangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c);

struct TrianglePlace {
  Index triangle = -1;
  Vec3d barycentric;
  double distance = 0.0;  ///< [m] to the point, or along the ray
};

/// Place of a triangle list nearest to x; of equal ones the first.
TrianglePlace nearest_place(const std::vector<Triangle>& triangles, const std::vector<Vec3d>& points,
                            const Vec3d& x);
/// First triangle on the ray origin + s direction (unit), s >= 0, from either side.
std::optional<TrianglePlace> first_hit(const std::vector<Triangle>& triangles,
                                       const std::vector<Vec3d>& points, const Vec3d& origin,
                                       const Vec3d& direction);

/// Number of surface points of a body, and one as terms over nodes (user order). weight multiplies all.
std::size_t surface_point_count(const BodyData& body);
void add_surface_point(const BodyData& body, Index body_index, Index point, double weight,
                       std::vector<ContactTerm>& terms);
/// Positions [m] of the surface points for node positions in user order.
std::vector<Vec3d> surface_positions(const BodyData& body, const std::vector<Vec3d>& nodes);

/// Places of a body's material, found again and again for welds.
class BodyPlaces {
 public:
  /// position: nodes in user order. Both are kept by reference.
  BodyPlaces(const BodyData& body, Index body_index, const std::vector<Vec3d>& position);

  struct Place {
    std::vector<ContactTerm> terms;  ///< of nodes, weights sum to 1
    double offset = 0.0;             ///< [m] of sheets: x = sum + offset * normal of the three nodes
    double distance = 0.0;           ///< [m] outside of the body
  };
  /// The place x of the material: inside, or continued from the nearest tetrahedron or triangle.
  Place at(const Vec3d& x) const;

 private:
  Place in_tetrahedron(const Tet& tet, const Vec3d& x) const;

  const BodyData& body_;
  Index index_;
  const std::vector<Vec3d>& position_;
  std::vector<Triangle> boundary_;
  std::vector<Index> owner_;  ///< {boundary} tetrahedron
};

}  // namespace sinew
