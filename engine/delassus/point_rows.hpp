// Rows of B: contact points and held points as weighted sums of nodes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/collision/contact.hpp"

namespace sinew {

/// Row c has the terms [start[c], start[c + 1]); any number of them, of any bodies, in any order.
struct PointRows {
  std::vector<std::size_t> start{0};  ///< {size + 1}
  std::vector<ContactTerm> term;

  std::size_t size() const { return start.size() - 1; }
  std::size_t count(std::size_t c) const { return start[c + 1] - start[c]; }
  const ContactTerm* row(std::size_t c) const { return term.data() + start[c]; }
  void clear() {
    start.assign(1, 0);
    term.clear();
  }
  void add(const ContactTerm* terms, std::size_t count) {
    term.insert(term.end(), terms, terms + count);
    start.push_back(term.size());
  }
  bool same_row(std::size_t c, const PointRows& other, std::size_t d) const {
    return std::equal(row(c), row(c) + count(c), other.row(d), other.row(d) + other.count(d));
  }
  friend bool operator==(const PointRows&, const PointRows&) = default;
};

/// The terms of rows at the free nodes of one body.
struct BodyRows {
  std::vector<std::size_t> row;    ///< that have such terms, ascending
  std::vector<std::size_t> start;  ///< {rows + 1}: their terms
  std::vector<Index> node;         ///< {terms}
  std::vector<double> weight;      ///< {terms}
};
inline BodyRows rows_of_body(const PointRows& rows, std::size_t body, Index free_count) {
  BodyRows of;
  of.start.push_back(0);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t k = rows.start[r]; k < rows.start[r + 1]; ++k) {
      const ContactTerm& term = rows.term[k];
      if (static_cast<std::size_t>(term.body) != body || term.node >= free_count) continue;
      of.node.push_back(term.node);
      of.weight.push_back(term.weight);
    }
    if (of.node.size() == of.start.back()) continue;
    of.row.push_back(r);
    of.start.push_back(of.node.size());
  }
  return of;
}

}  // namespace sinew
