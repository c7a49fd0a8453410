// An edge against an edge.
#include "engine/collision/narrow_phase.hpp"

#include <algorithm>
#include <cmath>

#include "engine/collision/places.hpp"
#include "kernels/element/contact/ccd.hpp"

namespace sinew {

namespace {

SurfacePlace edge_place(const SurfaceTopology::Edge& e, double s) {
  return {2, {e.point[0], e.point[1], 0}, {1.0 - s, s, 0.0}};
}

// How far into its own faces a flat edge may see the other one [sine]: a flat edge over a sharp one has its
// plane, up to the tilt of its triangles. On sheets the sharp edge may lie in a valley.
constexpr double kSolidSlack = 0.05, kSheetSlack = 0.3;
constexpr double kHitSlack = 1e-3;  // of sharp edges at the time of a hit
// A sharp edge longer than this many flat ones meets them even where its own face lies on them: they may have
// no point on that face.
constexpr double kLong = 1.5;

bool parallel(const Vec3d& d, const Vec3d& e) {
  return !(squared_norm(cross(d, e)) > 1e-6 * squared_norm(d) * squared_norm(e));
}

/// How an edge sees the direction d (unit) to the other one.
enum class Facing {
  away,    ///< not within its normal cone
  flat,    ///< a face as good as any: points against triangles look after it
  border,  ///< sharp, but d is the normal of one of its faces
  sharp,
};

/// into: d along each of its faces. flatness [rad]: least bend of a sharp edge.
Facing facing(const double* into, int faces, double flatness, double flat_slack, double slack) {
  double sum = 0.0, most = -1.0;
  for (int k = 0; k < faces; ++k) {
    most = std::max(most, into[k]);
    sum += into[k];
  }
  if (faces == 2 && !(sum < -flatness)) return most > flat_slack ? Facing::away : Facing::flat;
  if (most > slack) return Facing::away;
  return most < -flatness ? Facing::sharp : Facing::border;
}

Facing facing(const SurfaceTopology& t, const std::vector<Vec3d>& x, Index edge, const Vec3d& d,
              double flatness, double flat_slack, double slack) {
  const SurfaceTopology::Edge& e = t.edges[edge];
  double into[2];
  int faces = 0;
  for (int k = 0; k < 2; ++k)
    if (e.face[k] >= 0) into[faces++] = dot(d, into_face(e, x, k));
  return facing(into, faces, flatness, flat_slack, slack);
}

double flat_slack(const SurfaceTopology& t) {
  return t.closed ? kSolidSlack : kSheetSlack;
}

/// Whether two edges that see each other so must be kept apart by themselves.
bool meet(Facing a, double length_a, Facing b, double length_b) {
  if (a == Facing::away || b == Facing::away) return false;
  if (a == Facing::flat) return b == Facing::sharp || (b == Facing::border && length_b > kLong * length_a);
  if (b == Facing::flat) return a == Facing::sharp || length_a > kLong * length_b;
  return true;
}

}  // namespace

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
  const auto sees = [&](const PresentSurface& side, Index edge, const Vec3d& d) {
    const SurfaceTopology::Edge& e = side.topology->edges[edge];
    const auto at = [&](Index i) {
      return side.state->start[i] + hit.time * (side.state->end[i] - side.state->start[i]);
    };
    const Vec3d from = at(e.point[0]), to = at(e.point[1]);
    double into[2];
    int count = 0;
    for (int k = 0; k < 2; ++k)
      if (e.face[k] >= 0) into[count++] = dot(d, across(from, to, at(e.opposite[k])));
    return facing(into, count, flatness(*side.topology, side.state->start, edge), flat_slack(*side.topology),
                  kHitSlack);
  };
  const double length_a = norm(x[1] - x[0]), length_b = norm(x[3] - x[2]);
  if (!meet(sees(a_, edge_a, -n), length_a, sees(b_, edge_b, n), length_b)) return false;
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
  const double kept = pressed(edge_key(edge_a, edge_b)) ? kKept : 0.0, slack = kConeSlack + kept;
  const double flat_a = flatness(*a_.topology, *x, edge_a) - kept;
  const double flat_b = flatness(*b_.topology, *y, edge_b) - kept;
  const double slack_a = flat_slack(*a_.topology), slack_b = flat_slack(*b_.topology);
  const auto face_each_other = [&](const Vec3d& d) {
    return meet(facing(*a_.topology, *x, edge_a, -d, flat_a, slack_a, slack), norm(da),
                facing(*b_.topology, *y, edge_b, d, flat_b, slack_b, slack), norm(db));
  };
  const SurfacePlace p = edge_place(ea, c.s), q = edge_place(eb, c.t);
  if (at_end && !(dot(n, p.at(a_.state->start) - q.at(b_.state->start)) > 0.0)) return;
  double sign = 1.0;  // of the distance
  if (touching) {
    const Vec3d motion =
        p.at(a_.state->end) - p.at(a_.state->start) - q.at(b_.state->end) + q.at(b_.state->start);
    if (dot(n, motion) > 0.0) n = -n;
    if (!face_each_other(n)) {
      n = -n;
      if (!face_each_other(n)) return;
    }
  } else if (!face_each_other(n)) {
    // Overlapping solids: each edge's nearest place inside the other.
    const bool closed_a = a_.topology->closed, closed_b = b_.topology->closed;
    if (at_end || self_ || !(closed_a || closed_b) || !face_each_other(-n)) return;
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
