// From pairs of triangles to pairs of their features that may touch: points with triangles, edges with edges.
#pragma once

#include "kernels/op/box_tree_ops.hpp"

namespace sinew {

/// Triangles of all surfaces and what belongs to them, numbered over all surfaces; borrowed, on the device.
/// Each point and edge belongs to one triangle (Curtis, Tamstorf & Manocha 2008), so pairs of triangles lead
/// to every pair of features once.
struct FeatureView {
  View<const Index> corner;                  ///< {3 triangles} points
  View<const Index> edge_point;              ///< {2 edges}
  View<const Index> point_start, own_point;  ///< {triangles + 1} ranges of own_point
  View<const Index> edge_start, own_edge;    ///< {triangles + 1} ranges of own_edge
  View<const unsigned char> movable;         ///< {points}
  View<const unsigned char> bare;            ///< {triangles}: 1: met by edges only, not by others' points
};

/// Where they are in a frame.
struct FeatureWays {
  View<const Vec3d> start, end;  ///< {points} [m]
  View<const double> inflation;  ///< {points} [m] of the boxes: features of two surfaces that come no
                                 ///< nearer than the sum of theirs do not matter
  View<const DeviceBox> point, edge, triangle;
};

/// A point and a triangle; or first < 0: edges -1 - first and second.
struct FeaturePair {
  Index first, second;
};

class FeaturePairOps {
 public:
  virtual ~FeaturePairOps() = default;

  /// Features of each pair of triangles that may come near each other. pair: room; those there are: *total,
  /// none of them where that is more than the room. number as in count_overlaps().
  virtual void count_features(const FeatureView& features, const FeatureWays& ways, View<const BoxPair> pair,
                              View<const std::uint32_t> total, View<std::uint32_t> count,
                              View<double> number) = 0;
  /// Those of pair k from feature[start[k]] to feature[start[k + 1]]: points of the first triangle, of the
  /// second, edges; pairs that do not fit whole are left out.
  virtual void list_features(const FeatureView& features, const FeatureWays& ways, View<const BoxPair> pair,
                             View<const std::uint32_t> total, View<const std::uint32_t> start,
                             View<FeaturePair> feature) = 0;
};

}  // namespace sinew
