// A point against a triangle, an edge or a point.
#include "engine/collision/narrow_phase.hpp"

#include <algorithm>
#include <cmath>

#include "engine/collision/places.hpp"
#include "kernels/element/contact/ccd.hpp"

namespace sinew {

namespace {

constexpr double kHitSlack = 1e-3;  // [sine] of cones at the time of a hit
constexpr double kUpright = 0.9;    // [cosine] nearer to a face's normal than this counts as it
constexpr double kFaceTilt = 0.7, kEdgeTilt = 0.1;  // [sine] of a point's own surface to what it touches

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

/// Whether direction d (unit) leaves the part of a face into its normal cone; at(point): positions.
template <class At>
bool in_normal_cone(const SurfaceTopology& t, const At& at, Index face, TrianglePart part, const Vec3d& d,
                    double slack) {
  const int k = static_cast<int>(part);
  if (k == 0) return true;
  if (k < 4) {
    const SurfaceTopology::Edge& e = t.edges[t.triangle_edges[face][k - 1]];
    for (int side = 0; side < 2; ++side)
      if (e.face[side] >= 0 && dot(d, across(at(e.point[0]), at(e.point[1]), at(e.opposite[side]))) > slack)
        return false;
    return true;
  }
  const Index p = t.triangles[face][k - 4];
  for (Index n = t.neighbour_start[p]; n < t.neighbour_start[p + 1]; ++n) {
    const Vec3d u = at(t.neighbour[n]) - at(p);
    if (dot(d, u) > slack * norm(u)) return false;
  }
  return true;
}

/// Whether the neighbours of a point lie on its side of a plane with normal n, up to a tilt: else they are
/// what touches.
template <class At>
bool sticks_out(const SurfaceTopology& t, const At& at, Index point, const Vec3d& n, double tilt) {
  for (Index k = t.neighbour_start[point]; k < t.neighbour_start[point + 1]; ++k) {
    const Vec3d u = at(t.neighbour[k]) - at(point);
    if (dot(-n, u) > tilt * norm(u)) return false;
  }
  return true;
}

}  // namespace

bool NarrowPhase::hit_point_face(const PresentSurface& s, Index point, const PresentSurface& t, Index face,
                                 double distance, std::vector<FoundContact>& found) const {
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
  FirstHit<double> hit = first_hit_point_triangle(m, reach);
  if (!hit.hit || hit.time <= 0.0) return false;
  Vec3d x, corner[3];
  TrianglePoint<double> place;
  const auto look = [&] {
    x = m.at(0, hit.time);
    for (int k = 0; k < 3; ++k) corner[k] = m.at(k + 1, hit.time);
    place = closest_on_triangle(x, corner[0], corner[1], corner[2]);
  };
  const auto moving = [&](const PresentSurface& side) {
    return [&side, time = hit.time](Index i) {
      return side.state->start[i] + time * (side.state->end[i] - side.state->start[i]);
    };
  };
  look();
  const Vec3d across_face = normalized(cross(corner[1] - corner[0], corner[2] - corner[0]));
  Vec3d n = normalized(x - triangle_point(place, corner[0], corner[1], corner[2]));
  bool by_face = solid_face && (place.part == TrianglePart::face || std::abs(dot(n, across_face)) > kUpright);
  if (solid_face && !by_face && n != Vec3d{} &&
      !in_normal_cone(*t.topology, moving(t), face, place.part, n, kHitSlack)) {
    // Comes by the side of the triangle: that's its neighbours' matter, unless it goes through as well.
    hit = first_hit_point_triangle(m, 1e-7 * size);
    if (!hit.hit || hit.time <= 0.0) return false;
    look();
    by_face = true;
  }
  if (n == Vec3d{}) {
    if (!solid_face) return false;
    by_face = true;
  }
  const SurfacePlace q = face_place(v, place);
  if (by_face) {
    n = across_face;
    if (n == Vec3d{}) return false;
    const Vec3d motion = (m.end[0] - m.start[0]) - (q.at(t.state->end) - q.at(t.state->start));
    const double approach = dot(n, motion);
    if (t.topology->closed && approach > 0.0) return false;  // from behind: on its way out
    const bool sure = std::abs(approach) > 1e-6 * norm(motion);
    if (sure ? approach > 0.0 : dot(n, m.start[0] - q.at(t.state->start)) < 0.0) n = -n;
    if (t.surface->obstacle >= 0) {  // turns with the obstacle
      const Vec3d turned = normalized(face_normal(*t.topology, t.state->end, face));
      n = dot(n, across_face) < 0.0 ? -turned : turned;
    }
  } else if (!sticks_out(*s.topology, moving(s), point, n, kEdgeTilt)) {
    return false;
  }
  const ContactKey key = point_key(s, point, t, face, by_face ? TrianglePart::face : place.part);
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
  if (hit_point_face(s, point, t, face, distance, found)) return;
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
  const ContactKey key = point_key(s, point, t, face, place.part);
  const double kept = pressed(key) ? kKept : 0.0;
  Vec3d n;
  if (distance > kTouching * (size + thickness_)) {
    n = apart / distance;
    if (closed && dot(n, outward) < 0.0) return;  // from behind
    if (!in_normal_cone(
            *t.topology, [&](Index i) { return (*y)[i]; }, face, place.part, n, kConeSlack + kept))
      return;
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
  // A point of a flat plate has no side. On a face with some patience, so that all corners of a tilted block
  // count.
  const auto own = [&](Index i) { return (*x)[i]; };
  if (!sticks_out(*s.topology, own, point, n,
                  kept + (place.part == TrianglePart::face ? kFaceTilt : kEdgeTilt)))
    return;
  // Seen from the far side of a thin solid.
  if (s.topology->closed && s.topology->face_count > 0 &&
      dot(n, normalized(point_normal(*s.topology, *x, point))) > 0.5)
    return;
  // Two points: once, by the first body, or by the lower point.
  if (static_cast<int>(place.part) >= 4 && t.surface->body >= 0 && s.surface->body >= 0) {
    const Index other = v[static_cast<int>(place.part) - 4];
    const bool first = self_ ? point < other : s.surface->body < t.surface->body;
    if (!first && sticks_out(*s.topology, own, point, n, 0.5 * kConeSlack)) return;
  }
  emit(s, point_place(point), t, q, {n, start_distance - thickness, thickness, false, 0.0, at_end}, key,
       found);
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

}  // namespace sinew
