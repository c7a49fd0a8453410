// Products of matrices by rows with many columns at once, for columns of an inverse. A wide array is {n,
// kWideColumns} numbers, row after row: 32 threads read one row of it in one go, and a value of the matrix
// once.
#pragma once

#include <cstddef>

#include <sinew/base/config.hpp>

#include "kernels/device/view.hpp"
#include "kernels/op/row_matrix.hpp"

namespace sinew {

inline constexpr std::size_t kWideColumns = 32;

class WideOps {
 public:
  virtual ~WideOps() = default;

  /// to[i] = sign * sum_j m_ij x[j] + base[i] for the rows of the range; base: empty for none. Bits of a
  /// column depend on that column alone.
  virtual void multiply_rows_wide(const RowMatrixView<double>& matrix, const RowRange& range,
                                  View<const double> x, double sign, View<const double> base,
                                  View<double> to) = 0;
  virtual void multiply_rows_wide(const RowMatrixView<float>& matrix, const RowRange& range,
                                  View<const float> x, float sign, View<const float> base,
                                  View<float> to) = 0;
  /// Column c becomes the unit vector of node[c], or zero from node.size on.
  virtual void unit_columns(View<const Index> node, View<double> to) = 0;
  virtual void unit_columns(View<const Index> node, View<float> to) = 0;
  /// columns {count, n}: the first ones, one after another.
  virtual void take_columns(View<const double> wide, std::size_t count, View<double> columns) = 0;
  virtual void take_columns(View<const float> wide, std::size_t count, View<double> columns) = 0;
};

}  // namespace sinew
