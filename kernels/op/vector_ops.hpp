// Whole-array operations on vectors of three components, for queues of any device. All arrays stand on the
// device; sums have an order that depends on the sizes alone.
#pragma once

#include <cstddef>
#include <vector>

#include <sinew/base/vec3.hpp>

#include "kernels/device/view.hpp"

namespace sinew {

/// Columns of products(), add_columns(): at most.
inline constexpr std::size_t kMostColumns = 64;

inline constexpr std::size_t kSumItems = 1024;  ///< that one block of threads adds

/// Places [first, end) that one block adds.
struct SumChunk {
  std::size_t first = 0, end = 0;
};

/// Consecutive parts of one array, cut into chunks; borrowed, on the device.
struct SumPlanView {
  View<const SumChunk> chunk;
  View<const std::size_t> part_chunk;  ///< {parts + 1}: the chunks of each part
  std::size_t parts() const { return part_chunk.size - 1; }
};

/// The same on the host, for parts of these sizes.
struct SumPlan {
  std::vector<SumChunk> chunk;
  std::vector<std::size_t> part_chunk = {0};
  explicit SumPlan(const std::vector<std::size_t>& part_sizes) {
    std::size_t first = 0;
    for (const std::size_t size : part_sizes) {
      for (std::size_t at = 0; at < size; at += kSumItems)
        chunk.push_back({first + at, first + (at + kSumItems < size ? at + kSumItems : size)});
      part_chunk.push_back(chunk.size());
      first += size;
    }
  }
};

class VectorOps {
 public:
  virtual ~VectorOps() = default;

  /// to = factor * from
  virtual void scale(View<Vec3d> to, View<const Vec3d> from, double factor) = 0;
  /// to += factor * from
  virtual void add_scaled(View<Vec3d> to, View<const Vec3d> from, double factor) = 0;

  /// result[k] = sum_i column_k[i] . r[i]. columns: {result.size} arrays of r.size numbers each; the table of
  /// pointers stands on the device. One pass over r; result.size <= kMostColumns.
  /// scratch: products_scratch(r.size, result.size) numbers.
  virtual void products(View<const Vec3d* const> columns, View<const Vec3d> r, View<double> result,
                        View<double> scratch) = 0;
  /// to += sum_k factor[k] column_k
  virtual void add_columns(View<Vec3d> to, View<const Vec3d* const> columns, View<const double> factor) = 0;
  /// result[p] = sum of the values of part p, for every part of the plan. scratch: plan.chunk.size numbers.
  virtual void sum_parts(const SumPlanView& plan, View<const double> values, View<double> result,
                         View<double> scratch) = 0;

  static constexpr std::size_t products_scratch(std::size_t size, std::size_t columns) {
    return (size + kSumItems - 1) / kSumItems * columns;
  }
};

}  // namespace sinew
