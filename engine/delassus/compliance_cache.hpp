// Table of A_s^-1 over the nodes that contacts have touched so far (fact 3): a newly touched node costs one
// column, later frames read it. One table serves all instances of a body: A_s knows no rotation.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "host/linear_solver.hpp"

namespace sinew {

/// Columns that one caller asked for; they stay valid whatever the table does later.
class ComplianceView {
 public:
  /// (A_s^-1)_ij [1/kg] of two nodes asked for; symmetric to the bit.
  double value(Index i, Index j) const {
    const Index a = (*slot_)[i], b = (*slot_)[j];
    return a < b ? row_[a][b] : row_[b][a];
  }

 private:
  friend class ComplianceCache;
  const std::vector<Index>* slot_ = nullptr;
  std::vector<std::shared_ptr<const double[]>> row_;  ///< by slot
};

class ComplianceCache {
 public:
  /// solver: null where the body has no free node. nodes: all that a contact can touch (the solver's order,
  /// duplicates allowed). budget [bytes]: 0 is no limit.
  ComplianceCache(const LinearSolver* solver, std::vector<Index> nodes, double budget);

  /// Puts the columns of these nodes into the view; returns how many were computed. Columns are independent
  /// of each other, so their bits do not depend on the batch. Over the budget, columns that are not asked for
  /// are dropped (views keep theirs); @throws MemoryError if those asked for alone pass it. An exception
  /// leaves the table good.
  std::size_t require(const std::vector<Index>& nodes, ComplianceView& view);

  std::size_t bytes() const;
  void clear();

 private:
  void compute(const std::vector<Index>& slots);
  void compute_batches(const std::vector<Index>& slots);

  const LinearSolver* solver_;
  std::unique_ptr<LinearSolver::Workspace> workspace_;
  std::vector<double> scratch_;  ///< a batch of columns
  double budget_;
  std::vector<Index> node_;  ///< contact nodes, ascending
  std::vector<Index> slot_;  ///< {n}: place in node_, -1 elsewhere
  std::vector<std::shared_ptr<const double[]>>
      row_;  ///< {contact nodes}: column of A_s^-1 at the contact nodes, or null
  std::size_t filled_ = 0;
  std::mutex mutex_;
};

}  // namespace sinew
