#include "engine/handles/surface_places.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {

// By the regions of the triangle (Ericson 2005, Real-Time Collision Detection, 5.1.5).
Vec3d nearest_in_triangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a;
  const double d1 = dot(ab, x - a), d2 = dot(ac, x - a);
  if (d1 <= 0.0 && d2 <= 0.0) return {1, 0, 0};
  const double d3 = dot(ab, x - b), d4 = dot(ac, x - b);
  if (d3 >= 0.0 && d4 <= d3) return {0, 1, 0};
  const double d5 = dot(ab, x - c), d6 = dot(ac, x - c);
  if (d6 >= 0.0 && d5 <= d6) return {0, 0, 1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return {1.0 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return {1.0 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
    const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1.0 - w, w};
  }
  const double sum = va + vb + vc;
  return {1.0 - vb / sum - vc / sum, vb / sum, vc / sum};
}

TrianglePlace nearest_place(const std::vector<Triangle>& triangles, const std::vector<Vec3d>& points,
                            const Vec3d& x) {
  TrianglePlace best;
  double least = 0.0;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Vec3d &a = points[triangles[t][0]], &b = points[triangles[t][1]], &c = points[triangles[t][2]];
    const Vec3d w = nearest_in_triangle(x, a, b, c);
    const double d2 = squared_norm(w.x * a + w.y * b + w.z * c - x);
    if (best.triangle >= 0 && !(d2 < least)) continue;
    least = d2;
    best = {static_cast<Index>(t), w, std::sqrt(d2)};
  }
  return best;
}

std::optional<TrianglePlace> first_hit(const std::vector<Triangle>& triangles,
                                       const std::vector<Vec3d>& points, const Vec3d& origin,
                                       const Vec3d& direction) {
  std::optional<TrianglePlace> best;
  for (std::size_t t = 0; t < triangles.size(); ++t) {  // Möller and Trumbore 1997
    const Vec3d& a = points[triangles[t][0]];
    const Vec3d ab = points[triangles[t][1]] - a, ac = points[triangles[t][2]] - a;
    const Vec3d p = cross(direction, ac);
    const double det = dot(ab, p);
    if (det == 0.0) continue;
    const Vec3d from = origin - a;
    const double v = dot(from, p) / det;
    const Vec3d q = cross(from, ab);
    const double w = dot(direction, q) / det, s = dot(ac, q) / det;
    if (!(v >= 0.0) || !(w >= 0.0) || !(v + w <= 1.0) || !(s >= 0.0)) continue;
    if (!best || s < best->distance) best = {static_cast<Index>(t), {1.0 - v - w, v, w}, s};
  }
  return best;
}

std::size_t surface_point_count(const BodyData& body) {
  const EmbeddedSurface& surface = body.spec.mesh.surface;
  return surface.empty() ? body.start_position.size() : surface.tet.size();
}

void add_surface_point(const BodyData& body, Index body_index, Index point, double weight,
                       std::vector<ContactTerm>& terms) {
  const auto add = [&](Index node, double share) {
    if (share == 0.0) return;
    for (ContactTerm& term : terms)
      if (term.body == body_index && term.node == node) {
        term.weight += share;
        return;
      }
    terms.push_back({body_index, node, share});
  };
  const EmbeddedSurface& surface = body.spec.mesh.surface;
  if (surface.empty()) return add(point, weight);
  for (int k = 0; k < 4; ++k)
    add(body.spec.mesh.tets[surface.tet[point]][k], weight * surface.weights[point][k]);
}

std::vector<Vec3d> surface_positions(const BodyData& body, const std::vector<Vec3d>& nodes) {
  return body.spec.mesh.surface.empty() ? nodes : embedded_points(body.spec.mesh, nodes);
}

BodyPlaces::BodyPlaces(const BodyData& body, Index body_index, const std::vector<Vec3d>& position)
    : body_(body), index_(body_index), position_(position) {
  if (body.spec.sheet) {
    boundary_ = body.spec.sheet->mesh.triangles;
    return;
  }
  boundary_ = boundary_triangles(body.spec.mesh);
  std::map<std::array<Index, 3>, Index> tet_of;
  for (std::size_t t = 0; t < body.spec.mesh.tets.size(); ++t)
    for (int left_out = 0; left_out < 4; ++left_out) {
      std::array<Index, 3> face{};
      for (int k = 0, n = 0; k < 4; ++k)
        if (k != left_out) face[n++] = body.spec.mesh.tets[t][k];
      std::sort(face.begin(), face.end());
      tet_of[face] = static_cast<Index>(t);
    }
  for (std::array<Index, 3> face : boundary_) {
    std::sort(face.begin(), face.end());
    owner_.push_back(tet_of.at(face));
  }
}

BodyPlaces::Place BodyPlaces::in_tetrahedron(const Tet& tet, const Vec3d& x) const {
  const Vec3d &a = position_[tet[0]], &b = position_[tet[1]], &c = position_[tet[2]], &d = position_[tet[3]];
  const double whole = tet_volume(a, b, c, d);
  const double weight[4] = {tet_volume(x, b, c, d) / whole, tet_volume(a, x, c, d) / whole,
                            tet_volume(a, b, x, d) / whole, tet_volume(a, b, c, x) / whole};
  Place place;
  for (int k = 0; k < 4; ++k) place.terms.push_back({index_, tet[k], weight[k]});
  return place;
}

BodyPlaces::Place BodyPlaces::at(const Vec3d& x) const {
  const auto least_weight = [](const Place& place) {
    double least = place.terms[0].weight;
    for (const ContactTerm& term : place.terms) least = std::min(least, term.weight);
    return least;
  };
  for (const Tet& tet : body_.spec.mesh.tets) {
    Vec3d low = position_[tet[0]], high = low;
    for (const Index node : tet) {
      low = component_min(low, position_[node]);
      high = component_max(high, position_[node]);
    }
    if (x.x < low.x || x.y < low.y || x.z < low.z || x.x > high.x || x.y > high.y || x.z > high.z) continue;
    Place place = in_tetrahedron(tet, x);
    if (least_weight(place) >= 0.0) return place;
  }
  const TrianglePlace nearest = nearest_place(boundary_, position_, x);
  Place place;
  if (!body_.spec.sheet) {
    place = in_tetrahedron(body_.spec.mesh.tets[owner_[nearest.triangle]], x);
  } else {  // continued in its plane, and along its normal
    const Triangle& t = boundary_[nearest.triangle];
    const Vec3d a = position_[t[0]], ab = position_[t[1]] - a, ac = position_[t[2]] - a;
    const Vec3d normal = cross(ab, ac);
    const double n2 = squared_norm(normal);
    const double v = dot(cross(x - a, ac), normal) / n2, w = dot(cross(ab, x - a), normal) / n2;
    place.terms = {{index_, t[0], 1.0 - v - w}, {index_, t[1], v}, {index_, t[2], w}};
    place.offset = dot(x - a, normal) / std::sqrt(n2);
  }
  place.distance = nearest.distance;
  return place;
}

}  // namespace sinew
