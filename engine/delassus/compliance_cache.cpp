#include "engine/delassus/compliance_cache.hpp"

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
  column_.resize(node_.size());
}

std::size_t ComplianceCache::length(Index slot) const {
  return slot < 0 ? slot_.size() : node_.size() - static_cast<std::size_t>(slot);
}

std::vector<Index> ComplianceCache::ordered(const std::vector<Index>& nodes) const {
  std::vector<char> asked(slot_.size(), 0);
  for (const Index node : nodes) asked[node] = 1;
  std::vector<Index> result;
  for (const bool contact_nodes : {false, true})
    for (std::size_t i = 0; i < asked.size(); ++i)
      if (asked[i] && (slot_[i] >= 0) == contact_nodes) result.push_back(static_cast<Index>(i));
  return result;
}

ComplianceCache::Need ComplianceCache::need(const std::vector<Index>& nodes) const {
  const std::lock_guard lock(mutex_);
  Need need;
  for (const Index node : ordered(nodes)) {
    const Index slot = slot_[node];
    need.bytes += static_cast<double>(length(slot) * sizeof(double));
    const auto found = inside_.find(node);
    const bool held =
        slot >= 0 ? column_[slot].value != nullptr : found != inside_.end() && found->second.value;
    if (!held) ++need.columns;
  }
  return need;
}

std::size_t ComplianceCache::require(const std::vector<Index>& nodes, ComplianceView& view) {
  const std::lock_guard lock(mutex_);  // instances of one body share the table
  view.node_ = ordered(nodes);
  view.place_.resize(slot_.size());
  view.slot_.clear();
  view.inside_ = 0;
  ++calls_;
  std::vector<Wanted> wanted, missing;
  double bytes = 0.0, missing_bytes = 0.0;
  for (std::size_t k = 0; k < view.node_.size(); ++k) {
    const Index node = view.node_[k], slot = slot_[node];
    view.place_[node] = static_cast<Index>(k);
    view.slot_.push_back(slot);
    if (slot < 0) ++view.inside_;
    Column& column = slot < 0 ? inside_[node] : column_[slot];
    column.used = calls_;
    wanted.push_back({node, slot, &column});
    const double size = static_cast<double>(length(slot) * sizeof(double));
    bytes += size;
    if (column.value) continue;
    missing.push_back(wanted.back());
    missing_bytes += size;
  }
  if (budget_ > 0.0 && held_ + missing_bytes > budget_) {
    if (bytes > budget_)
      throw MemoryError("compliance of the contacts: needs " + human_bytes(bytes) + ", allowed are " +
                        human_bytes(budget_) + "; use a coarser surface or raise the memory limit");
    make_room(budget_ - missing_bytes);
  }
  compute(missing);
  view.column_.clear();
  for (const Wanted& w : wanted) view.column_.push_back(w.column->value);
  return missing.size();
}

/// Drops the columns asked for least recently, of those not asked for now, until no more than `bytes` are
/// held.
void ComplianceCache::make_room(double bytes) {
  struct Old {
    std::uint64_t used;
    Index slot, node;
  };
  std::vector<Old> old;
  for (std::size_t k = 0; k < column_.size(); ++k)
    if (column_[k].value && column_[k].used < calls_)
      old.push_back({column_[k].used, static_cast<Index>(k), node_[k]});
  for (const auto& [node, column] : inside_)
    if (column.value && column.used < calls_) old.push_back({column.used, -1, node});
  std::stable_sort(old.begin(), old.end(), [](const Old& a, const Old& b) { return a.used < b.used; });
  for (const Old& o : old) {
    if (held_ <= bytes) break;
    held_ -= static_cast<double>(length(o.slot) * sizeof(double));
    if (o.slot >= 0)
      column_[o.slot].value.reset();
    else
      inside_.erase(o.node);
  }
}

void ComplianceCache::compute(const std::vector<Wanted>& missing) {
  if (missing.empty()) return;
  // Isolated: a thread that waits here must not pick up another body's task, which could wait for the lock. A
  // context of its own: an exception in another body must not cancel this work half way.
  tbb::this_task_arena::isolate([&] {
    tbb::task_group_context context(tbb::task_group_context::isolated);
    tbb::task_group group(context);
    group.run_and_wait([&] { compute_batches(missing); });
  });
}

void ComplianceCache::compute_batches(const std::vector<Wanted>& missing) {
  const std::size_t n = static_cast<std::size_t>(solver_->size());
  if (!workspace_) workspace_ = solver_->make_workspace();
  for (std::size_t begin = 0; begin < missing.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, missing.size() - begin);
    scratch_.resize(count * n);
    Index node[kBatch];
    double* full[kBatch];
    for (std::size_t c = 0; c < count; ++c) {
      node[c] = missing[begin + c].node;
      full[c] = scratch_.data() + c * n;
    }
    solver_->inverse_columns(node, count, full, *workspace_);
    for (std::size_t c = 0; c < count; ++c) {
      const Index slot = missing[begin + c].slot;
      const std::size_t size = length(slot);
      std::shared_ptr<double[]> value(new double[size]);
      for (std::size_t k = 0; k < size; ++k)
        value[k] = slot < 0 ? full[c][k] : full[c][node_[static_cast<std::size_t>(slot) + k]];
      missing[begin + c].column->value = std::move(value);
      held_ += static_cast<double>(size * sizeof(double));
    }
  }
}

std::size_t ComplianceCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(held_) + (node_.size() + slot_.size()) * sizeof(Index);
}

void ComplianceCache::clear() {
  const std::lock_guard lock(mutex_);
  for (Column& column : column_) column.value.reset();
  inside_.clear();
  held_ = 0.0;
}

}  // namespace sinew
