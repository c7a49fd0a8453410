#include "engine/delassus/compliance_cache.hpp"

#include <algorithm>

#include <tbb/enumerable_thread_specific.h>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

ComplianceCache::ComplianceCache(const CholeskyFactor& factor, std::vector<Index> nodes, double budget)
    : factor_(factor), budget_(budget), node_(std::move(nodes)), slot_(factor.size(), -1) {
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
  std::vector<std::shared_ptr<double[]>> fresh;
  for (std::size_t m = 0; m < slots.size(); ++m) fresh.emplace_back(new double[node_.size()]);
  // Isolated: a thread that waits here must not pick up another body's task, which could wait for the lock. A
  // context of its own: an exception in another body must not cancel this loop half way.
  tbb::this_task_arena::isolate([&] {
    tbb::enumerable_thread_specific<std::vector<double>> workspace;
    tbb::task_group_context context(tbb::task_group_context::isolated);
    tbb::parallel_for(
        std::size_t{0}, slots.size(),
        [&](std::size_t m) {
          std::vector<double>& column = workspace.local();
          column.resize(factor_.size());
          factor_.inverse_column(node_[slots[m]], column.data());
          for (std::size_t k = 0; k < node_.size(); ++k) fresh[m][k] = column[node_[k]];
        },
        context);
  });
  for (std::size_t m = 0; m < slots.size(); ++m) row_[slots[m]] = std::move(fresh[m]);
  filled_ += slots.size();
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
