// The elimination tree of a symmetric matrix in a given order, and what follows from it without a number: the
// order of its nodes, the size and the structure of the factor (Liu 1990, "The role of elimination trees in
// sparse factorization").
#pragma once

#include <cstddef>
#include <vector>

#include "host/cholesky.hpp"

namespace sinew {

/// Strictly lower triangle of P A P^T by rows; columns of a row in no particular order.
struct LowerPattern {
  std::vector<Index> row_start;  ///< {n + 1}
  std::vector<Index> column;

  Index size() const { return static_cast<Index>(row_start.size()) - 1; }
};

/// order[k] = row of the matrix that comes k-th.
LowerPattern lower_pattern(const SymmetricMatrix& matrix, const std::vector<Index>& order);

/// inverse[order[k]] = k.
std::vector<Index> inverse_order(const std::vector<Index>& order);

/// parent[k], -1 at roots.
std::vector<Index> elimination_tree(const LowerPattern& pattern);

/// post[k] = node that comes k-th when children go before parents and each subtree is one range; children in
/// ascending order.
std::vector<Index> postorder(const std::vector<Index>& parent);

/// Nonzeros of every column of L, diagonal included.
std::vector<Index> factor_column_counts(const LowerPattern& pattern, const std::vector<Index>& parent);

/// Rows of every column of L, ascending, the diagonal first: column_start {n + 1} from the counts.
void factor_structure(const LowerPattern& pattern, const std::vector<Index>& parent,
                      std::vector<Index>& column_start, std::vector<Index>& row);

}  // namespace sinew
