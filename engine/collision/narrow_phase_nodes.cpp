// Nodes inside a solid against the surface of something else.
//
// Where a blow turns elements inside out, the surface may lie on one side of a board and the inside on the
// other: no contact of the surface tells. As long as all elements have their volume no node inside gets as
// far as its surface, so that these contacts are idle; they are looked for at the end of a frame.
#include <algorithm>
#include <cmath>

#include "engine/collision/narrow_phase.hpp"
#include "engine/collision/places.hpp"
#include "kernels/element/contact/ccd.hpp"

namespace sinew {

void NarrowPhase::inner_node(Index node, std::vector<FoundContact>& found) const {
  const SurfaceTopology& t = *b_.topology;
  const Vec3d &start = a_.state->start[node], &end = a_.state->end[node];
  if (t.closed && b_.state->start_box.contains(start) &&
      nearest_face(t, *b_.trees, *b_.state, start).distance < 0.0) {
    exit(node, false, found);
    return;
  }
  FirstHit<double> first;
  Index hit_face = -1;
  const auto corners = [&](Index face) {
    const Triangle& v = t.triangles[face];
    return MovingCorners<double>{{start, b_.state->start[v[0]], b_.state->start[v[1]], b_.state->start[v[2]]},
                                 {end, b_.state->end[v[0]], b_.state->end[v[1]], b_.state->end[v[2]]}};
  };
  visit_overlaps({b_.trees->faces, b_.state->faces}, a_.state->way[node], [&](Index face) {
    if (face >= t.face_count) return;  // wires and points hold back surfaces only
    const MovingCorners<double> m = corners(face);
    const double size =
        std::sqrt(std::max(squared_norm(m.start[2] - m.start[1]), squared_norm(m.start[3] - m.start[1])));
    const FirstHit<double> hit = first_hit_point_triangle(m, 1e-7 * size);
    if (!hit.hit || (first.hit && hit.time >= first.time)) return;
    const Vec3d normal = cross(m.at(2, hit.time) - m.at(1, hit.time), m.at(3, hit.time) - m.at(1, hit.time));
    const Vec3d motion = (end - start) - (m.end[1] - m.start[1]);
    if (t.closed && dot(normal, motion) > 0.0) return;  // from behind: on its way out
    first = hit;
    hit_face = face;
  });
  if (!first.hit) return;
  const MovingCorners<double> m = corners(hit_face);
  const Triangle& v = t.triangles[hit_face];
  Vec3d corner[3];
  for (int k = 0; k < 3; ++k) corner[k] = m.at(k + 1, first.time);
  const TrianglePoint<double> place =
      closest_on_triangle(m.at(0, first.time), corner[0], corner[1], corner[2]);
  SurfacePlace p{1, {node, 0, 0}, {1.0, 0.0, 0.0}}, q{3, {v[0], v[1], v[2]}, {}};
  for (int k = 0; k < 3; ++k) q.weight[k] = place.weight[k];
  Vec3d n = normalized(cross(corner[1] - corner[0], corner[2] - corner[0]));
  if (n == Vec3d{}) return;
  const Vec3d before = start - q.at(b_.state->start);
  if (!t.closed && dot(n, (end - q.at(b_.state->end)) - before) > 0.0) n = -n;
  // Half of what surfaces keep: the node stays on its side, and idle where the surface does its work.
  const double thickness = 0.5 * thickness_;
  if (!(dot(n, end - q.at(b_.state->end)) < thickness)) return;
  emit(a_, p, b_, q, {n, std::abs(dot(n, before)) - thickness, thickness, true, first.time, false},
       point_key(a_, node, b_, hit_face, TrianglePart::face), found);
}

}  // namespace sinew
