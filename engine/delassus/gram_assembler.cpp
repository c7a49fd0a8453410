#include <algorithm>
#include <cstring>
#include <unordered_map>

#include <sinew/errors.hpp>

#include "engine/common/hash.hpp"
#include "engine/common/text.hpp"
#include "engine/delassus/gram.hpp"
#include "engine/delassus/gram_products.hpp"
#include "engine/precompute/body_precompute.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

std::uint64_t hash_row(const PointRows& rows, std::size_t c) {
  Hash hash;
  for (std::size_t k = 0; k < rows.count(c); ++k) {
    const ContactTerm& t = rows.row(c)[k];
    hash.add((static_cast<std::int64_t>(t.body) << 32) | static_cast<std::uint32_t>(t.node)).add(t.weight);
  }
  return hash.value();
}

}  // namespace

bool GramAssembler::same_bodies(const std::vector<const BodyPrecomputed*>& bodies) const {
  if (bodies.size() != last_bodies_.size()) return false;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (last_bodies_[b] && last_bodies_[b] != bodies[b]) return false;
  return true;
}

/// old_: by content, wherever the rows stood.
void GramAssembler::match(const PointRows& rows) {
  old_.assign(rows.size(), -1);
  if (last_.size() == 0) return;
  std::unordered_multimap<std::uint64_t, std::size_t> by_hash;
  by_hash.reserve(last_.size());
  for (std::size_t c = 0; c < last_.size(); ++c) by_hash.emplace(hash_row(last_, c), c);
  std::size_t next = 0;  // most rows follow each other as before
  for (std::size_t c = 0; c < rows.size(); ++c) {
    if (next < last_.size() && rows.same_row(c, last_, next)) {
      old_[c] = static_cast<std::ptrdiff_t>(next++);
      continue;
    }
    const auto [begin, end] = by_hash.equal_range(hash_row(rows, c));
    for (auto it = begin; it != end; ++it)
      if (rows.same_row(c, last_, it->second) &&
          (old_[c] < 0 || it->second < static_cast<std::size_t>(old_[c])))
        old_[c] = static_cast<std::ptrdiff_t>(it->second);
    if (old_[c] >= 0) next = static_cast<std::size_t>(old_[c]) + 1;
  }
}

/// Entries of pairs of rows that were there before go to their new places.
void GramAssembler::move_entries(std::size_t count, std::vector<double>& gram) {
  struct Run {
    std::size_t from, to, length;
  };
  std::vector<Run> runs;
  for (std::size_t c = 0; c < count; ++c) {
    if (old_[c] < 0) continue;
    const std::size_t from = static_cast<std::size_t>(old_[c]);
    if (!runs.empty() && runs.back().to + runs.back().length == c &&
        runs.back().from + runs.back().length == from)
      ++runs.back().length;
    else
      runs.push_back({from, c, 1});
  }
  const std::size_t old_count = last_.size();
  if (count == old_count &&
      std::all_of(runs.begin(), runs.end(), [](const Run& r) { return r.from == r.to; }))
    return;
  spare_.resize(count * count);
  for_each(count, 8, [&](std::size_t c) {
    if (old_[c] < 0) return;
    const double* from = gram.data() + static_cast<std::size_t>(old_[c]) * old_count;
    double* to = spare_.data() + c * count;
    for (const Run& run : runs) std::memcpy(to + run.to, from + run.from, run.length * sizeof(double));
  });
  gram.swap(spare_);
}

void GramAssembler::keep(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies,
                         DelassusWay asked, DelassusWay chosen) {
  last_asked_ = asked;
  last_way_ = chosen;
  last_ = rows;
  last_bodies_.assign(bodies.size(), nullptr);
  for (const ContactTerm& t : rows.term) last_bodies_[t.body] = bodies[t.body];
}

/// By what has to be stored, never by a clock.
DelassusWay GramAssembler::choose(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies,
                                  DelassusWay way) {
  if (way == DelassusWay::cache || !can_multiply_columns(rows, bodies)) return DelassusWay::cache;
  if (way == DelassusWay::gram) return way;
  std::vector<std::vector<Index>> nodes(bodies.size());
  for (const ContactTerm& t : rows.term)
    if (t.node < bodies[t.body]->free_count) nodes[t.body].push_back(t.node);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (nodes[b].empty()) continue;
    const ComplianceCache& table = *bodies[b]->compliance;
    if (table.budget() > 0.0 && table.need(nodes[b]).bytes > table.budget()) return DelassusWay::gram;
  }
  return DelassusWay::cache;
}

std::size_t GramAssembler::assemble(const PointRows& rows, const std::vector<const BodyPrecomputed*>& bodies,
                                    DelassusWay way, double memory_limit, std::vector<double>& gram) {
  const std::size_t count = rows.size();
  bool usable = gram.size() == last_.size() * last_.size() && same_bodies(bodies);
  if (usable && way == last_asked_ && rows == last_) return 0;
  const double bytes = static_cast<double>(count) * static_cast<double>(count) * sizeof(double);
  if (memory_limit > 0.0 && bytes > 0.5 * memory_limit) {
    reset();
    throw MemoryError("contact problem of " + std::to_string(count) + " points: needs " + human_bytes(bytes) +
                      ", allowed are " + human_bytes(0.5 * memory_limit) +
                      "; use a coarser surface or raise the memory limit");
  }
  const DelassusWay chosen = choose(rows, bodies, way);
  usable = usable && chosen == last_way_;
  if (chosen == DelassusWay::gram) {
    reset();
    gram_by_products(rows, bodies, gram);
    keep(rows, bodies, way, chosen);
    return 0;
  }
  if (!usable) reset();
  match(rows);
  std::vector<char> is_new(count);
  for (std::size_t c = 0; c < count; ++c) is_new[c] = old_[c] < 0;
  const bool any_old = std::find(is_new.begin(), is_new.end(), 0) != is_new.end();
  if (any_old)
    move_entries(count, gram);
  else
    gram.resize(count * count);
  last_.clear();  // an exception leaves nothing that the next call could take for its own
  const std::size_t columns = entries_.compute(rows, is_new, bodies, gram);
  keep(rows, bodies, way, chosen);
  return columns;
}

void GramAssembler::reset() {
  last_.clear();
  last_bodies_.clear();
  spare_ = {};
}

std::size_t GramAssembler::bytes() const {
  return spare_.capacity() * sizeof(double) + last_.term.capacity() * sizeof(ContactTerm) +
         last_.start.capacity() * sizeof(std::size_t) + entries_.bytes();
}

}  // namespace sinew
