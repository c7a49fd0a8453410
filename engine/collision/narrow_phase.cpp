#include "engine/collision/narrow_phase.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/state/state.hpp"

namespace sinew {

NarrowPhase::NarrowPhase(const PresentSurface& a, const PresentSurface& b, const CollisionFrame& frame,
                         DetectMode mode)
    : a_(a), b_(b), frame_(frame), mode_(mode), self_(a.surface == b.surface) {
  thickness_ = b.surface->analytic ? a.surface->shape_offset : a.surface->offset + b.surface->offset;
  friction_ =
      frame.friction ? frame.friction->between(a.surface->body, b.surface->body, b.surface->obstacle) : 0.0;
}

bool NarrowPhase::nothing_moves(const PresentSurface& a, const Index* p, int np, const PresentSurface& b,
                                const Index* q, int nq) const {
  for (int k = 0; k < np; ++k)
    if (a.topology->movable[p[k]]) return false;
  for (int k = 0; k < nq; ++k)
    if (b.topology->movable[q[k]]) return false;
  return true;
}

double NarrowPhase::rest_thickness(double rest_distance) const {
  return std::min(thickness_, 0.9 * rest_distance);
}

double NarrowPhase::flatness(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index edge) const {
  // An edge of length l bent by an angle stands about l angle / 8 above its triangles' chord: what is less
  // than a twentieth of the thickness is left to points against triangles.
  const auto& e = t.edges[edge];
  const double length = norm(x[e.point[1]] - x[e.point[0]]);
  return length > 0.0 ? std::clamp(0.4 * thickness_ / length, 1e-4, 0.1) : 0.1;
}

void NarrowPhase::emit(const PresentSurface& first, const SurfacePlace& p, const PresentSurface& second,
                       const SurfacePlace& q, Separation s, ContactKey key,
                       std::vector<FoundContact>& found) const {
  // Side a of a contact is a body.
  const bool swap = first.surface->body < 0;
  const PresentSurface &a = swap ? second : first, &b = swap ? first : second;
  const SurfacePlace &pa = swap ? q : p, &pb = swap ? p : q;
  if (swap) s.n = -s.n;
  if (!s.hit && !a.topology->closed && !b.topology->closed && s.start_gap < 0.0 &&
      slipped(key, s.n, *b.topology)) {
    s.n = -s.n;
    s.start_gap = -s.start_gap - 2.0 * s.thickness;
  }
  const bool obstacle = b.surface->body < 0;
  const Vec3d end_b = pb.at(b.state->end), start_b = pb.at(b.state->start);
  const Vec3d start_a = pa.at(a.state->start), end_a = pa.at(a.state->end);
  const double end_gap = dot(s.n, end_a - end_b) - s.thickness;
  if (mode_ == DetectMode::all && !s.hit && std::min(end_gap, s.start_gap) > frame_.margin) return;

  FoundContact result;
  result.hit = s.hit;
  result.time = s.time;
  result.at_end = s.at_end;
  Contact& c = result.contact;
  c.key = key;
  const auto add = [&](const PresentSurface& side, const SurfacePlace& place, double sign) {
    for (Index k = 0; k < place.count; ++k) {
      const ContactPoint& point = side.topology->points[place.point[k]];
      for (Index n = 0; n < point.count; ++n)
        c.term[c.count++] = {side.surface->body, point.node[n], sign * place.weight[k] * point.weight[n]};
    }
  };
  add(a, pa, 1.0);
  c.count_a = c.count;
  if (!obstacle) add(b, pb, -1.0);
  c.frame = make_contact_frame(s.n);
  c.plane_point = s.thickness * s.n;
  c.start = start_a - start_b;
  if (obstacle) {
    c.plane_point += end_b;
    c.start = start_a;
    c.obstacle_displacement = end_b - start_b;
  }
  c.gap_offset = std::min(0.0, s.start_gap + frame_.max_depenetration);
  c.friction = friction_;
  found.push_back(result);
}

bool NarrowPhase::slipped(const ContactKey& key, const Vec3d& n, const SurfaceTopology& b) const {
  if (!frame_.carried) return false;
  const auto prefix = [](const ContactKey& k) {
    return std::tuple(k.body, k.feature, k.feature_a, k.other_body, k.obstacle);
  };
  auto c = std::lower_bound(
      frame_.carried->begin(), frame_.carried->end(), prefix(key),
      [&](const CarriedForce& force, const auto& value) { return prefix(force.key) < value; });
  bool same = false, opposite = false;
  for (; c != frame_.carried->end() && prefix(c->key) == prefix(key); ++c) {
    if (key.feature != ContactFeature::point_triangle ? c->key != key
                                                      : !features_touch(b, c->key.feature_b, key.feature_b))
      continue;
    (dot(c->normal, n) < -0.7 ? opposite : same) = true;
  }
  return opposite && !same;
}

bool NarrowPhase::pressed(const ContactKey& key) const {
  if (!frame_.carried) return false;
  const auto place =
      std::lower_bound(frame_.carried->begin(), frame_.carried->end(), key,
                       [](const CarriedForce& force, const ContactKey& value) { return force.key < value; });
  return place != frame_.carried->end() && place->key == key;
}

ContactKey NarrowPhase::point_key(const PresentSurface& s, Index point, const PresentSurface& t, Index face,
                                  TrianglePart part) const {
  const int k = static_cast<int>(part);
  Index feature = face;
  if (face >= t.topology->face_count || k > 0) {
    if (k > 0 && k < 4) feature = t.topology->edge_feature(t.topology->triangle_edges[face][k - 1]);
    if (k >= 4) feature = t.topology->point_feature(t.topology->triangles[face][k - 4]);
  }
  const Index number = s.topology->points[point].surface_point;
  if (s.surface->body < 0)
    return {t.surface->body, ContactFeature::triangle_point, feature, -1, s.surface->obstacle, number};
  const auto kind = s.surface->inner ? ContactFeature::node_triangle : ContactFeature::point_triangle;
  return {s.surface->body, kind, number, t.surface->body, t.surface->obstacle, feature};
}

ContactKey NarrowPhase::edge_key(Index edge_a, Index edge_b) const {
  return {a_.surface->body, ContactFeature::edge_edge, edge_a,
          b_.surface->body, b_.surface->obstacle,      edge_b};
}

}  // namespace sinew
