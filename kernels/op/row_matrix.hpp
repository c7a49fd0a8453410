// Sparse matrix by rows whose lists of columns are shared, times n x 3 blocks.
//
// Rows of the inverse of a factor have few different lists: in the order of the elimination tree a row of
// L_ss^-1 is full over a run of columns, and the columns of a panel need the same rows. So a row names the
// place of its list in one array, and lists may overlap: the array begins with 0, 1, 2, ... for runs, and a
// list that is the end of the one before is not stored again. Then a product reads the values and little
// else.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sinew/base/config.hpp>
#include <sinew/base/vec3.hpp>

#include "kernels/device/view.hpp"

namespace sinew {

/// Borrowed arrays of one matrix, {rows} rows.
template <class T>
struct RowMatrixView {
  View<const std::int64_t> value_start;  ///< {rows + 1}: place of the row's values
  View<const std::int64_t> index_start;  ///< {rows}: place of its list in index
  View<const Index> index;               ///< columns; for each row as many as it has values
  View<const T> value;
};

/// Rows [first, end) and how many threads work on one of them.
struct RowRange {
  Index first = 0, end = 0;
  int lanes = 32;  ///< 1, 2, 4 ... 128
};

class RowMatrixOps {
 public:
  virtual ~RowMatrixOps() = default;

  /// to[i] = sign * sum_j m_ij x[j] + base[i] for i in the range; base: empty for none. The sum of a row is
  /// made in `lanes` parts, entry k going to part k mod lanes, then pairwise.
  virtual void multiply_rows(const RowMatrixView<double>& matrix, const RowRange& range,
                             View<const Vec3<double>> x, double sign, View<const Vec3<double>> base,
                             View<Vec3<double>> to) = 0;
  virtual void multiply_rows(const RowMatrixView<float>& matrix, const RowRange& range,
                             View<const Vec3<float>> x, float sign, View<const Vec3<float>> base,
                             View<Vec3<float>> to) = 0;

  virtual void convert(View<Vec3<float>> to, View<const Vec3<double>> from) = 0;
  virtual void convert(View<Vec3<double>> to, View<const Vec3<float>> from) = 0;
};

}  // namespace sinew
