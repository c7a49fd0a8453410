#include "host/elimination_tree.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// visit(j) for every j < i with L_ij != 0: the paths from the entries of row i up to i.
template <class F>
void walk_row_subtree(const LowerPattern& pattern, const std::vector<Index>& parent, Index i,
                      std::vector<Index>& mark, F&& visit) {
  mark[i] = i;
  for (Index p = pattern.row_start[i]; p < pattern.row_start[i + 1]; ++p) {
    for (Index k = pattern.column[p]; k != -1 && mark[k] != i; k = parent[k]) {
      mark[k] = i;
      visit(k);
    }
  }
}

}  // namespace

std::vector<Index> inverse_order(const std::vector<Index>& order) {
  std::vector<Index> inverse(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) inverse[order[k]] = static_cast<Index>(k);
  return inverse;
}

LowerPattern lower_pattern(const SymmetricMatrix& matrix, const std::vector<Index>& order) {
  const Index n = matrix.size;
  const std::vector<Index> place = inverse_order(order);
  LowerPattern result;
  result.row_start.assign(n + 1, 0);
  for (Index j = 0; j < n; ++j)
    for (Index p = matrix.column_start[j]; p < matrix.column_start[j + 1]; ++p)
      if (matrix.row[p] != j) ++result.row_start[std::max(place[matrix.row[p]], place[j]) + 1];
  for (Index i = 0; i < n; ++i) result.row_start[i + 1] += result.row_start[i];
  result.column.resize(result.row_start[n]);
  std::vector<Index> cursor(result.row_start.begin(), result.row_start.end() - 1);
  for (Index j = 0; j < n; ++j) {
    for (Index p = matrix.column_start[j]; p < matrix.column_start[j + 1]; ++p) {
      if (matrix.row[p] == j) continue;
      const Index a = place[matrix.row[p]], b = place[j];
      result.column[cursor[std::max(a, b)]++] = std::min(a, b);
    }
  }
  return result;
}

std::vector<Index> elimination_tree(const LowerPattern& pattern) {
  const Index n = pattern.size();
  std::vector<Index> parent(n, -1), ancestor(n, -1);
  for (Index i = 0; i < n; ++i) {
    for (Index p = pattern.row_start[i]; p < pattern.row_start[i + 1]; ++p) {
      for (Index k = pattern.column[p]; k != -1 && k < i;) {
        const Index next = ancestor[k];
        ancestor[k] = i;  // path compression
        if (next == -1) parent[k] = i;
        k = next;
      }
    }
  }
  return parent;
}

std::vector<Index> postorder(const std::vector<Index>& parent) {
  const Index n = static_cast<Index>(parent.size());
  std::vector<Index> first_child(n, -1), sibling(n, -1), post, stack;
  std::vector<Index> roots;
  for (Index k = n - 1; k >= 0; --k) {  // backwards, so that lists of children ascend
    if (parent[k] == -1) {
      roots.push_back(k);
    } else {
      sibling[k] = first_child[parent[k]];
      first_child[parent[k]] = k;
    }
  }
  post.reserve(n);
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
    stack.push_back(*root);
    while (!stack.empty()) {
      const Index node = stack.back();
      if (first_child[node] == -1) {
        post.push_back(node);
        stack.pop_back();
      } else {
        stack.push_back(first_child[node]);
        first_child[node] = sibling[first_child[node]];
      }
    }
  }
  return post;
}

std::vector<Index> factor_column_counts(const LowerPattern& pattern, const std::vector<Index>& parent) {
  const Index n = pattern.size();
  std::vector<Index> count(n, 1), mark(n, -1);
  for (Index i = 0; i < n; ++i) walk_row_subtree(pattern, parent, i, mark, [&](Index j) { ++count[j]; });
  return count;
}

void factor_structure(const LowerPattern& pattern, const std::vector<Index>& parent,
                      std::vector<Index>& column_start, std::vector<Index>& row) {
  const Index n = pattern.size();
  const std::vector<Index> count = factor_column_counts(pattern, parent);
  column_start.assign(n + 1, 0);
  for (Index j = 0; j < n; ++j) column_start[j + 1] = column_start[j] + count[j];
  row.resize(column_start[n]);
  std::vector<Index> cursor(column_start.begin(), column_start.end() - 1), mark(n, -1);
  for (Index i = 0; i < n; ++i) {
    row[cursor[i]++] = i;  // columns below i have been begun by their own diagonal: rows ascend
    walk_row_subtree(pattern, parent, i, mark, [&](Index j) { row[cursor[j]++] = i; });
  }
}

}  // namespace sinew
