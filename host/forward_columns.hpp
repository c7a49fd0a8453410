// Y = L^-1 B^T for a sparse B, so that B A^-1 B^T = Y^T Y: half a solve per column, and only along the paths
// from the column's rows to the root of the elimination tree.
#pragma once

#include <cstddef>
#include <vector>

#include <sinew/base/vec3.hpp>

#include "host/aligned_vector.hpp"

namespace sinew {

/// B^T by columns; rows in the solver's order, any order and number of them, duplicates add up.
struct SparseColumns {
  std::vector<std::size_t> start{0};  ///< {size + 1}
  std::vector<Index> row;
  std::vector<double> value;
  std::size_t size() const { return start.size() - 1; }
};

/// Y by groups of up to twelve columns with common nonzero rows.
struct ForwardColumns {
  static constexpr std::size_t kWidth = 12;
  struct Range {
    Index first = 0, size = 0;  ///< rows of Y
    std::size_t value = 0;      ///< place in values of its first row
  };
  struct Group {
    std::size_t begin = 0, count = 0;  ///< columns column[begin, begin + count)
    std::vector<Range> range;          ///< ascending; two groups have the same range or no row in common
    AlignedVector<double> values;      ///< {rows of all ranges, kWidth}, zero beyond count
  };
  std::vector<std::size_t> column;  ///< {columns} the order in which they stand in the groups
  std::vector<Group> group;
};

/// sum {kWidth, kWidth} := Y_a^T Y_b. An entry's bits depend on its two columns alone, and are those of the
/// entry of (b, a).
void multiply_groups(const ForwardColumns::Group& a, const ForwardColumns::Group& b, double* sum);
/// square[k] := |y_k|^2 of the group's columns.
void square_group(const ForwardColumns::Group& group, double* square);

}  // namespace sinew
