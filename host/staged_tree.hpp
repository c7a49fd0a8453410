// Elimination tree of supernodes and the cut into stages; used by staged_structure.cpp only.
#pragma once

#include <cstdint>
#include <vector>

#include "host/cholesky.hpp"

namespace sinew {

/// Consecutive columns (in postorder) whose rows below the last one are the same.
struct Supernode {
  Index first = 0, width = 0;
  Index parent = -1;         ///< supernode, -1 at roots
  Index parent_column = -1;  ///< first ancestor beyond the supernode
  Index subtree = 0;         ///< columns of the subtree that hangs on it, its own included
  std::int64_t row_begin = 0, row_end = 0;
  Index last() const { return first + width - 1; }
  Index rows() const { return static_cast<Index>(row_end - row_begin); }
};

struct SupernodeTree {
  std::vector<Index> order;  ///< {n}: order[k] = place in the factor of the k-th in postorder
  std::vector<Supernode> nodes;
  std::vector<Index> node_of;  ///< {n}
  std::vector<Index> rows;     ///< by supernode: rows below its last column, ascending
};

SupernodeTree make_supernode_tree(const CholeskyFactor& factor);

/// Entries of a staged inverse as a function of the thresholds. Stage s holds supernodes with a subtree of
/// more than limit[s-1] and at most limit[s] columns.
class StageCost {
 public:
  explicit StageCost(const SupernodeTree& tree);
  /// Least entries with at most `stages` stages.
  double least(int stages) const { return best_[stages - 1].back(); }
  /// Upper limits of the subtree sizes, ascending; the last is n.
  std::vector<Index> limits(int stages) const;

 private:
  std::vector<Index> size_;                 ///< candidates for limits, ascending
  std::vector<std::vector<double>> best_;   ///< [stages - 1][candidate]: least entries of all below
  std::vector<std::vector<int>> previous_;  ///< the candidate before, -1: none
};

}  // namespace sinew
