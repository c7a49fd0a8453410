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

std::size_t ComplianceCache::require(const std::vector<Index>& nodes) {
  const std::lock_guard lock(mutex_);  // instances of one body share the table
  std::vector<Index> missing;
  for (const Index node : nodes)
    if (!row_[slot_[node]]) missing.push_back(slot_[node]);
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  if (missing.empty()) return 0;

  const double row_bytes = static_cast<double>(node_.size() * sizeof(double));
  if (budget_ > 0.0 && row_bytes * static_cast<double>(filled_ + missing.size()) > budget_) {
    std::vector<char> keep(node_.size(), 0);
    for (const Index node : nodes) keep[slot_[node]] = 1;
    const auto wanted = static_cast<double>(std::count(keep.begin(), keep.end(), 1));
    if (row_bytes * wanted > budget_)
      throw MemoryError("compliance of the contacts: needs " + human_bytes(row_bytes * wanted) +
                        ", allowed are " + human_bytes(budget_) +
                        "; use a coarser surface or raise the memory limit");
    filled_ = 0;
    for (std::size_t k = 0; k < row_.size(); ++k) {
      if (!keep[k]) row_[k].reset();
      if (row_[k]) ++filled_;
    }
  }
  for (const Index slot : missing) row_[slot] = std::make_unique<double[]>(node_.size());
  // Isolated: a thread that waits here must not pick up another body's task, which could wait for this lock.
  tbb::this_task_arena::isolate([&] {
    tbb::enumerable_thread_specific<std::vector<double>> workspace;
    for_each(missing.size(), 1, [&](std::size_t m) {
      std::vector<double>& column = workspace.local();
      column.resize(factor_.size());
      factor_.inverse_column(node_[missing[m]], column.data());
      double* row = row_[missing[m]].get();
      for (std::size_t k = 0; k < node_.size(); ++k) row[k] = column[node_[k]];
    });
  });
  filled_ += missing.size();
  return missing.size();
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
