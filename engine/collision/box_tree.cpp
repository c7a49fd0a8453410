#include "engine/collision/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace sinew {

TreeShape::TreeShape(std::vector<Index> item, const std::vector<Vec3d>& centre) {
  if (item.empty()) return;
  std::vector<Index> place(item.size());
  std::iota(place.begin(), place.end(), 0);
  nodes_.push_back({0, static_cast<Index>(item.size()), -1});
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node node = nodes_[i];
    if (node.count <= kLeafSize) continue;
    Box box;
    for (Index k = node.first; k < node.first + node.count; ++k) box.include(centre[place[k]]);
    const Vec3d extent = box.high - box.low;
    const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : (extent.y >= extent.z ? 1 : 2);
    const Index half = node.count / 2;
    const auto begin = place.begin() + node.first;
    std::nth_element(begin, begin + half, begin + node.count, [&](Index a, Index b) {
      return centre[a][axis] != centre[b][axis] ? centre[a][axis] < centre[b][axis] : a < b;
    });
    nodes_[i].left = static_cast<Index>(nodes_.size());
    nodes_.push_back({node.first, half, -1});
    nodes_.push_back({node.first + half, node.count - half, -1});
  }
  // nth_element leaves the order inside a leaf to the library: sort it.
  for (const Node& node : nodes_)
    if (node.left < 0) std::sort(place.begin() + node.first, place.begin() + node.first + node.count);
  order_.resize(item.size());
  for (std::size_t k = 0; k < item.size(); ++k) order_[k] = item[place[k]];
}

std::vector<NodePair> split_pairs(const Tree& a, const Tree& b, bool self, std::size_t want) {
  std::vector<NodePair> pairs, next;
  if (a.shape.empty() || b.shape.empty()) return pairs;
  pairs.push_back({0, 0});
  for (bool grown = true; grown && !pairs.empty() && pairs.size() < want;) {
    grown = false;
    next.clear();
    for (const NodePair& pair : pairs) {
      if (!a.boxes.node[pair[0]].overlaps(b.boxes.node[pair[1]])) continue;
      const TreeShape::Node &na = a.shape.nodes()[pair[0]], &nb = b.shape.nodes()[pair[1]];
      if (self && pair[0] == pair[1] && !a.boxes.apart.empty() && a.boxes.apart[pair[0]]) continue;
      if (self && pair[0] == pair[1] && na.left >= 0) {
        next.push_back({na.left, na.left});
        next.push_back({na.left, na.left + 1});
        next.push_back({na.left + 1, na.left + 1});
      } else if (na.left >= 0 && (nb.left < 0 || na.count >= nb.count)) {
        next.push_back({na.left, pair[1]});
        next.push_back({na.left + 1, pair[1]});
      } else if (nb.left >= 0) {
        next.push_back({pair[0], nb.left});
        next.push_back({pair[0], nb.left + 1});
      } else {
        next.push_back(pair);
        continue;
      }
      grown = true;
    }
    pairs.swap(next);
  }
  return pairs;
}

}  // namespace sinew
