#include "engine/meshing/winding_number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

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
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, clusters_.size(), 16), [&](const auto& r) {
    for (std::size_t i = r.begin(); i < r.end(); ++i) clusters_[i] = make_cluster(bvh.nodes()[i], reach);
  });
}

WindingNumber::Cluster WindingNumber::make_cluster(const TriangleBvh::Node& node, double reach) const {
  const SurfaceMesh& surface = bvh_.surface();
  Cluster cluster = {};
  const auto corners = [&](Index k) {
    const Triangle& t = surface.triangles[bvh_.order()[k]];
    return std::array<Vec3d, 3>{surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]};
  };
  double total = 0.0;
  for (Index k = node.first; k < node.first + node.count; ++k) {
    const auto [a, b, c] = corners(k);
    const Vec3d n = 0.5 * cross(b - a, c - a);
    cluster.centre += norm(n) * (a + b + c) / 3.0;
    total += norm(n);
    cluster.dipole += n;
  }
  cluster.centre = total > 0.0 ? cluster.centre / total : 0.5 * (node.low + node.high);
  double radius2 = 0.0;
  for (Index k = node.first; k < node.first + node.count; ++k) {
    auto v = corners(k);
    const Vec3d n = 0.5 * cross(v[1] - v[0], v[2] - v[0]);
    for (Vec3d& p : v) {
      p -= cluster.centre;
      radius2 = std::max(radius2, squared_norm(p));
    }
    // Means over a triangle: of d its centroid c, of d d^T (sum of v v^T + 9 c c^T) / 12.
    const Vec3d c = (v[0] + v[1] + v[2]) / 3.0;
    double s[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        s[i][j] = (v[0][i] * v[0][j] + v[1][i] * v[1][j] + v[2][i] * v[2][j] + 9.0 * c[i] * c[j]) / 12.0;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      cluster.quadratic[i] += c[i] * n[i];
      cluster.quadratic[3 + i] += c[i] * n[j] + c[j] * n[i];
      cluster.cubic[i] += n[i] * s[i][i];
      cluster.cubic[3 + 2 * i] += 2.0 * n[i] * s[i][j] + n[j] * s[i][i];
      cluster.cubic[4 + 2 * i] += n[i] * s[j][j] + 2.0 * n[j] * s[i][j];
    }
    cluster.cubic[9] += 2.0 * (n.x * s[1][2] + n.y * s[0][2] + n.z * s[0][1]);
  }
  cluster.far_distance2 = reach * reach * radius2;
  return cluster;
}

// Solid angle of n at r + d, expanded in d. With G = r/|r|^3:
//   n.G,   n_i d_j G_i,j = tr/|r|^3 - 3 (n.r)(d.r)/|r|^5,
//   n_i d_j d_k G_i,jk / 2 = -9/2 t.r/|r|^5 + 15/2 (n.r)(d.r)^2/|r|^7,
// tr and t the traces of the symmetric parts of n d and n d d: G_i,jk does not change with the order of its
// indices.
double WindingNumber::far_angle(const Cluster& cluster, const Vec3d& r, double r2) {
  const double* q = cluster.quadratic;
  const double* c = cluster.cubic;
  const double quadratic =
      r.x * (q[0] * r.x + q[3] * r.y) + r.y * (q[1] * r.y + q[4] * r.z) + r.z * (q[2] * r.z + q[5] * r.x);
  const double cubic = r.x * r.x * (c[0] * r.x + c[3] * r.y + c[8] * r.z) +
                       r.y * r.y * (c[1] * r.y + c[4] * r.x + c[5] * r.z) +
                       r.z * r.z * (c[2] * r.z + c[6] * r.y + c[7] * r.x) + c[9] * r.x * r.y * r.z;
  const double trace = r.x * (c[0] + (c[4] + c[7]) / 3.0) + r.y * (c[1] + (c[3] + c[6]) / 3.0) +
                       r.z * (c[2] + (c[5] + c[8]) / 3.0);
  const double inverse2 = 1.0 / r2;
  return inverse2 / std::sqrt(r2) *
         (dot(cluster.dipole, r) + q[0] + q[1] + q[2] +
          inverse2 * (-3.0 * quadratic - 4.5 * trace + 7.5 * cubic * inverse2));
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
      angle += far_angle(cluster, r, r2);
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
