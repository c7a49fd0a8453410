// Trees of boxes on a device: built from Morton codes (Karras 2012), refit in every frame, asked for all
// overlaps. The tree is unique (equal codes are told apart by the items' numbers), and answers do not depend
// on its shape: they are exact, and sorted.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sinew/base/config.hpp>
#include <sinew/base/vec3.hpp>

#include "kernels/device/view.hpp"

namespace sinew {

/// [m]; low > high: empty.
struct DeviceBox {
  Vec3d low, high;

  static SINEW_HD DeviceBox empty() { return {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}}; }
  SINEW_HD void include(const DeviceBox& b) {
    low = component_min(low, b.low);
    high = component_max(high, b.high);
  }
  SINEW_HD bool is_empty() const { return low.x > high.x || low.y > high.y || low.z > high.z; }
  SINEW_HD bool overlaps(const DeviceBox& b) const {
    return (low.x <= b.high.x) & (b.low.x <= high.x) & (low.y <= b.high.y) & (b.low.y <= high.y) &
           (low.z <= b.high.z) & (b.low.z <= high.z);
  }
};

/// Binary tree over `leaves` items, all arrays borrowed and on the device. Inner nodes 0 .. leaves - 2, the
/// root first; a child < 0 is the leaf of rank -1 - child. One leaf: no inner nodes.
struct BoxTreeView {
  View<std::uint32_t> item;  ///< {leaves} by rank
  View<Index> left, right;   ///< {leaves - 1}
  View<Index> first, last;   ///< {leaves - 1}: ranks below a node
  View<DeviceBox> leaf_box;  ///< {leaves} by rank
  View<DeviceBox> node_box;  ///< {leaves - 1}
  View<DeviceBox>
      level_box;  ///< {box_levels_size(leaves)}: boxes of 2, 4, 8 ... leaves that follow each other
  std::size_t leaves() const { return item.size; }
};

/// Boxes of BoxTreeView::level_box.
constexpr std::size_t box_levels_size(std::size_t leaves) {
  std::size_t sum = 0;
  for (std::size_t n = leaves; n > 1;) sum += n = (n + 1) / 2;
  return sum;
}

/// Which overlaps of query i with item j count. All arrays may be empty. With owners or `upper` queries and
/// items have the same numbers.
struct PairRule {
  bool upper = false;              ///< only j > i: every pair of items once
  View<const Index> owner;         ///< {items}: items of one owner meet only where
  View<const unsigned char> self;  ///< {owners} says so
  View<const Index> group;         ///< {items}: equal and >= 0: do not meet

  SINEW_HD bool allows(std::size_t i, std::size_t j) const {
    if (upper && j <= i) return false;
    if (owner.size > 0 && owner[i] == owner[j] && !self[static_cast<std::size_t>(owner[i])]) return false;
    return group.size == 0 || group[i] < 0 || group[i] != group[j];
  }
};

/// Query and item.
struct BoxPair {
  Index query, item;
};

class BoxTreeOps {
 public:
  virtual ~BoxTreeOps() = default;

  /// Boxes around the ways of points from start to end, larger by inflation {points} [m].
  virtual void way_boxes(View<const Vec3d> start, View<const Vec3d> end, View<const double> inflation,
                         View<DeviceBox> box) = 0;
  /// box[i] = around from[index[corners i + k]], k < corners.
  virtual void join_boxes(View<const DeviceBox> from, View<const Index> index, int corners,
                          View<DeviceBox> box) = 0;

  /// 63 bits of Morton code of each box's centre, 21 for each axis of the box around all centres; scratch:
  /// morton_scratch(box.size).
  virtual void morton_codes(View<const DeviceBox> box, View<std::uint64_t> code, View<DeviceBox> scratch) = 0;
  /// Nodes of the tree whose items were sorted by code; code {leaves} in that order, tree.item filled
  /// already.
  virtual void build_tree(View<const std::uint64_t> code, const BoxTreeView& tree) = 0;
  /// Boxes of leaves and nodes from those of items.
  virtual void refit_tree(View<const DeviceBox> box, const BoxTreeView& tree) = 0;
  /// Half the surface [m^2] of each inner node's box: their sum tells how good the tree is.
  virtual void node_areas(const BoxTreeView& tree, View<double> area) = 0;

  /// How many items overlap each query; number: the same, for sums that 32 bits may not hold; may be empty.
  virtual void count_overlaps(const BoxTreeView& tree, View<const DeviceBox> query, const PairRule& rule,
                              View<std::uint32_t> count, View<double> number) = 0;
  /// Those of query i from pair[start[i]] to pair[start[i + 1]], ascending; queries that do not fit whole are
  /// left out.
  virtual void list_overlaps(const BoxTreeView& tree, View<const DeviceBox> query, const PairRule& rule,
                             View<const std::uint32_t> start, View<BoxPair> pair) = 0;

  static constexpr std::size_t kBoundsItems = 1024;
  static constexpr std::size_t morton_scratch(std::size_t boxes) {
    return (boxes + kBoundsItems - 1) / kBoundsItems + 1;
  }
};

}  // namespace sinew
