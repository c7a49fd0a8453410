// The staged inverse by rows, as devices want it: every product of a stage is a gather over rows, with
// nothing to scatter. Forward and backward each have their own copy of the values, so that both read memory
// in order; kernels/op/row_matrix.hpp says how column lists are shared.
#pragma once

#include <cstdint>
#include <vector>

#include <sinew/base/config.hpp>

#include "host/staged_inverse.hpp"
#include "kernels/op/row_matrix.hpp"

namespace sinew {

template <class T>
struct RowMatrix {
  std::vector<std::int64_t> value_start;  ///< {rows + 1}
  std::vector<std::int64_t> index_start;  ///< {rows}
  std::vector<Index> index;               ///< 0, 1, ... columns - 1 first
  std::vector<T> value;

  Index rows() const { return static_cast<Index>(index_start.size()); }
};

/// Lists of columns, {rows}, become shared ones; value: in the order of the lists, row after row.
template <class T>
RowMatrix<T> make_row_matrix(const std::vector<std::int64_t>& row_start, const std::vector<Index>& column,
                             std::vector<T> value, Index columns);

/// Rows in the solver's order, {n, n} each.
template <class T>
struct StagedRows {
  RowMatrix<T> forward_outside;   ///< L_st, t < s
  RowMatrix<T> forward_inside;    ///< L_ss^-1
  RowMatrix<T> backward_outside;  ///< L_st^T
  RowMatrix<T> backward_inside;   ///< L_ss^-T
  struct Stage {
    RowRange forward_outside, forward_inside, backward_outside, backward_inside;
  };
  std::vector<Stage> stages;
};

template <class T>
StagedRows<T> make_staged_rows(const StagedInverse<T>& inverse);

/// Threads for rows of so many entries on average: a power of two from 4 to 128, about four entries for each.
int lanes_for(double mean_entries);

}  // namespace sinew
