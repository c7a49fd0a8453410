// Bounding boxes over triangles, for distances and as the clusters of the winding number.
#pragma once

#include <vector>

#include <sinew/mesh.hpp>

namespace sinew {

/// Binary tree over triangles, split at the median of the longest axis. Holds references: the surface must
/// outlive it.
class TriangleBvh {
 public:
  struct Node {
    Vec3d low, high;
    Index first = 0, count = 0;  ///< range in order(), of the whole subtree
    Index left = -1;             ///< right is left + 1; -1: leaf
  };

  explicit TriangleBvh(const SurfaceMesh& surface);

  /// Distance [m] to the nearest triangle.
  double distance(const Vec3d& x) const;

  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Index>& order() const { return order_; }
  const SurfaceMesh& surface() const { return surface_; }

 private:
  const SurfaceMesh& surface_;
  std::vector<Index> order_;
  std::vector<Node> nodes_;  ///< children behind their parent
};

/// Squared distance of x to the triangle a, b, c, which may be degenerate.
double squared_distance_to_triangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c);

}  // namespace sinew
