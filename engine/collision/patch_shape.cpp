#include "engine/collision/patch_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "kernels/element/contact/distance.hpp"
#include "kernels/element/obstacle/obstacle_list.hpp"

namespace sinew {

namespace {

/// Round shapes alone: half-spaces need no more than points, corners and edges of boxes are surfaces.
std::optional<Vec3d> half_extents(const ObstacleShape& shape) {
  if (const auto* s = std::get_if<SphereShape>(&shape)) return Vec3d{s->radius, s->radius, s->radius};
  if (const auto* s = std::get_if<CapsuleShape>(&shape))
    return Vec3d{s->radius, s->radius, s->radius + s->half_length};
  if (const auto* s = std::get_if<CylinderShape>(&shape)) return Vec3d{s->radius, s->radius, s->half_length};
  return std::nullopt;
}

SurfaceQuery<double> query(const ObstacleShape& shape, const Vec3d& x) {
  if (const auto* s = std::get_if<SphereShape>(&shape)) return query_sphere(s->radius, x);
  if (const auto* s = std::get_if<CapsuleShape>(&shape)) return query_capsule(s->radius, s->half_length, x);
  const auto& s = std::get<CylinderShape>(shape);
  return query_cylinder(s.radius, s.half_length, x);
}

/// Least of a convex function on [0, 1] by golden sections; returns its place.
template <class F>
double least_place(int steps, F&& f) {
  constexpr double kGolden = 0.6180339887498949;
  double low = 0.0, high = 1.0, a = 1.0 - kGolden, b = kGolden, fa = f(a), fb = f(b);
  for (int k = 0; k < steps; ++k) {
    if (fa <= fb) {
      high = b;
      b = a;
      fb = fa;
      a = high - kGolden * (high - low);
      fa = f(a);
    } else {
      low = a;
      a = b;
      fa = fb;
      b = low + kGolden * (high - low);
      fb = f(b);
    }
  }
  return 0.5 * (low + high);
}

struct Corners {
  Vec3d x[3];  ///< [m] obstacle coordinates

  Vec3d at(const std::array<double, 3>& w) const { return w[0] * x[0] + w[1] * x[1] + w[2] * x[2]; }
};

constexpr double kDeeper = 0.02;  // of the triangle's or the shape's size: what points may leave uncovered
constexpr double kOnEdge = 1e-3;  // share of a corner below which a place counts as on the edge

std::array<double, 3> nearest_to_centre(const Corners& c) {
  const TrianglePoint<double> p = closest_on_triangle(Vec3d{}, c.x[0], c.x[1], c.x[2]);
  return {p.weight[0], p.weight[1], p.weight[2]};
}

/// Places next to an edge are on it.
std::array<double, 3> clean(std::array<double, 3> w) {
  for (int k = 0; k < 3; ++k) {
    if (w[k] > kOnEdge) continue;
    const double rest = w[(k + 1) % 3] + w[(k + 2) % 3];
    w[k] = 0.0;
    w[(k + 1) % 3] /= rest;
    w[(k + 2) % 3] /= rest;
  }
  return w;
}

/// Place of the triangle deepest in the shape (signed distances to convex shapes are convex).
std::array<double, 3> deepest_place(const ObstacleShape& shape, const Corners& c) {
  if (std::holds_alternative<SphereShape>(shape)) return clean(nearest_to_centre(c));
  constexpr int kSteps = 12;  // to 0.3 % of the triangle
  const auto inner = [&](double s) {
    return least_place(kSteps, [&](double t) {
      return query(shape, c.at({1.0 - s, s * (1.0 - t), s * t})).distance;
    });
  };
  const double s = least_place(kSteps, [&](double at) {
    const double t = inner(at);
    return query(shape, c.at({1.0 - at, at * (1.0 - t), at * t})).distance;
  });
  const double t = inner(s);
  std::array<double, 3> w{1.0 - s, s * (1.0 - t), s * t};
  for (int k = 0; k < 3; ++k) {
    if (w[k] > kOnEdge) continue;
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    const double along =
        least_place(30, [&](double u) { return query(shape, c.x[a] + u * (c.x[b] - c.x[a])).distance; });
    w[k] = 0.0;
    w[a] = 1.0 - along;
    w[b] = along;
    break;
  }
  return w;
}

class Patches {
 public:
  Patches(const PresentSurface& body, const ObstacleFrame& obstacle, Index index, const CollisionFrame& frame,
          DetectMode mode)
      : body_(body), obstacle_(obstacle), index_(index), frame_(frame), mode_(mode) {
    const Vec3d half = *half_extents(obstacle.spec->shape);
    size_ = std::min({half.x, half.y, half.z});
  }

  void add(Index face, std::vector<FoundContact>& found) const {
    const SurfaceTopology& t = *body_.topology;
    const Triangle& v = t.triangles[face];
    if (!t.movable[v[0]] && !t.movable[v[1]] && !t.movable[v[2]]) return;
    const ObstacleShape& shape = obstacle_.spec->shape;
    Corners start, end;
    double motion = 0.0, longest = 0.0;
    for (int k = 0; k < 3; ++k) {
      start.x[k] = obstacle_.start.apply_inverse(body_.state->start[v[k]]);
      end.x[k] = obstacle_.end.apply_inverse(body_.state->end[v[k]]);
      motion = std::max(motion, norm(end.x[k] - start.x[k]));
    }
    for (int k = 0; k < 3; ++k) longest = std::max(longest, norm(start.x[k] - start.x[(k + 1) % 3]));
    const double thickness = body_.surface->shape_offset, reach = thickness + frame_.margin;
    // The distance falls by no more than the way from the nearest corner: 1/sqrt(3) of the longest side.
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3; ++k) least = std::min(least, query(shape, start.x[k]).distance);
    if (least - 0.58 * longest - motion > reach) return;
    // Where the three corners see one normal, no place between them is nearer than all of them.
    const auto one_normal = [&](const Corners& c) {
      const Vec3d a = query(shape, c.x[0]).normal, b = query(shape, c.x[1]).normal,
                  d = query(shape, c.x[2]).normal;
      return dot(a, b) > 0.995 && dot(b, d) > 0.995 && dot(d, a) > 0.995;
    };
    if (one_normal(start) && (one_normal(end) || motion < 0.1 * longest)) return;

    // Steps of the distance over the motion never pass the first touch.
    Corners now = start;
    double time = 0.0;
    std::array<double, 3> place = deepest_place(shape, start);
    double distance = query(shape, start.at(place)).distance;
    const bool near = distance <= reach;
    constexpr int kMostSteps = 32;
    for (int step = 0; !near && step < kMostSteps && distance > thickness + 1e-3 * longest; ++step) {
      if (time >= 1.0) break;
      time = motion > 0.0 ? std::min(1.0, time + (distance - thickness) / motion) : 1.0;
      for (int k = 0; k < 3; ++k) now.x[k] = start.x[k] + time * (end.x[k] - start.x[k]);
      place = deepest_place(shape, now);
      distance = query(shape, now.at(place)).distance;
    }
    if (distance > reach) return;
    if (mode_ == DetectMode::missed) {
      const double slack = 1e-4 * longest;
      const SurfaceQuery<double> touch = query(shape, now.at(place));
      const bool through = !near && dot(touch.normal, end.at(place) - touch.point) < thickness - slack;
      if (!through && query(shape, end.at(deepest_place(shape, end))).distance >= 0.5 * thickness - slack)
        return;
    }
    emit(face, start, end, now, place, distance, longest, near, time, found);
  }

 private:
  void emit(Index face, const Corners& start, const Corners& end, const Corners& now,
            const std::array<double, 3>& w, double distance, double longest, bool near, double time,
            std::vector<FoundContact>& found) const {
    const SurfaceTopology& t = *body_.topology;
    const Triangle& v = t.triangles[face];
    const ObstacleShape& shape = obstacle_.spec->shape;
    // Points have contacts of their own: a patch must reach deeper than they do.
    for (int k = 0; k < 3; ++k)
      if (query(shape, now.x[k]).distance - distance < kDeeper * std::min(longest, size_) ||
          w[k] >= 1.0 - kOnEdge)
        return;
    const SurfaceQuery<double> nearest = query(shape, now.at(w));
    Index feature = face;
    for (int k = 0; k < 3; ++k) {
      if (w[k] > 0.0) continue;
      const Index e = t.triangle_edges[face][(k + 1) % 3];  // opposite to corner k
      feature = t.edge_feature(e);
      // The neighbour must not reach deeper.
      const SurfaceTopology::Edge& edge = t.edges[e];
      for (int side = 0; side < 2; ++side) {
        if (edge.face[side] < 0 || edge.face[side] == face) continue;
        const auto at = [&](Index p) {
          const Vec3d a = obstacle_.start.apply_inverse(body_.state->start[p]);
          return a + time * (obstacle_.end.apply_inverse(body_.state->end[p]) - a);
        };
        const Vec3d a = at(edge.point[0]), along = at(edge.point[1]) - a;
        Vec3d u = at(edge.opposite[side]) - a;
        u = u - (dot(u, along) / std::max(squared_norm(along), 1e-300)) * along;
        if (dot(nearest.normal, u) < -0.02 * norm(u)) return;
      }
    }
    const double thickness = body_.surface->shape_offset;
    const double start_gap = query(shape, start.at(w)).distance - thickness;
    if (mode_ == DetectMode::all &&
        std::min(start_gap, dot(nearest.normal, end.at(w) - nearest.point) - thickness) > frame_.margin)
      return;
    FoundContact result;
    result.hit = !near;
    result.time = time;
    Contact& c = result.contact;
    c.key = {body_.surface->body, ContactFeature::patch_shape, feature, -1, index_, 0};
    for (int k = 0; k < 3; ++k) {
      if (w[k] == 0.0) continue;
      const ContactPoint& point = t.points[v[k]];
      for (Index n = 0; n < point.count; ++n)
        c.term[c.count++] = {body_.surface->body, point.node[n], w[k] * point.weight[n]};
      c.start += w[k] * body_.state->start[v[k]];
    }
    c.count_a = c.count;
    c.frame = make_contact_frame(obstacle_.end.rotation * nearest.normal);
    const Vec3d on_shape = obstacle_.end.apply(nearest.point);
    c.plane_point = on_shape + thickness * c.frame.n;
    c.obstacle_displacement = on_shape - obstacle_.start.apply(nearest.point);
    c.gap_offset = std::min(0.0, start_gap + frame_.max_depenetration);
    c.friction = frame_.friction ? frame_.friction->between(body_.surface->body, -1, index_) : 0.0;
    found.push_back(result);
  }

  const PresentSurface& body_;
  const ObstacleFrame& obstacle_;
  Index index_;
  const CollisionFrame& frame_;
  DetectMode mode_;
  double size_;  ///< [m] least half extent
};

}  // namespace

void find_patches(const PresentSurface& body, const ObstacleFrame& obstacle, Index obstacle_index,
                  const CollisionFrame& frame, DetectMode mode, std::vector<FoundContact>& found) {
  const std::optional<Vec3d> half = half_extents(obstacle.spec->shape);
  if (!half) return;
  Box box;  // around the shape at both ends; the body's boxes hold margin and offset
  for (const Pose* pose : {&obstacle.start, &obstacle.end})
    for (int k = 0; k < 8; ++k)
      box.include(
          pose->apply({k & 1 ? half->x : -half->x, k & 2 ? half->y : -half->y, k & 4 ? half->z : -half->z}));
  const Vec3d more{frame.margin, frame.margin, frame.margin};
  box.low -= more;
  box.high += more;
  std::vector<Index> faces;
  visit_overlaps({body.trees->faces, body.state->faces}, box, [&](Index f) { faces.push_back(f); });
  constexpr std::size_t kChunk = 32;
  std::vector<std::vector<FoundContact>> lists((faces.size() + kChunk - 1) / kChunk);
  const Patches patches(body, obstacle, obstacle_index, frame, mode);
  for_each(lists.size(), 1, [&](std::size_t list) {
    const std::size_t end = std::min(faces.size(), (list + 1) * kChunk);
    for (std::size_t k = list * kChunk; k < end; ++k) patches.add(faces[k], lists[list]);
  });
  for (const auto& list : lists) found.insert(found.end(), list.begin(), list.end());
}

}  // namespace sinew
