// Table of A_s^-1 over the nodes that contacts have touched so far (fact 3): a newly touched node costs one
// column, later frames read it. One table serves all instances of a body: A_s knows no rotation.
//
// Of two nodes the column of the one that comes first in the table's order counts: nodes inside (handles may
// hold some) before contact nodes, ascending among themselves. So entries are symmetric to the bit and know
// nothing of the order in which columns were made, and a contact node's column needs to hold only the contact
// nodes from its own on: half of the square.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "host/linear_solver.hpp"

namespace sinew {

/// Columns that one caller asked for; they stay valid whatever the table does later.
class ComplianceView {
 public:
  /// Nodes asked for, each once, in the table's order.
  const std::vector<Index>& nodes() const { return node_; }
  /// Place in nodes() of a node asked for.
  Index place(Index node) const { return place_[node]; }
  /// (A_s^-1) [1/kg] of the nodes at places a <= b.
  double at(std::size_t a, std::size_t b) const {
    return a < inside_ ? column_[a][node_[b]] : column_[a][slot_[b] - slot_[a]];
  }
  /// (A_s^-1)_ij [1/kg] of two nodes asked for; symmetric to the bit.
  double value(Index i, Index j) const {
    const auto [a, b] = std::minmax(place_[i], place_[j]);
    return at(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
  }

 private:
  friend class ComplianceCache;
  std::size_t inside_ = 0;    ///< of the nodes, the first ones, that are no contact nodes
  std::vector<Index> node_;   ///< {asked}
  std::vector<Index> slot_;   ///< {asked} place among contact nodes; -1 inside
  std::vector<Index> place_;  ///< {n}; of nodes not asked for: anything
  std::vector<std::shared_ptr<const double[]>> column_;  ///< {asked}
};

class ComplianceCache {
 public:
  /// solver: null where the body has no free node. nodes: all that a contact can touch (the solver's order,
  /// duplicates allowed). budget [bytes]: 0 is no limit.
  ComplianceCache(const LinearSolver* solver, std::vector<Index> nodes, double budget);

  /// Puts the columns of these nodes into the view; returns how many were computed. Columns are independent
  /// of each other, so their bits do not depend on the batch. Over the budget, the columns asked for least
  /// recently are dropped (views keep theirs); @throws MemoryError if those asked for alone pass it. An
  /// exception leaves the table good.
  std::size_t require(const std::vector<Index>& nodes, ComplianceView& view);
  /// Columns that require() would compute, and the bytes of all that it would give.
  struct Need {
    std::size_t columns = 0;
    double bytes = 0.0;
  };
  Need need(const std::vector<Index>& nodes) const;

  double budget() const { return budget_; }
  std::size_t bytes() const;
  void clear();

 private:
  struct Column {
    std::shared_ptr<const double[]> value;  ///< contact nodes from its own slot on, or {n} of a node inside
    std::uint64_t used = 0;                 ///< number of the last require() that asked for it
  };
  struct Wanted {
    Index node = 0, slot = -1;
    Column* column = nullptr;
  };
  std::size_t length(Index slot) const;  ///< numbers of a column
  std::vector<Index> ordered(const std::vector<Index>& nodes) const;
  void make_room(double bytes);
  void compute(const std::vector<Wanted>& missing);
  void compute_batches(const std::vector<Wanted>& missing);

  const LinearSolver* solver_;
  std::unique_ptr<LinearSolver::Workspace> workspace_;
  std::vector<double> scratch_;  ///< a batch of columns
  double budget_;
  std::vector<Index> node_;         ///< contact nodes, ascending
  std::vector<Index> slot_;         ///< {n}: place in node_, -1 elsewhere
  std::vector<Column> column_;      ///< {contact nodes}
  std::map<Index, Column> inside_;  ///< by node
  double held_ = 0.0;               ///< [bytes] of all columns
  std::uint64_t calls_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace sinew
