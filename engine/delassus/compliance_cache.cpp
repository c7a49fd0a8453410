#include "engine/delassus/compliance_cache.hpp"

#include <algorithm>

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"

namespace sinew {

namespace {
constexpr std::size_t kBatch = 12;  // columns of one wide product
}

ComplianceCache::ComplianceCache(const LinearSolver* solver, std::vector<Index> nodes, double budget)
    : solver_(solver), budget_(budget), node_(std::move(nodes)), slot_(solver ? solver->size() : 0, -1) {
  std::sort(node_.begin(), node_.end());
  node_.erase(std::unique(node_.begin(), node_.end()), node_.end());
  for (std::size_t k = 0; k < node_.size(); ++k) slot_[node_[k]] = static_cast<Index>(k);
  row_.resize(node_.size());
}

std::size_t ComplianceCache::require(const std::vector<Index>& nodes, ComplianceView& view) {
  const std::lock_guard lock(mutex_);  // instances of one body share the table
  std::vector<Index> wanted;
  for (const Index node : nodes) wanted.push_back(slot_[node]);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<Index> missing;
  for (const Index slot : wanted)
    if (!row_[slot]) missing.push_back(slot);

  const double row_bytes = static_cast<double>(node_.size() * sizeof(double));
  if (budget_ > 0.0 && row_bytes * static_cast<double>(filled_ + missing.size()) > budget_) {
    if (row_bytes * static_cast<double>(wanted.size()) > budget_)
      throw MemoryError("compliance of the contacts: needs " +
                        human_bytes(row_bytes * static_cast<double>(wanted.size())) + ", allowed are " +
                        human_bytes(budget_) + "; use a coarser surface or raise the memory limit");
    std::vector<char> keep(node_.size(), 0);
    for (const Index slot : wanted) keep[slot] = 1;
    filled_ = 0;
    for (std::size_t k = 0; k < row_.size(); ++k) {
      if (!keep[k]) row_[k].reset();
      if (row_[k]) ++filled_;
    }
  }
  compute(missing);
  view.slot_ = &slot_;
  view.row_.assign(row_.size(), nullptr);
  for (const Index slot : wanted) view.row_[slot] = row_[slot];
  return missing.size();
}

void ComplianceCache::compute(const std::vector<Index>& slots) {
  if (slots.empty()) return;
  // Isolated: a thread that waits here must not pick up another body's task, which could wait for the lock. A
  // context of its own: an exception in another body must not cancel this work half way.
  tbb::this_task_arena::isolate([&] {
    tbb::task_group_context context(tbb::task_group_context::isolated);
    tbb::task_group group(context);
    group.run_and_wait([&] { compute_batches(slots); });
  });
}

void ComplianceCache::compute_batches(const std::vector<Index>& slots) {
  const std::size_t n = static_cast<std::size_t>(solver_->size());
  if (!workspace_) workspace_ = solver_->make_workspace();
  for (std::size_t begin = 0; begin < slots.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, slots.size() - begin);
    scratch_.resize(count * n);
    Index node[kBatch];
    double* column[kBatch];
    for (std::size_t c = 0; c < count; ++c) {
      node[c] = node_[slots[begin + c]];
      column[c] = scratch_.data() + c * n;
    }
    solver_->inverse_columns(node, count, column, *workspace_);
    for (std::size_t c = 0; c < count; ++c) {
      std::shared_ptr<double[]> row(new double[node_.size()]);
      for (std::size_t k = 0; k < node_.size(); ++k) row[k] = column[c][node_[k]];
      row_[slots[begin + c]] = std::move(row);
      ++filled_;
    }
  }
}

std::size_t ComplianceCache::bytes() const {
  return filled_ * node_.size() * sizeof(double) + (node_.size() + slot_.size()) * sizeof(Index);
}

void ComplianceCache::clear() {
  const std::lock_guard lock(mutex_);
  for (auto& row : row_) row.reset();
  filled_ = 0;
}

}  // namespace sinew
