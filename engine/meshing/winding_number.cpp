#include "engine/meshing/winding_number.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

namespace {
constexpr double kFullAngle = 4.0 * std::numbers::pi;
}

double solid_angle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d u = a - x, v = b - x, w = c - x;
  const double lu = norm(u), lv = norm(v), lw = norm(w);
  const double numerator = dot(u, cross(v, w));
  const double denominator = lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv;
  return 2.0 * std::atan2(numerator, denominator);
}

double winding_number_by_sum(const SurfaceMesh& surface, const Vec3d& x) {
  double angle = 0.0;
  for (const Triangle& t : surface.triangles)
    angle += solid_angle(x, surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]);
  return angle / kFullAngle;
}

WindingNumber::WindingNumber(const TriangleBvh& bvh, double reach)
    : bvh_(bvh), clusters_(bvh.nodes().size()) {
  const SurfaceMesh& surface = bvh.surface();
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    const TriangleBvh::Node& node = bvh.nodes()[i];
    Cluster& cluster = clusters_[i];
    cluster = {};
    double total = 0.0;
    const auto each = [&](auto&& use) {
      for (Index k = node.first; k < node.first + node.count; ++k) {
        const Triangle& t = surface.triangles[bvh.order()[k]];
        const Vec3d &a = surface.points[t[0]], &b = surface.points[t[1]], &c = surface.points[t[2]];
        use(0.5 * cross(b - a, c - a), (a + b + c) / 3.0);
      }
    };
    each([&](const Vec3d& area, const Vec3d& centre) {
      cluster.centre += norm(area) * centre;
      total += norm(area);
      cluster.dipole += area;
    });
    cluster.centre = total > 0.0 ? cluster.centre / total : 0.5 * (node.low + node.high);
    each([&](const Vec3d& area, const Vec3d& centre) {
      // The integral of (x - c) over a triangle is its area times (centroid - c).
      const Vec3d d = centre - cluster.centre;
      for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3;
        cluster.moment[k] += d[k] * area[k];
        cluster.moment[3 + k] += d[k] * area[l] + d[l] * area[k];
      }
    });
    const Vec3d corner = component_max(node.high - cluster.centre, cluster.centre - node.low);
    cluster.far_distance2 = reach * reach * squared_norm(corner);
  }
}

double WindingNumber::operator()(const Vec3d& x) const {
  double angle = 0.0;
  Index stack[128];
  int top = 0;
  if (!clusters_.empty()) stack[top++] = 0;
  const SurfaceMesh& surface = bvh_.surface();
  while (top > 0) {
    const Index i = stack[--top];
    const Cluster& cluster = clusters_[i];
    const Vec3d r = cluster.centre - x;
    const double r2 = squared_norm(r);
    if (r2 > cluster.far_distance2) {
      // Solid angle of a small area n at r is n.r/|r|^3; its gradient is I/|r|^3 - 3 r r^T/|r|^5.
      const double inverse3 = 1.0 / (r2 * std::sqrt(r2));
      const double* m = cluster.moment;
      const double quadratic = m[0] * r.x * r.x + m[1] * r.y * r.y + m[2] * r.z * r.z + m[3] * r.x * r.y +
                               m[4] * r.y * r.z + m[5] * r.z * r.x;
      angle += inverse3 * (dot(cluster.dipole, r) + m[0] + m[1] + m[2] - 3.0 * quadratic / r2);
      continue;
    }
    const TriangleBvh::Node& node = bvh_.nodes()[i];
    if (node.left >= 0) {
      stack[top++] = node.left + 1;
      stack[top++] = node.left;
      continue;
    }
    for (Index k = node.first; k < node.first + node.count; ++k) {
      const Triangle& t = surface.triangles[bvh_.order()[k]];
      angle += solid_angle(x, surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]);
    }
  }
  return angle / kFullAngle;
}

}  // namespace sinew
