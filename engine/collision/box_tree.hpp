// Binary tree of bounding boxes: its shape is made once from positions at rest, its boxes are refit in every
// frame. Pairs of overlapping leaves come in an order that does not depend on threads.
#pragma once

#include <array>
#include <vector>

#include <sinew/mesh.hpp>

#include "kernels/runtime/executor.hpp"

namespace sinew {

struct Box {
  Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};  ///< [m]; empty

  void include(const Vec3d& x) {
    low = component_min(low, x);
    high = component_max(high, x);
  }
  void include(const Box& b) {
    low = component_min(low, b.low);
    high = component_max(high, b.high);
  }
  bool overlaps(const Box& b) const {
    // No branches between: which axis parts two boxes is anyone's guess.
    return (low.x <= b.high.x) & (b.low.x <= high.x) & (low.y <= b.high.y) & (b.low.y <= high.y) &
           (low.z <= b.high.z) & (b.low.z <= high.z);
  }
  bool contains(const Vec3d& x) const {
    return low.x <= x.x && x.x <= high.x && low.y <= x.y && x.y <= high.y && low.z <= x.z && x.z <= high.z;
  }
  double squared_distance(const Vec3d& x) const {
    return squared_norm(component_max(component_max(low - x, x - high), Vec3d{}));
  }
  double squared_diagonal() const { return high.x < low.x ? 0.0 : squared_norm(high - low); }
};

/// The shape of a tree: shared by instances.
class TreeShape {
 public:
  struct Node {
    Index first = 0, count = 0;  ///< range of places in order(), of the whole subtree
    Index left = -1;             ///< right is left + 1; -1: leaf
  };
  static constexpr Index kLeafSize = 4;

  TreeShape() = default;
  /// item: numbers of the items; centre: {items} by place in item. Split at the median of the longest axis.
  TreeShape(std::vector<Index> item, const std::vector<Vec3d>& centre);

  bool empty() const { return nodes_.empty(); }
  const std::vector<Node>& nodes() const { return nodes_; }   ///< children behind their parent
  const std::vector<Index>& order() const { return order_; }  ///< items by place

 private:
  std::vector<Index> order_;
  std::vector<Node> nodes_;
};

/// Boxes of one frame.
struct TreeBoxes {
  std::vector<Box> item;  ///< by place in the order
  std::vector<Box> node;
  std::vector<char> apart;  ///< {nodes}: 1 where the items below do not meet each other; empty: nowhere

  /// box(item) of every item.
  template <class BoxOf>
  void refit(const TreeShape& shape, BoxOf&& box) {
    item.resize(shape.order().size());
    node.resize(shape.nodes().size());
    for_each(node.size(), 256, [&](std::size_t n) {
      const TreeShape::Node& leaf = shape.nodes()[n];
      if (leaf.left >= 0) return;
      node[n] = Box{};
      for (Index k = leaf.first; k < leaf.first + leaf.count; ++k) {
        item[k] = box(shape.order()[k]);
        node[n].include(item[k]);
      }
    });
    for (std::size_t n = node.size(); n-- > 0;) {
      const Index left = shape.nodes()[n].left;
      if (left < 0) continue;
      node[n] = node[left];
      node[n].include(node[left + 1]);
    }
  }
};

struct Tree {
  const TreeShape& shape;
  const TreeBoxes& boxes;
};

using NodePair = std::array<Index, 2>;

/// Pairs of subtrees to look through, in a fixed order; about `want` of them where the trees allow. self:
/// both are the same tree, every pair of items once.
std::vector<NodePair> split_pairs(const Tree& a, const Tree& b, bool self, std::size_t want = 128);

/// visit(i, j) for all items below a pair of nodes whose boxes overlap; self: i and j of one tree, i != j.
template <class Visit>
void visit_pairs(const Tree& a, const Tree& b, bool self, const NodePair& from, Visit&& visit) {
  NodePair stack[256];
  int top = 0;
  stack[top++] = from;
  while (top > 0) {
    const NodePair pair = stack[--top];
    if (!a.boxes.node[pair[0]].overlaps(b.boxes.node[pair[1]])) continue;
    const TreeShape::Node &na = a.shape.nodes()[pair[0]], &nb = b.shape.nodes()[pair[1]];
    const bool same = self && pair[0] == pair[1];
    if (same && !a.boxes.apart.empty() && a.boxes.apart[pair[0]]) continue;
    if (same && na.left >= 0) {
      stack[top++] = {na.left + 1, na.left + 1};
      stack[top++] = {na.left, na.left + 1};
      stack[top++] = {na.left, na.left};
    } else if (na.left >= 0 && (nb.left < 0 || na.count >= nb.count)) {
      stack[top++] = {na.left + 1, pair[1]};
      stack[top++] = {na.left, pair[1]};
    } else if (nb.left >= 0) {
      stack[top++] = {pair[0], nb.left + 1};
      stack[top++] = {pair[0], nb.left};
    } else {
      for (Index i = na.first; i < na.first + na.count; ++i) {
        const Box& box = a.boxes.item[i];
        for (Index j = same ? i + 1 : nb.first; j < nb.first + nb.count; ++j)
          if (box.overlaps(b.boxes.item[j])) visit(a.shape.order()[i], b.shape.order()[j]);
      }
    }
  }
}

/// visit(item) for all items whose box overlaps.
template <class Visit>
void visit_overlaps(const Tree& tree, const Box& box, Visit&& visit) {
  Index stack[128];
  int top = 0;
  if (!tree.shape.empty()) stack[top++] = 0;
  while (top > 0) {
    const Index n = stack[--top];
    if (!tree.boxes.node[n].overlaps(box)) continue;
    const TreeShape::Node& node = tree.shape.nodes()[n];
    if (node.left >= 0) {
      stack[top++] = node.left + 1;
      stack[top++] = node.left;
      continue;
    }
    for (Index k = node.first; k < node.first + node.count; ++k)
      if (tree.boxes.item[k].overlaps(box)) visit(tree.shape.order()[k]);
  }
}

/// Item with the least squared_distance(item), ties to the first met; -1: none below `bound`. The boxes may
/// be larger than the items.
template <class Distance>
Index nearest_item(const Tree& tree, const Vec3d& x, double bound, Distance&& squared_distance) {
  Index best = -1;
  Index stack[128];
  int top = 0;
  if (!tree.shape.empty()) stack[top++] = 0;
  while (top > 0) {
    const Index n = stack[--top];
    if (tree.boxes.node[n].squared_distance(x) >= bound) continue;
    const TreeShape::Node& node = tree.shape.nodes()[n];
    if (node.left >= 0) {
      const bool left_first = tree.boxes.node[node.left].squared_distance(x) <=
                              tree.boxes.node[node.left + 1].squared_distance(x);
      stack[top++] = left_first ? node.left + 1 : node.left;
      stack[top++] = left_first ? node.left : node.left + 1;
      continue;
    }
    for (Index k = node.first; k < node.first + node.count; ++k) {
      const double d = squared_distance(tree.shape.order()[k]);
      if (d < bound) {
        bound = d;
        best = tree.shape.order()[k];
      }
    }
  }
  return best;
}

}  // namespace sinew
