#include "engine/collision/device_box_tree.hpp"

#include <numeric>
#include <vector>

namespace sinew {

namespace {

constexpr const char* kWhat = "tree of boxes";

std::size_t inner_nodes(std::size_t leaves) {
  return leaves > 0 ? leaves - 1 : 0;
}

}  // namespace

DeviceBoxTree::DeviceBoxTree(DeviceQueue& queue, std::size_t leaves)
    : item_(queue.device(), leaves, kWhat),
      left_(queue.device(), inner_nodes(leaves), kWhat),
      right_(queue.device(), inner_nodes(leaves), kWhat),
      first_(queue.device(), inner_nodes(leaves), kWhat),
      last_(queue.device(), inner_nodes(leaves), kWhat),
      leaf_box_(queue.device(), leaves, kWhat),
      node_box_(queue.device(), inner_nodes(leaves), kWhat),
      level_box_(queue.device(), box_levels_size(leaves), kWhat),
      code_(queue.device(), leaves, kWhat),
      bounds_(queue.device(), BoxTreeOps::morton_scratch(leaves), kWhat),
      scratch_(queue.device(), queue.sort_scratch(leaves), kWhat) {
  std::vector<std::uint32_t> number(leaves);
  std::iota(number.begin(), number.end(), 0u);
  number_ = to_device(queue, number, kWhat);
}

void DeviceBoxTree::build(DeviceQueue& queue, View<const DeviceBox> box) {
  constexpr int kCodeBits = 63;
  queue.morton_codes(box, code_.view(), bounds_.view());
  queue.copy(item_.view(), number_.cview());
  queue.sort_pairs(code_.view(), item_.view(), kCodeBits, scratch_.view());
  queue.build_tree(code_.cview(), view());
}

}  // namespace sinew
