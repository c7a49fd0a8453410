// Bodies of refitting trees of boxes and of asking them.
//
// Karras's nodes cover ranks that follow each other. So boxes of 2, 4, 8 ... leaves are made first, by a
// fixed number of launches, and each node joins those that make up its range, two on the average: no thread
// waits for another one, there are no counters, and the number of launches does not depend on the depth of
// the tree.
#pragma once

#include "kernels/op/box_tree_build_kernels.hpp"

namespace sinew {

struct LeafBoxKernel {
  const DeviceBox* box;
  const std::uint32_t* item;
  DeviceBox* leaf;
  SINEW_HD void operator()(std::size_t i) const { leaf[i] = box[item[i]]; }
};

/// Where the levels of boxes stand in one array; level 0 is the leaves.
struct BoxLevels {
  static constexpr int kMost = 33;
  int count = 0;  ///< levels above the leaves
  std::size_t start[kMost] = {}, size[kMost] = {};
  explicit BoxLevels(std::size_t leaves) {
    size[0] = leaves;
    while (size[count] > 1) {
      size[count + 1] = (size[count] + 1) / 2;
      start[count + 1] = count == 0 ? 0 : start[count] + size[count];
      ++count;
    }
  }
};

/// From one level the next kLevels: a block does kItems boxes of the lowest.
struct BoxLevelKernel {
  static constexpr int kThreads = 128, kItems = 256, kLevels = 8;
  struct Shared {
    DeviceBox part[2][kThreads];
  };
  const DeviceBox* from;
  std::size_t size;  ///< of from
  DeviceBox* to[kLevels];
  int levels;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    std::size_t below = size;
    for (int level = 0; level < levels; ++level) {
      const std::size_t here = (below + 1) / 2;
      const int width = kThreads >> level;  // of this block at this level
      const std::size_t first = block.index() * static_cast<std::size_t>(width);
      DeviceBox* part = block.shared().part[level % 2];
      const DeviceBox* source =
          level == 0 ? from + block.index() * kItems : block.shared().part[(level + 1) % 2];
      block.threads([&](int t) {
        const std::size_t i = first + static_cast<std::size_t>(t);
        if (t >= width || i >= here) return;
        DeviceBox sum = source[2 * t];
        if (2 * i + 1 < below) sum.include(source[2 * t + 1]);
        part[t] = sum;
        to[level][i] = sum;
      });
      below = here;
    }
  }
};

struct NodeBoxKernel {
  const DeviceBox* leaf;
  const DeviceBox* level_box;
  BoxLevels levels;
  const Index *first, *last;
  DeviceBox* node;
  SINEW_HD void operator()(std::size_t i) const {
    std::size_t begin = static_cast<std::size_t>(first[i]), end = static_cast<std::size_t>(last[i]) + 1;
    DeviceBox sum = DeviceBox::empty();
    for (int level = 0; begin < end; ++level) {
      const DeviceBox* box = level == 0 ? leaf : level_box + levels.start[level];
      if (begin & 1) sum.include(box[begin++]);
      if (end & 1) sum.include(box[--end]);
      begin /= 2;
      end /= 2;
    }
    node[i] = sum;
  }
};

struct NodeAreaKernel {
  const DeviceBox* node;
  double* area;
  SINEW_HD void operator()(std::size_t i) const {
    const Vec3d d = node[i].high - node[i].low;
    area[i] = node[i].is_empty() ? 0.0 : d.x * d.y + d.y * d.z + d.z * d.x;
  }
};

/// visit(item) for all leaves whose box overlaps. A path from the root adds at least one bit of prefix a
/// node: 63 of the code and 32 of the rank at most, and as many nodes wait.
template <class Visit>
SINEW_HD void visit_tree(const BoxTreeView& tree, const DeviceBox& box, Visit&& visit) {
  Index stack[100];
  int top = 0;
  if (tree.item.size > 0) stack[top++] = tree.item.size > 1 ? 0 : -1;
  while (top > 0) {
    const Index n = stack[--top];
    if (n < 0) {
      if (tree.leaf_box[static_cast<std::size_t>(-1 - n)].overlaps(box))
        visit(static_cast<Index>(tree.item[static_cast<std::size_t>(-1 - n)]));
    } else if (tree.node_box[static_cast<std::size_t>(n)].overlaps(box)) {
      stack[top++] = tree.right[static_cast<std::size_t>(n)];
      stack[top++] = tree.left[static_cast<std::size_t>(n)];
    }
  }
}

struct CountOverlapsKernel {
  BoxTreeView tree;
  const DeviceBox* query;
  PairRule rule;
  std::uint32_t* count;
  double* number;  ///< may be null
  SINEW_HD void operator()(std::size_t i) const {
    std::uint32_t sum = 0;
    visit_tree(tree, query[i], [&](Index j) { sum += rule.allows(i, static_cast<std::size_t>(j)); });
    count[i] = sum;
    if (number) number[i] = sum;
  }
};

/// Sorts by item: lists of a query have some dozens, but may have all.
SINEW_HD inline void sort_by_item(BoxPair* pair, std::int64_t size) {
  if (size <= 24) {
    for (std::int64_t i = 1; i < size; ++i) {
      const BoxPair p = pair[i];
      std::int64_t k = i;
      for (; k > 0 && pair[k - 1].item > p.item; --k) pair[k] = pair[k - 1];
      pair[k] = p;
    }
    return;
  }
  const auto sink = [&](std::int64_t at, std::int64_t end) {
    const BoxPair p = pair[at];
    for (std::int64_t child; (child = 2 * at + 1) < end; at = child) {
      if (child + 1 < end && pair[child].item < pair[child + 1].item) ++child;
      if (pair[child].item <= p.item) break;
      pair[at] = pair[child];
    }
    pair[at] = p;
  };
  for (std::int64_t i = size / 2; i-- > 0;) sink(i, size);
  for (std::int64_t end = size - 1; end > 0; --end) {
    const BoxPair p = pair[end];
    pair[end] = pair[0];
    pair[0] = p;
    sink(0, end);
  }
}

struct ListOverlapsKernel {
  BoxTreeView tree;
  const DeviceBox* query;
  PairRule rule;
  const std::uint32_t* start;
  View<BoxPair> pair;
  SINEW_HD void operator()(std::size_t i) const {
    const std::size_t begin = start[i], end = start[i + 1];
    if (end > pair.size || begin >= end) return;
    std::size_t at = begin;
    visit_tree(tree, query[i], [&](Index j) {
      if (rule.allows(i, static_cast<std::size_t>(j))) pair[at++] = {static_cast<Index>(i), j};
    });
    sort_by_item(pair.data + begin, static_cast<std::int64_t>(end - begin));
  }
};

namespace op {

template <class Queue>
void refit_tree(Queue& queue, View<const DeviceBox> box, const BoxTreeView& tree) {
  const BoxLevels levels(tree.leaves());
  queue.for_each(tree.leaves(), LeafBoxKernel{box.data, tree.item.data, tree.leaf_box.data});
  for (int done = 0; done < levels.count;) {
    BoxLevelKernel kernel{};
    kernel.from = done == 0 ? tree.leaf_box.data : tree.level_box.data + levels.start[done];
    kernel.size = levels.size[done];
    const std::size_t blocks = block_count(kernel.size, BoxLevelKernel::kItems);
    while (kernel.levels < BoxLevelKernel::kLevels && done < levels.count)
      kernel.to[kernel.levels++] = tree.level_box.data + levels.start[++done];
    queue.launch(blocks, kernel);
  }
  queue.for_each(tree.node_box.size, NodeBoxKernel{tree.leaf_box.data, tree.level_box.data, levels,
                                                   tree.first.data, tree.last.data, tree.node_box.data});
}

template <class Queue>
void node_areas(Queue& queue, const BoxTreeView& tree, View<double> area) {
  queue.for_each(area.size, NodeAreaKernel{tree.node_box.data, area.data});
}

template <class Queue>
void count_overlaps(Queue& queue, const BoxTreeView& tree, View<const DeviceBox> query, const PairRule& rule,
                    View<std::uint32_t> count, View<double> number) {
  queue.for_each(query.size, CountOverlapsKernel{tree, query.data, rule, count.data, number.data});
}

template <class Queue>
void list_overlaps(Queue& queue, const BoxTreeView& tree, View<const DeviceBox> query, const PairRule& rule,
                   View<const std::uint32_t> start, View<BoxPair> pair) {
  queue.for_each(query.size, ListOverlapsKernel{tree, query.data, rule, start.data, pair});
}

}  // namespace op

}  // namespace sinew
