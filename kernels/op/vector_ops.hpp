// Whole-array operations on vectors of three components, for queues of any device. All arrays stand on the
// device; sums have an order that depends on the sizes alone.
#pragma once

#include <cstddef>

#include <sinew/base/vec3.hpp>

#include "kernels/device/view.hpp"

namespace sinew {

/// Columns of products(), add_columns(): at most.
inline constexpr std::size_t kMostColumns = 64;

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
  /// result[0] = sum of values.
  virtual void sum(View<const double> values, View<double> result, View<double> scratch) = 0;

  static constexpr std::size_t kSumItems = 1024;  ///< of one block
  static constexpr std::size_t products_scratch(std::size_t size, std::size_t columns) {
    return (size + kSumItems - 1) / kSumItems * columns;
  }
  static constexpr std::size_t sum_scratch(std::size_t size) { return (size + kSumItems - 1) / kSumItems; }
};

}  // namespace sinew
