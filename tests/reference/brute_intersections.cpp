#include "tests/reference/brute_intersections.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace sinew::test {

namespace {

std::set<std::array<Index, 2>> edges_of(const std::vector<Triangle>& triangles) {
  std::set<std::array<Index, 2>> edges;
  for (const Triangle& t : triangles)
    for (int k = 0; k < 3; ++k)
      edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
  return edges;
}

/// Moeller & Trumbore (1997): barycentric place of the line in the triangle, then the place along the
/// segment.
bool crosses(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d d = q - p, e1 = b - a, e2 = c - a, h = cross(d, e2);
  const double determinant = dot(e1, h);
  if (determinant == 0.0) return false;
  const Vec3d s = p - a;
  const double u = dot(s, h) / determinant;
  const Vec3d k = cross(s, e1);
  const double v = dot(d, k) / determinant, t = dot(e2, k) / determinant;
  return u > 0.0 && v > 0.0 && u + v < 1.0 && t > 0.0 && t < 1.0;
}

std::size_t one_way(const std::vector<Vec3d>& a, const std::vector<Triangle>& triangles_a,
                    const std::vector<Vec3d>& b, const std::vector<Triangle>& triangles_b, bool self) {
  std::size_t count = 0;
  for (const auto& edge : edges_of(triangles_a))
    for (const Triangle& t : triangles_b) {
      const bool shared =
          std::any_of(t.begin(), t.end(), [&](Index p) { return p == edge[0] || p == edge[1]; });
      if (self && shared) continue;
      if (crosses(a[edge[0]], a[edge[1]], b[t[0]], b[t[1]], b[t[2]])) ++count;
    }
  return count;
}

}  // namespace

std::size_t brute_intersections(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles) {
  return one_way(points, triangles, points, triangles, true);
}

std::size_t brute_intersections(const std::vector<Vec3d>& a, const std::vector<Triangle>& triangles_a,
                                const std::vector<Vec3d>& b, const std::vector<Triangle>& triangles_b) {
  return one_way(a, triangles_a, b, triangles_b, false) + one_way(b, triangles_b, a, triangles_a, false);
}

}  // namespace sinew::test
