#include "engine/collision/flat_patches.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

/// A deformation gradient: images of the plane's two unit vectors.
struct Gradient {
  Vec3d u, v;
  Gradient operator+(const Gradient& o) const { return {u + o.u, v + o.v}; }
  Gradient operator-(const Gradient& o) const { return {u - o.u, v - o.v}; }
  Gradient operator*(double s) const { return {s * u, s * v}; }
  double size() const { return std::sqrt(squared_norm(u) + squared_norm(v)); }
  double least_stretch() const {
    const double uu = squared_norm(u), vv = squared_norm(v), uv = dot(u, v);
    return std::sqrt(std::max(0.0, 0.5 * (uu + vv) - std::hypot(0.5 * (uu - vv), uv)));
  }
};

/// All gradients of a patch: a ball.
struct Ball {
  Gradient centre{};
  double radius = 0.0;
};

Gradient gradient(const FlatRest& rest, const Triangle& t, Index face, const std::vector<Vec3d>& x) {
  const Vec3d p = x[t[1]] - x[t[0]], q = x[t[2]] - x[t[0]];
  const auto& m = rest.inverse[face];
  return {m[0] * p + m[2] * q, m[1] * p + m[3] * q};
}

using Point2 = std::array<double, 2>;

double turn(const Point2& a, const Point2& b, const Point2& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Area of the convex hull (Andrew 1979).
double hull_area(std::vector<Point2> p) {
  std::sort(p.begin(), p.end());
  std::vector<Point2> hull;
  for (int half = 0; half < 2; ++half) {
    const std::size_t first = hull.size();
    for (const Point2& x : p) {
      while (hull.size() >= first + 2 && turn(hull[hull.size() - 2], hull.back(), x) <= 0.0) hull.pop_back();
      hull.push_back(x);
    }
    hull.pop_back();
    std::reverse(p.begin(), p.end());
  }
  double twice = 0.0;
  for (std::size_t k = 0; k < hull.size(); ++k) twice += turn(hull[0], hull[k], hull[(k + 1) % hull.size()]);
  return 0.5 * twice;
}

}  // namespace

FlatRest flat_rest(const SurfaceTopology& t) {
  constexpr double kFlat = 1e-9;
  FlatRest rest;
  if (t.closed || t.face_count == 0 || t.face_count != static_cast<Index>(t.triangles.size())) return rest;
  const auto side = [&](Index f, int k) { return t.rest[t.triangles[f][k]] - t.rest[t.triangles[f][0]]; };
  const Vec3d n = normalized(cross(side(0, 1), side(0, 2)));
  const Vec3d e = normalized(side(0, 1)), d = cross(n, e), origin = t.rest[t.triangles[0][0]];
  std::vector<Point2> at;
  double size = 0.0;
  for (const Vec3d& x : t.rest) {
    at.push_back({dot(x - origin, e), dot(x - origin, d)});
    size = std::max(size, norm(x - origin));
  }
  for (const Vec3d& x : t.rest)
    if (!(std::abs(dot(x - origin, n)) <= kFlat * size)) return rest;
  double area = 0.0;
  rest.lowest = size;
  for (Index f = 0; f < t.face_count; ++f) {
    const Triangle& v = t.triangles[f];
    const double twice = turn(at[v[0]], at[v[1]], at[v[2]]);
    if (!(twice > 0.0)) return {};
    area += 0.5 * twice;
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
      const Point2 &a = at[v[k]], &b = at[v[(k + 1) % 3]];
      longest = std::max(longest, std::hypot(a[0] - b[0], a[1] - b[1]));
    }
    rest.lowest = std::min(rest.lowest, twice / longest);
    const double px = at[v[1]][0] - at[v[0]][0], py = at[v[1]][1] - at[v[0]][1];
    const double qx = at[v[2]][0] - at[v[0]][0], qy = at[v[2]][1] - at[v[0]][1];
    rest.inverse.push_back({qy / twice, -qx / twice, -py / twice, px / twice});
  }
  if (!(std::abs(hull_area(at) - area) <= kFlat * area)) return {};
  return rest;
}

void find_flat_patches(const FlatRest& rest, const SurfaceTopology& t, const TreeShape& tree,
                       const std::vector<Vec3d>& start, const std::vector<Vec3d>& end, double share,
                       std::vector<char>& apart) {
  apart.clear();
  if (rest.inverse.empty() || tree.empty()) return;
  std::vector<Ball> face(t.triangles.size()), point(t.points.size());
  for_each(face.size(), 512, [&](std::size_t f) {
    const Gradient a = gradient(rest, t.triangles[f], static_cast<Index>(f), start),
                   b = gradient(rest, t.triangles[f], static_cast<Index>(f), end);
    face[f] = {(a + b) * 0.5, 0.5 * (b - a).size()};
  });
  // Around every point: the line between two places of a patch may leave its triangles by a little.
  for_each(point.size(), 512, [&](std::size_t p) {
    Ball& ball = point[p];
    const Index first = t.face_start[p], last = t.face_start[p + 1];
    for (Index k = first; k < last; ++k) ball.centre = ball.centre + face[t.point_faces[k]].centre;
    ball.centre = ball.centre * (1.0 / std::max<Index>(1, last - first));
    for (Index k = first; k < last; ++k) {
      const Ball& one = face[t.point_faces[k]];
      ball.radius = std::max(ball.radius, one.radius + (one.centre - ball.centre).size());
    }
  });
  const std::vector<TreeShape::Node>& nodes = tree.nodes();
  std::vector<Ball> ball(nodes.size());
  apart.assign(nodes.size(), 0);
  const auto judge = [&](std::size_t n) {
    apart[n] = ball[n].centre.least_stretch() - ball[n].radius >= share;
  };
  for_each(nodes.size(), 256, [&](std::size_t n) {
    const TreeShape::Node& node = nodes[n];
    if (node.left >= 0) return;
    const auto each = [&](auto&& visit) {
      for (Index k = node.first; k < node.first + node.count; ++k)
        for (const Index p : t.triangles[tree.order()[k]]) visit(point[p]);
    };
    each([&](const Ball& b) { ball[n].centre = ball[n].centre + b.centre; });
    ball[n].centre = ball[n].centre * (1.0 / (3.0 * node.count));
    each([&](const Ball& b) {
      ball[n].radius = std::max(ball[n].radius, b.radius + (b.centre - ball[n].centre).size());
    });
    judge(n);
  });
  for (std::size_t n = nodes.size(); n-- > 0;) {
    if (nodes[n].left < 0) continue;
    const std::size_t left = static_cast<std::size_t>(nodes[n].left), right = left + 1;
    const double weight = static_cast<double>(nodes[left].count) / nodes[n].count;
    ball[n].centre = ball[left].centre * weight + ball[right].centre * (1.0 - weight);
    for (const std::size_t k : {left, right})
      ball[n].radius = std::max(ball[n].radius, ball[k].radius + (ball[k].centre - ball[n].centre).size());
    judge(n);
  }
}

}  // namespace sinew
