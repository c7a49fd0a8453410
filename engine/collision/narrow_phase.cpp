#include "engine/collision/narrow_phase.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/state/state.hpp"
#include "kernels/element/contact/ccd.hpp"

namespace sinew {

namespace {

constexpr double kConeSlack = 1e-6;  // [rad]
constexpr double kTouching = 1e-10;  // of the size of the pair: nearer than this, directions mean nothing

double longest_side(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return std::sqrt(std::max({squared_norm(b - a), squared_norm(c - b), squared_norm(a - c)}));
}

SurfacePlace point_place(Index point) {
  return {1, {point, 0, 0}, {1.0, 0.0, 0.0}};
}

SurfacePlace face_place(const Triangle& v, const TrianglePoint<double>& p) {
  SurfacePlace place;
  for (int k = 0; k < 3; ++k) {
    if (p.weight[k] == 0.0) continue;
    place.point[place.count] = v[k];
    place.weight[place.count++] = p.weight[k];
  }
  return place;
}

SurfacePlace edge_place(const SurfaceTopology::Edge& e, double s) {
  return {2, {e.point[0], e.point[1], 0}, {1.0 - s, s, 0.0}};
}

bool parallel(const Vec3d& d, const Vec3d& e) {
  return !(squared_norm(cross(d, e)) > 1e-6 * squared_norm(d) * squared_norm(e));
}

/// Across the edge into its k-th face, unit.
Vec3d into_face(const SurfaceTopology::Edge& e, const std::vector<Vec3d>& x, int k) {
  const Vec3d along = x[e.point[1]] - x[e.point[0]], u = x[e.opposite[k]] - x[e.point[0]];
  const double length2 = squared_norm(along);
  return normalized(length2 > 0.0 ? u - (dot(u, along) / length2) * along : u);
}

}  // namespace

bool in_normal_cone(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index face, TrianglePart part,
                    const Vec3d& d) {
  const int k = static_cast<int>(part);
  if (k == 0) return true;
  if (k < 4) {
    const SurfaceTopology::Edge& e = t.edges[t.triangle_edges[face][k - 1]];
    for (int side = 0; side < 2; ++side)
      if (e.face[side] >= 0 && dot(d, into_face(e, x, side)) > kConeSlack) return false;
    return true;
  }
  const Index p = t.triangles[face][k - 4];
  for (Index n = t.neighbour_start[p]; n < t.neighbour_start[p + 1]; ++n) {
    const Vec3d u = x[t.neighbour[n]] - x[p];
    if (dot(d, u) > kConeSlack * norm(u)) return false;
  }
  return true;
}

bool edge_faces(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index edge, const Vec3d& d,
                double flatness) {
  const SurfaceTopology::Edge& e = t.edges[edge];
  double sum = 0.0;
  int faces = 0;
  for (int k = 0; k < 2; ++k) {
    if (e.face[k] < 0) continue;
    const double along = dot(d, into_face(e, x, k));
    if (along > kConeSlack) return false;
    sum += along;
    ++faces;
  }
  return faces < 2 || sum < -flatness;
}

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
  return {s.surface->body, ContactFeature::point_triangle, number, t.surface->body, t.surface->obstacle,
          feature};
}

ContactKey NarrowPhase::edge_key(Index edge_a, Index edge_b) const {
  return {a_.surface->body, ContactFeature::edge_edge, edge_a,
          b_.surface->body, b_.surface->obstacle,      edge_b};
}

bool NarrowPhase::hit_point_face(const PresentSurface& s, Index point, const PresentSurface& t, Index face,
                                 double distance, bool swapped, std::vector<FoundContact>& found) const {
  const Triangle& v = t.topology->triangles[face];
  const bool solid_face = face < t.topology->face_count;
  MovingCorners<double> m{
      {s.state->start[point], t.state->start[v[0]], t.state->start[v[1]], t.state->start[v[2]]},
      {s.state->end[point], t.state->end[v[0]], t.state->end[v[1]], t.state->end[v[2]]}};
  const double size = longest_side(m.start[1], m.start[2], m.start[3]);
  double reach = solid_face ? 0.1 * thickness_ + 1e-7 * size : thickness_;
  if (distance > reach + motion_bound<double, false>(m)) return false;
  double thickness = thickness_;
  if (self_) {
    const auto& r = t.topology->rest;
    const auto rest = closest_on_triangle(r[point], r[v[0]], r[v[1]], r[v[2]]);
    thickness = rest_thickness(norm(r[point] - triangle_point(rest, r[v[0]], r[v[1]], r[v[2]])));
    reach = 0.1 * thickness + 1e-7 * size;
  }
  const FirstHit<double> hit = first_hit_point_triangle(m, reach);
  if (!hit.hit || hit.time <= 0.0) return false;
  const Vec3d x = m.at(0, hit.time), a = m.at(1, hit.time), b = m.at(2, hit.time), c = m.at(3, hit.time);
  const TrianglePoint<double> place = closest_on_triangle(x, a, b, c);
  const SurfacePlace q = face_place(v, place);
  Vec3d n;
  if (solid_face) {
    n = normalized(cross(b - a, c - a));
    if (n == Vec3d{}) return false;
    const Vec3d motion = (m.end[0] - m.start[0]) - (q.at(t.state->end) - q.at(t.state->start));
    const double approach = dot(n, motion);
    if (t.topology->closed && approach > 0.0) return false;  // from behind: on its way out
    const bool sure = std::abs(approach) > 1e-6 * norm(motion);
    if (sure ? approach > 0.0 : dot(n, m.start[0] - q.at(t.state->start)) < 0.0) n = -n;
    if (t.surface->obstacle >= 0) {  // turns with the obstacle
      const Vec3d turned = normalized(face_normal(*t.topology, t.state->end, face));
      n = dot(n, normalized(cross(b - a, c - a))) < 0.0 ? -turned : turned;
    }
  } else {
    n = normalized(x - triangle_point(place, a, b, c));
    if (n == Vec3d{}) return false;
  }
  const ContactKey key = point_key(s, point, t, face, solid_face ? TrianglePart::face : place.part);
  (void)swapped;
  emit(s, point_place(point), t, q, {n, distance - thickness, thickness, true, hit.time, false}, key, found);
  return true;
}

void NarrowPhase::point_face(Index point, Index face, bool swapped, std::vector<FoundContact>& found) const {
  const PresentSurface &s = swapped ? b_ : a_, &t = swapped ? a_ : b_;
  const std::vector<char>& inside = swapped ? b_inside : a_inside;
  const Triangle& v = t.topology->triangles[face];
  if (self_ && (v[0] == point || v[1] == point || v[2] == point)) return;
  if (!inside.empty() && inside[point]) return;
  if (nothing_moves(s, &point, 1, t, v.data(), 3)) return;

  const auto *x = &s.state->start, *y = &t.state->start;
  TrianglePoint<double> place = closest_on_triangle((*x)[point], (*y)[v[0]], (*y)[v[1]], (*y)[v[2]]);
  Vec3d apart = (*x)[point] - triangle_point(place, (*y)[v[0]], (*y)[v[1]], (*y)[v[2]]);
  double distance = norm(apart);
  const double start_distance = distance;
  const double most = mode_ == DetectMode::all ? frame_.margin : 0.0;
  if (distance > thickness_ + most) {  // too far to come near: most pairs
    double motion = 0.0;
    const Vec3d moved = s.state->end[point] - s.state->start[point];
    for (const Index p : v)
      motion = std::max(motion, squared_norm(t.state->end[p] - t.state->start[p] - moved));
    if (distance > thickness_ + most + std::sqrt(motion)) return;
  }
  if (hit_point_face(s, point, t, face, distance, swapped, found)) return;
  const double near = (mode_ == DetectMode::all ? thickness_ + frame_.margin : 0.5 * thickness_);
  const bool at_end = mode_ == DetectMode::missed || start_distance > near;
  if (at_end) {  // the place where it arrives counts
    x = &s.state->end;
    y = &t.state->end;
    place = closest_on_triangle((*x)[point], (*y)[v[0]], (*y)[v[1]], (*y)[v[2]]);
    apart = (*x)[point] - triangle_point(place, (*y)[v[0]], (*y)[v[1]], (*y)[v[2]]);
    distance = norm(apart);
    if (!(distance <= near)) return;
  }
  const SurfacePlace q = face_place(v, place);
  const double size = longest_side((*y)[v[0]], (*y)[v[1]], (*y)[v[2]]);
  const bool closed = t.topology->closed;
  const Vec3d outward = part_normal(*t.topology, *y, face, place.part);
  Vec3d n;
  if (distance > kTouching * (size + thickness_)) {
    n = apart / distance;
    if (closed && dot(n, outward) < 0.0) return;  // from behind
    if (!in_normal_cone(*t.topology, *y, face, place.part, n)) return;
  } else {
    n = normalized(outward);
    if (n == Vec3d{}) n = make_contact_frame(normalized((*y)[v[1]] - (*y)[v[0]] + Vec3d{0, 0, 1e-300})).t1;
    const Vec3d motion =
        s.state->end[point] - s.state->start[point] - q.at(t.state->end) + q.at(t.state->start);
    if (!closed && dot(n, motion) > 0.0) n = -n;
  }
  double thickness = thickness_;
  if (self_) {
    const auto& r = t.topology->rest;
    const auto rest = closest_on_triangle(r[point], r[v[0]], r[v[1]], r[v[2]]);
    thickness = rest_thickness(norm(r[point] - triangle_point(rest, r[v[0]], r[v[1]], r[v[2]])));
  }
  if (mode_ == DetectMode::missed && !(distance < 0.5 * thickness)) return;
  if (at_end && !(dot(n, s.state->start[point] - q.at(t.state->start)) > 0.0))
    return;  // came through elsewhere
  // Where its own neighbours are nearer, they are what touches: a point of a flat plate has no side. On a
  // face with some patience, so that all corners of a tilted block count.
  const auto around = [&](double cosine) {
    const SurfaceTopology& own = *s.topology;
    for (Index k = own.neighbour_start[point]; k < own.neighbour_start[point + 1]; ++k) {
      const Vec3d u = (*x)[own.neighbour[k]] - (*x)[point];
      if (dot(-n, u) > cosine * norm(u)) return false;
    }
    return true;
  };
  if (!around(place.part == TrianglePart::face ? 0.7 : 0.1)) return;
  // Seen from the far side of a thin solid.
  if (s.topology->closed && s.topology->face_count > 0 &&
      dot(n, normalized(point_normal(*s.topology, *x, point))) > 0.5)
    return;
  // Two points: once, by the first body, or by the lower point.
  if (static_cast<int>(place.part) >= 4 && t.surface->body >= 0 && s.surface->body >= 0) {
    const Index other = v[static_cast<int>(place.part) - 4];
    const bool first = self_ ? point < other : s.surface->body < t.surface->body;
    if (!first && around(0.5 * kConeSlack)) return;
  }
  emit(s, point_place(point), t, q, {n, start_distance - thickness, thickness, false, 0.0, at_end},
       point_key(s, point, t, face, place.part), found);
}

void NarrowPhase::exit(Index point, bool swapped, std::vector<FoundContact>& found) const {
  const PresentSurface &s = swapped ? b_ : a_, &t = swapped ? a_ : b_;
  const NearestFace nearest = nearest_face(*t.topology, *t.trees, *t.state, s.state->start[point]);
  if (nearest.face < 0) return;
  const Triangle& v = t.topology->triangles[nearest.face];
  if (nothing_moves(s, &point, 1, t, v.data(), 3)) return;
  const double depth = std::abs(nearest.distance);
  const double size = longest_side(t.state->start[v[0]], t.state->start[v[1]], t.state->start[v[2]]);
  const Vec3d n =
      depth > kTouching * size
          ? (nearest.point - s.state->start[point]) / depth
          : normalized(part_normal(*t.topology, t.state->start, nearest.face, nearest.place.part));
  if (n == Vec3d{}) return;
  emit(s, point_place(point), t, face_place(v, nearest.place),
       {n, -depth - thickness_, thickness_, false, 0.0, false},
       point_key(s, point, t, nearest.face, nearest.place.part), found);
}

double NarrowPhase::edge_rest_thickness(Index edge_a, Index edge_b) const {
  if (!self_) return thickness_;
  const auto &e = a_.topology->edges[edge_a].point, &f = b_.topology->edges[edge_b].point;
  const auto& r = a_.topology->rest;
  const auto c = closest_on_segments(r[e[0]], r[e[1]], r[f[0]], r[f[1]]);
  return rest_thickness(norm(r[e[0]] + c.s * (r[e[1]] - r[e[0]]) - r[f[0]] - c.t * (r[f[1]] - r[f[0]])));
}

bool NarrowPhase::hit_edges(Index edge_a, Index edge_b, double distance,
                            std::vector<FoundContact>& found) const {
  const auto &ea = a_.topology->edges[edge_a], &eb = b_.topology->edges[edge_b];
  const auto &sa = a_.state->start, &sb = b_.state->start, &ta = a_.state->end, &tb = b_.state->end;
  MovingCorners<double> m{{sa[ea.point[0]], sa[ea.point[1]], sb[eb.point[0]], sb[eb.point[1]]},
                          {ta[ea.point[0]], ta[ea.point[1]], tb[eb.point[0]], tb[eb.point[1]]}};
  const double size = std::max(norm(m.start[1] - m.start[0]), norm(m.start[3] - m.start[2]));
  const double motion = motion_bound<double, true>(m);
  if (distance > thickness_ + 1e-7 * size + motion) return false;
  const double thickness = edge_rest_thickness(edge_a, edge_b);
  const bool wire = eb.face[0] < 0;
  const double reach = wire ? thickness : 0.1 * thickness + 1e-7 * size;
  if (distance > reach + motion) return false;
  const FirstHit<double> hit = first_hit_segments(m, reach);
  if (!hit.hit || hit.time <= 0.0) return false;
  Vec3d x[4];
  for (int k = 0; k < 4; ++k) x[k] = m.at(k, hit.time);
  const SegmentPoints<double> c = closest_on_segments(x[0], x[1], x[2], x[3]);
  constexpr double kEnd = 1e-6;  // ends belong to points against triangles
  if (c.s < kEnd || c.s > 1.0 - kEnd || c.t < kEnd || c.t > 1.0 - kEnd) return false;
  if (parallel(x[1] - x[0], x[3] - x[2])) return false;
  Vec3d n = normalized(cross(x[1] - x[0], x[3] - x[2]));
  const SurfacePlace p = edge_place(ea, c.s), q = edge_place(eb, c.t);
  const Vec3d approach = p.at(ta) - p.at(sa) - q.at(tb) + q.at(sb);
  const double along = dot(n, approach);
  const bool sure = std::abs(along) > 1e-6 * norm(approach);
  if (sure ? along > 0.0 : dot(n, p.at(sa) - q.at(sb)) < 0.0) n = -n;
  // Cones at the time of the hit; only the corners around the two edges are needed there.
  const auto faces = [&](const PresentSurface& side, const SurfaceTopology::Edge& e, const Vec3d& d,
                         Index edge) {
    double sum = 0.0;
    int count = 0;
    const auto at = [&](Index i) {
      return side.state->start[i] + hit.time * (side.state->end[i] - side.state->start[i]);
    };
    const Vec3d a = at(e.point[0]), direction = at(e.point[1]) - a;
    for (int k = 0; k < 2; ++k) {
      if (e.face[k] < 0) continue;
      Vec3d u = at(e.opposite[k]) - a;
      u = normalized(u - (dot(u, direction) / squared_norm(direction)) * direction);
      if (dot(d, u) > 1e-3) return false;
      sum += dot(d, u);
      ++count;
    }
    return count < 2 || sum < -flatness(*side.topology, side.state->start, edge);
  };
  if (!faces(a_, ea, -n, edge_a) || !faces(b_, eb, n, edge_b)) return false;
  emit(a_, p, b_, q, {n, distance - thickness, thickness, true, hit.time, false}, edge_key(edge_a, edge_b),
       found);
  return true;
}

void NarrowPhase::edge_edge(Index edge_a, Index edge_b, std::vector<FoundContact>& found) const {
  if (self_ && edge_a > edge_b) std::swap(edge_a, edge_b);
  const auto &ea = a_.topology->edges[edge_a], &eb = b_.topology->edges[edge_b];
  if (self_ && (ea.point[0] == eb.point[0] || ea.point[0] == eb.point[1] || ea.point[1] == eb.point[0] ||
                ea.point[1] == eb.point[1]))
    return;
  if (nothing_moves(a_, ea.point.data(), 2, b_, eb.point.data(), 2)) return;
  const auto *x = &a_.state->start, *y = &b_.state->start;
  SegmentPoints<double> c;
  const auto nearest = [&] {
    const Vec3d &p0 = (*x)[ea.point[0]], &p1 = (*x)[ea.point[1]];
    const Vec3d &q0 = (*y)[eb.point[0]], &q1 = (*y)[eb.point[1]];
    c = closest_on_segments(p0, p1, q0, q1);
    return p0 + c.s * (p1 - p0) - q0 - c.t * (q1 - q0);
  };
  Vec3d apart = nearest();
  double distance = norm(apart);
  const double start_distance = distance;
  const double most = mode_ == DetectMode::all ? frame_.margin : 0.0;
  if (distance > thickness_ + most) {
    double motion = 0.0;
    for (const Index p : ea.point)
      for (const Index q : eb.point)
        motion = std::max(motion, squared_norm(a_.state->end[p] - a_.state->start[p] - b_.state->end[q] +
                                               b_.state->start[q]));
    if (distance > thickness_ + most + std::sqrt(motion)) return;
  }
  if (hit_edges(edge_a, edge_b, distance, found)) return;
  const double near = (mode_ == DetectMode::all ? thickness_ + frame_.margin : 0.5 * thickness_);
  const bool at_end = mode_ == DetectMode::missed || start_distance > near;
  if (at_end) {
    x = &a_.state->end;
    y = &b_.state->end;
    apart = nearest();
    distance = norm(apart);
    if (!(distance <= near)) return;
  }
  constexpr double kEnd = 1e-9;
  if (c.s < kEnd || c.s > 1.0 - kEnd || c.t < kEnd || c.t > 1.0 - kEnd) return;
  const Vec3d da = (*x)[ea.point[1]] - (*x)[ea.point[0]], db = (*y)[eb.point[1]] - (*y)[eb.point[0]];
  if (parallel(da, db)) return;
  const double size = std::sqrt(std::max(squared_norm(da), squared_norm(db)));
  const bool touching = !(distance > kTouching * (size + thickness_));
  Vec3d n = touching ? normalized(cross(da, db)) : apart / distance;
  const double flat_a = flatness(*a_.topology, *x, edge_a), flat_b = flatness(*b_.topology, *y, edge_b);
  const auto facing = [&](const Vec3d& d) {
    return edge_faces(*a_.topology, *x, edge_a, -d, flat_a) &&
           edge_faces(*b_.topology, *y, edge_b, d, flat_b);
  };
  const SurfacePlace p = edge_place(ea, c.s), q = edge_place(eb, c.t);
  if (at_end && !(dot(n, p.at(a_.state->start) - q.at(b_.state->start)) > 0.0)) return;
  double sign = 1.0;  // of the distance
  if (touching) {
    const Vec3d motion =
        p.at(a_.state->end) - p.at(a_.state->start) - q.at(b_.state->end) + q.at(b_.state->start);
    if (dot(n, motion) > 0.0) n = -n;
    if (!facing(n)) {
      n = -n;
      if (!facing(n)) return;
    }
  } else if (!facing(n)) {
    // Overlapping solids: each edge's nearest place inside the other.
    const bool closed_a = a_.topology->closed, closed_b = b_.topology->closed;
    if (at_end || self_ || !(closed_a || closed_b) || !facing(-n)) return;
    if (closed_b && nearest_face(*b_.topology, *b_.trees, *b_.state, p.at(*x)).distance >= 0.0) return;
    if (closed_a && nearest_face(*a_.topology, *a_.trees, *a_.state, q.at(*y)).distance >= 0.0) return;
    n = -n;
    sign = -1.0;
  }
  const double thickness = edge_rest_thickness(edge_a, edge_b);
  if (mode_ == DetectMode::missed && !(distance < 0.5 * thickness)) return;
  emit(a_, p, b_, q, {n, sign * start_distance - thickness, thickness, false, 0.0, at_end},
       edge_key(edge_a, edge_b), found);
}

}  // namespace sinew
