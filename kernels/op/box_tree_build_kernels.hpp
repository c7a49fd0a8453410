// Bodies of boxes, Morton codes and the building of trees.
#pragma once

#if !defined(__CUDA_ARCH__)
#include <bit>
#endif

#include "kernels/device/kernel.hpp"
#include "kernels/op/box_tree_ops.hpp"

namespace sinew {

struct WayBoxKernel {
  const Vec3d* start;
  const Vec3d* end;
  const double* inflation;
  DeviceBox* box;
  SINEW_HD void operator()(std::size_t i) const {
    const Vec3d more{inflation[i], inflation[i], inflation[i]};
    box[i] = {component_min(start[i], end[i]) - more, component_max(start[i], end[i]) + more};
  }
};

struct JoinBoxKernel {
  const DeviceBox* from;
  const Index* index;
  int corners;
  DeviceBox* box;
  SINEW_HD void operator()(std::size_t i) const {
    DeviceBox sum = DeviceBox::empty();
    for (int k = 0; k < corners; ++k) sum.include(from[index[i * static_cast<std::size_t>(corners) + k]]);
    box[i] = sum;
  }
};

SINEW_HD inline Vec3d box_centre(const DeviceBox& box) {
  return 0.5 * box.low + 0.5 * box.high;
}

/// Box around the centres of boxes (empty ones left out), or around boxes: each block leaves one.
struct BoundsKernel {
  static constexpr int kThreads = 256;
  struct Shared {
    DeviceBox part[kThreads];
  };
  const DeviceBox* box;
  std::size_t size;
  std::size_t items;  ///< of a block
  bool centres;
  DeviceBox* to;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    DeviceBox* part = block.shared().part;
    block.threads([&](int t) {
      const std::size_t first = block.index() * items, end = first + items < size ? first + items : size;
      DeviceBox sum = DeviceBox::empty();
      for (std::size_t i = first + static_cast<std::size_t>(t); i < end; i += kThreads) {
        if (!centres) {
          sum.include(box[i]);
        } else if (!box[i].is_empty()) {
          const Vec3d x = box_centre(box[i]);
          sum.include({x, x});
        }
      }
      part[t] = sum;
    });
    for (int half = kThreads / 2; half > 0; half /= 2)
      block.threads([&](int t) {
        if (t < half) part[t].include(part[t + half]);
      });
    block.threads([&](int t) {
      if (t == 0) to[block.index()] = part[0];
    });
  }
};

/// 21 bits with two zeros behind each.
SINEW_HD inline std::uint64_t spread_bits(std::uint64_t x) {
  x &= 0x1FFFFFull;
  x = (x | x << 32) & 0x1F00000000FFFFull;
  x = (x | x << 16) & 0x1F0000FF0000FFull;
  x = (x | x << 8) & 0x100F00F00F00F00Full;
  x = (x | x << 4) & 0x10C30C30C30C30C3ull;
  return (x | x << 2) & 0x1249249249249249ull;
}

/// Place of x between low and high in 21 bits.
SINEW_HD inline std::uint64_t quantized(double x, double low, double high) {
  constexpr double kMost = 2097151.0;
  const double extent = high - low;
  const double place = extent > 0.0 ? (x - low) / extent * 2097152.0 : 0.0;
  // An extent that overflows gives 0 or a NaN: any code will do, as the tree's answers do not depend on it.
  return place > 0.0 ? static_cast<std::uint64_t>(place < kMost ? place : kMost) : 0;
}

struct MortonKernel {
  const DeviceBox* box;
  const DeviceBox* bounds;
  std::uint64_t* code;
  SINEW_HD void operator()(std::size_t i) const {
    const Vec3d x = box_centre(box[i]), low = bounds->low, high = bounds->high;
    code[i] = spread_bits(quantized(x.x, low.x, high.x)) << 2 |
              spread_bits(quantized(x.y, low.y, high.y)) << 1 | spread_bits(quantized(x.z, low.z, high.z));
  }
};

SINEW_HD inline int leading_zeros(std::uint64_t x) {
#if defined(__CUDA_ARCH__)
  return __clzll(static_cast<long long>(x));
#else
  return std::countl_zero(x);
#endif
}

/// Inner node i from the sorted codes alone (Karras 2012, section 3 and algorithm 1): its direction, its
/// other end, its split. Equal codes are told apart by rank, and so by item.
struct BuildNodeKernel {
  const std::uint64_t* code;
  std::int64_t leaves;
  Index *left, *right, *first, *last;

  /// Length of the prefix that ranks i and j have in common; -1 outside.
  SINEW_HD int common(std::int64_t i, std::int64_t j) const {
    if (j < 0 || j >= leaves) return -1;
    const std::uint64_t differs = code[i] ^ code[j];
    return differs != 0 ? leading_zeros(differs)
                        : 64 + leading_zeros(static_cast<std::uint64_t>(i) ^ static_cast<std::uint64_t>(j));
  }

  SINEW_HD void operator()(std::size_t node) const {
    const std::int64_t i = static_cast<std::int64_t>(node);
    const std::int64_t d = common(i, i + 1) > common(i, i - 1) ? 1 : -1;
    const int least = common(i, i - d);
    std::int64_t most = 2;
    while (common(i, i + most * d) > least) most *= 2;
    std::int64_t length = 0;
    for (std::int64_t step = most / 2; step > 0; step /= 2)
      if (common(i, i + (length + step) * d) > least) length += step;
    const std::int64_t j = i + length * d;
    const int prefix = common(i, j);
    std::int64_t split = 0;
    for (std::int64_t step = length; step > 1;) {
      step = (step + 1) / 2;
      if (split + step < length && common(i, i + (split + step) * d) > prefix) split += step;
    }
    const std::int64_t low = i < j ? i : j, high = i < j ? j : i;
    const std::int64_t cut = i + split * d + (d < 0 ? -1 : 0);  // last rank on the left
    left[node] = static_cast<Index>(cut == low ? -1 - cut : cut);
    right[node] = static_cast<Index>(cut + 1 == high ? -1 - high : cut + 1);
    first[node] = static_cast<Index>(low);
    last[node] = static_cast<Index>(high);
  }
};

namespace op {

template <class Queue>
void way_boxes(Queue& queue, View<const Vec3d> start, View<const Vec3d> end, View<const double> inflation,
               View<DeviceBox> box) {
  queue.for_each(box.size, WayBoxKernel{start.data, end.data, inflation.data, box.data});
}

template <class Queue>
void join_boxes(Queue& queue, View<const DeviceBox> from, View<const Index> index, int corners,
                View<DeviceBox> box) {
  queue.for_each(box.size, JoinBoxKernel{from.data, index.data, corners, box.data});
}

template <class Queue>
void morton_codes(Queue& queue, View<const DeviceBox> box, View<std::uint64_t> code,
                  View<DeviceBox> scratch) {
  if (box.size == 0) return;
  const std::size_t blocks = block_count(box.size, BoxTreeOps::kBoundsItems);
  queue.launch(blocks, BoundsKernel{box.data, box.size, BoxTreeOps::kBoundsItems, true, scratch.data});
  queue.launch(1, BoundsKernel{scratch.data, blocks, blocks, false, scratch.data + blocks});
  queue.for_each(box.size, MortonKernel{box.data, scratch.data + blocks, code.data});
}

template <class Queue>
void build_tree(Queue& queue, View<const std::uint64_t> code, const BoxTreeView& tree) {
  queue.for_each(tree.left.size,
                 BuildNodeKernel{code.data, static_cast<std::int64_t>(code.size), tree.left.data,
                                 tree.right.data, tree.first.data, tree.last.data});
}

}  // namespace op

}  // namespace sinew
