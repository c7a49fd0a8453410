// A tree of boxes with its memory on a device.
#pragma once

#include "kernels/device/queue.hpp"

namespace sinew {

class DeviceBoxTree {
 public:
  DeviceBoxTree() = default;
  DeviceBoxTree(DeviceQueue& queue, std::size_t leaves);

  /// A new shape from boxes {leaves} of items; the boxes of the tree are not set.
  void build(DeviceQueue& queue, View<const DeviceBox> box);
  void refit(DeviceQueue& queue, View<const DeviceBox> box) { queue.refit_tree(box, view()); }
  BoxTreeView view() {
    return {item_.view(), left_.view(),     right_.view(),    first_.view(),
            last_.view(), leaf_box_.view(), node_box_.view(), level_box_.view()};
  }
  std::size_t nodes() const { return left_.size(); }

 private:
  DeviceBuffer<std::uint32_t> number_;  ///< 0, 1, 2, ...
  DeviceBuffer<std::uint32_t> item_;
  DeviceBuffer<Index> left_, right_, first_, last_;
  DeviceBuffer<DeviceBox> leaf_box_, node_box_, level_box_;
  DeviceBuffer<std::uint64_t> code_;
  DeviceBuffer<DeviceBox> bounds_;
  DeviceBuffer<unsigned char> scratch_;  ///< of the sort
};

}  // namespace sinew
