#include "engine/delassus/gram_entries.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include <tbb/enumerable_thread_specific.h>

#include "engine/precompute/body_precompute.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

namespace {

constexpr std::size_t kTile = 32;     // of transposed copies: 8 kB, stays in the nearest cache
constexpr std::size_t kRowGrain = 8;  // rows of one chunk of work

bool less_terms(const PointRows& rows, std::size_t c, std::size_t d) {
  return std::lexicographical_compare(
      rows.row(c), rows.row(c) + rows.count(c), rows.row(d), rows.row(d) + rows.count(d),
      [](const ContactTerm& a, const ContactTerm& b) {
        return std::tie(a.body, a.node, a.weight) < std::tie(b.body, b.node, b.weight);
      });
}

/// a {ni, .} and b {nj, .} hold one triangle of a symmetric matrix between them: the entry of the pair stands
/// at a_ij where order_i <= order_j, else at b_ji. Afterwards it stands in both places.
template <class Order>
void complete(double* a, std::size_t a_stride, const Order* order_i, std::size_t ni, double* b,
              std::size_t b_stride, const Order* order_j, std::size_t nj, bool same) {
  for_each((ni + kTile - 1) / kTile, 1, [&](std::size_t tile) {
    const std::size_t i_begin = tile * kTile, i_end = std::min(ni, i_begin + kTile);
    for (std::size_t j_begin = same ? i_begin : 0; j_begin < nj; j_begin += kTile) {
      const std::size_t j_end = std::min(nj, j_begin + kTile);
      for (std::size_t i = i_begin; i < i_end; ++i)
        for (std::size_t j = j_begin; j < j_end; ++j) {
          double &upper = a[i * a_stride + j], &lower = b[j * b_stride + i];
          const double value = order_i[i] <= order_j[j] ? upper : lower;
          upper = value;
          lower = value;
        }
    }
  });
}

}  // namespace

const double* GramEntries::Part::table_row(Index place) const {
  const std::size_t k = static_cast<std::size_t>(place);
  return k < fresh ? wide.data() + k * touched : narrow.data() + (k - fresh) * fresh;
}

void GramEntries::sort_rows(const PointRows& rows) {
  order_.resize(rows.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t c, std::size_t d) {
    if (less_terms(rows, c, d)) return true;
    return !less_terms(rows, d, c) && c < d;
  });
  rank_.resize(rows.size());
  for (std::size_t k = 0; k < order_.size(); ++k) rank_[order_[k]] = k;
}

void GramEntries::split(const PointRows& rows, const std::vector<char>& is_new,
                        const std::vector<const BodyPrecomputed*>& bodies) {
  std::vector<std::ptrdiff_t> part_of(bodies.size(), -1);
  for (const ContactTerm& t : rows.term)
    if (t.node < bodies[t.body]->free_count) part_of[t.body] = 0;
  parts_.clear();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (part_of[b] < 0) continue;
    part_of[b] = static_cast<std::ptrdiff_t>(parts_.size());
    parts_.emplace_back().body = bodies[b];
  }
  std::vector<Part*> touched;
  for (const std::size_t c : order_) {
    touched.clear();
    for (std::size_t k = 0; k < rows.count(c); ++k) {
      const ContactTerm& t = rows.row(c)[k];
      if (t.node >= bodies[t.body]->free_count) continue;
      Part& part = parts_[part_of[t.body]];
      if (std::find(touched.begin(), touched.end(), &part) == touched.end()) {
        touched.push_back(&part);
        if (is_new[c]) part.new_row.push_back(part.row.size());
        part.row.push_back(c);
      }
      part.node.push_back(t.node);
      part.weight.push_back(t.weight);
    }
    for (Part* part : touched) part->start.push_back(part->node.size());
  }
}

/// Afterwards part.node holds places in the table.
std::size_t GramEntries::fill_table(Part& part, const std::vector<char>& is_new) {
  if (part.new_row.empty()) return 0;
  ComplianceView view;
  const std::size_t columns = part.body->compliance->require(part.node, view);
  const std::size_t touched = view.nodes().size();
  std::vector<char> fresh(touched, 0);
  for (std::size_t k = 0; k < part.row.size(); ++k)
    if (is_new[part.row[k]])
      for (std::size_t p = part.start[k]; p < part.start[k + 1]; ++p) fresh[view.place(part.node[p])] = 1;
  std::vector<std::size_t> place(touched), order;  // of the view's nodes in the table, and back
  for (const char wanted : {char(1), char(0)}) {
    for (std::size_t k = 0; k < touched; ++k) {
      if (fresh[k] != wanted) continue;
      place[k] = order.size();
      order.push_back(k);
    }
    if (wanted) part.fresh = order.size();
  }
  part.touched = touched;
  for (Index& node : part.node) node = static_cast<Index>(place[view.place(node)]);

  part.wide.resize(part.fresh * touched);
  part.narrow.resize((touched - part.fresh) * part.fresh);
  for_each(touched, kRowGrain, [&](std::size_t k) {
    if (fresh[k]) {
      double* row = part.wide.data() + place[k] * touched;
      for (std::size_t l = k; l < touched; ++l) row[place[l]] = view.at(k, l);
    } else {
      double* row = part.narrow.data() + (place[k] - part.fresh) * part.fresh;
      const auto first = std::upper_bound(order.begin(), order.begin() + part.fresh, k);
      for (auto l = first; l != order.begin() + part.fresh; ++l) row[l - order.begin()] = view.at(k, *l);
    }
  });
  double* const wide = part.wide.data();
  complete(wide, touched, order.data(), part.fresh, wide, touched, order.data(), part.fresh, true);
  complete(wide + part.fresh, touched, order.data(), part.fresh, part.narrow.data(), part.fresh,
           order.data() + part.fresh, touched - part.fresh, false);
  return columns;
}

/// Adds the body's share to G_cd of every pair with a new row, where c is not greater than d.
void GramEntries::multiply(const Part& part, const std::vector<char>& is_new, double* gram) const {
  const std::size_t count = rank_.size(), terms = part.node.size();
  const bool single = terms == part.row.size();
  tbb::enumerable_thread_specific<std::vector<double>> scratch;
  for_each(part.row.size(), kRowGrain, [&](std::size_t k) {
    const std::size_t c = part.row[k];
    const bool all = is_new[c];
    const std::size_t width = all ? part.touched : part.fresh;
    std::vector<double>& z = scratch.local();
    z.resize(part.touched);
    for (std::size_t p = part.start[k]; p < part.start[k + 1]; ++p) {
      const double* table = part.table_row(part.node[p]);
      const double weight = part.weight[p];
      if (p == part.start[k])
        for (std::size_t i = 0; i < width; ++i) z[i] = weight * table[i];
      else
        for (std::size_t i = 0; i < width; ++i) z[i] += weight * table[i];
    }
    double* row = gram + c * count;
    const auto pick = [&](std::size_t l) {
      double sum = 0.0;
      for (std::size_t p = part.start[l]; p < part.start[l + 1]; ++p) sum += part.weight[p] * z[part.node[p]];
      row[part.row[l]] += sum;
    };
    if (!all) {
      for (auto l = std::lower_bound(part.new_row.begin(), part.new_row.end(), k); l != part.new_row.end();
           ++l)
        pick(*l);
    } else if (single) {
      for (std::size_t l = k; l < terms; ++l) row[part.row[l]] += part.weight[l] * z[part.node[l]];
    } else {
      for (std::size_t l = k; l < part.row.size(); ++l) pick(l);
    }
  });
}

/// G_dc := G_cd of every pair with a new row.
void GramEntries::mirror(const std::vector<char>& is_new, double* gram) const {
  const std::size_t count = rank_.size();
  std::vector<std::size_t> fresh;
  for (std::size_t c = 0; c < count; ++c)
    if (is_new[c]) fresh.push_back(c);
  if (4 * fresh.size() > count) {
    complete(gram, count, rank_.data(), count, gram, count, rank_.data(), count, true);
    return;
  }
  for_each(count, kRowGrain, [&](std::size_t c) {
    const auto first = is_new[c] ? std::upper_bound(fresh.begin(), fresh.end(), c)
                                 : fresh.begin();  // a pair of new rows once
    for (auto d = first; d != fresh.end(); ++d) {
      double &upper = gram[c * count + *d], &lower = gram[*d * count + c];
      const double value = rank_[c] < rank_[*d] ? upper : lower;
      upper = value;
      lower = value;
    }
  });
}

std::size_t GramEntries::compute(const PointRows& rows, const std::vector<char>& is_new,
                                 const std::vector<const BodyPrecomputed*>& bodies,
                                 std::vector<double>& gram) {
  const std::size_t count = rows.size();
  sort_rows(rows);
  split(rows, is_new, bodies);
  std::size_t columns = 0;
  for (Part& part : parts_) columns += fill_table(part, is_new);
  std::vector<std::size_t> fresh;
  for (std::size_t c = 0; c < count; ++c)
    if (is_new[c]) fresh.push_back(c);
  for_each(count, kRowGrain, [&](std::size_t c) {
    double* row = gram.data() + c * count;
    if (is_new[c])
      std::fill(row, row + count, 0.0);
    else
      for (const std::size_t d : fresh) row[d] = 0.0;
  });
  for (Part& part : parts_) {
    if (part.new_row.empty()) continue;
    multiply(part, is_new, gram.data());
    part.wide = {};  // as large as the matrix itself
    part.narrow = {};
  }
  mirror(is_new, gram.data());
  return columns;
}

std::size_t GramEntries::bytes() const {
  return (order_.size() + rank_.size()) * sizeof(std::size_t);
}

}  // namespace sinew
