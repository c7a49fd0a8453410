#include "host/staged_tree.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/base/solver_settings.hpp>

#include "host/elimination_tree.hpp"

namespace sinew {

SupernodeTree make_supernode_tree(const CholeskyFactor& factor) {
  const Index n = factor.size();
  SupernodeTree tree;
  tree.order = postorder(factor.parent);
  std::vector<Index> position(n);
  for (Index k = 0; k < n; ++k) position[tree.order[k]] = k;
  const auto count = [&](Index k) {
    const Index j = tree.order[k];
    return factor.column_start[j + 1] - factor.column_start[j];
  };
  const auto parent = [&](Index k) {
    const Index p = factor.parent[tree.order[k]];
    return p < 0 ? -1 : position[p];
  };
  tree.node_of.resize(n);
  for (Index k = 0; k < n; ++k) {
    const bool joins = k > 0 && parent(k - 1) == k && count(k - 1) == count(k) + 1;
    if (!joins) tree.nodes.push_back({k, 0, -1, -1, 0, 0, 0});
    ++tree.nodes.back().width;
    tree.node_of[k] = static_cast<Index>(tree.nodes.size()) - 1;
  }
  for (Supernode& node : tree.nodes) {
    const Index j = tree.order[node.last()];
    node.row_begin = static_cast<std::int64_t>(tree.rows.size());
    // Along a path to the root the postorder ascends, so the rows stay sorted.
    for (Index p = factor.column_start[j] + 1; p < factor.column_start[j + 1]; ++p)
      tree.rows.push_back(position[factor.row[p]]);
    node.row_end = static_cast<std::int64_t>(tree.rows.size());
    node.parent_column = parent(node.last());
    node.parent = node.parent_column < 0 ? -1 : tree.node_of[node.parent_column];
  }
  for (Supernode& node : tree.nodes) {
    node.subtree += node.width;
    if (node.parent >= 0) tree.nodes[node.parent].subtree += node.subtree;
  }
  return tree;
}

StageCost::StageCost(const SupernodeTree& tree) {
  const Index n = static_cast<Index>(tree.order.size());
  constexpr double kFirst = 4.0, kRatio = 1.2;  // candidates: a geometric grid, 70 of them at n = 1e6
  for (double size = kFirst; size < n; size = std::ceil(size * kRatio))
    size_.push_back(static_cast<Index>(size));
  size_.push_back(std::max<Index>(n, 1));
  const int bins = static_cast<int>(size_.size());

  // entries[a][b]: of supernodes in bin a, if their stage reaches up to candidate b. Candidate after
  // candidate, parents before children: walking the path of every supernode would be quadratic for tall
  // trees.
  std::vector<std::vector<double>> entries(bins, std::vector<double>(bins, 0.0));
  std::vector<double> ancestors(tree.nodes.size());      // columns of the path that are inside
  std::vector<std::int64_t> outside(tree.nodes.size());  // first row that is not
  for (std::size_t v = 0; v < tree.nodes.size(); ++v) outside[v] = tree.nodes[v].row_begin;
  for (int b = 0; b < bins; ++b) {
    const auto is_inside = [&](const Supernode& node) { return node.subtree <= size_[b]; };
    for (std::size_t v = tree.nodes.size(); v-- > 0;) {
      const Supernode& node = tree.nodes[v];
      if (!is_inside(node)) continue;
      ancestors[v] = 0.0;
      if (node.parent >= 0 && is_inside(tree.nodes[node.parent]))
        ancestors[v] = tree.nodes[node.parent].last() + 1 - node.parent_column + ancestors[node.parent];
      while (outside[v] < node.row_end && is_inside(tree.nodes[tree.node_of[tree.rows[outside[v]]]]))
        ++outside[v];
      const int bin =
          static_cast<int>(std::lower_bound(size_.begin(), size_.end(), node.subtree) - size_.begin());
      const double width = node.width;
      entries[bin][b] += 0.5 * width * (width + 1.0) +
                         width * (ancestors[v] + static_cast<double>(node.row_end - outside[v]));
    }
  }
  for (int b = 0; b < bins; ++b)
    for (int a = 1; a < bins; ++a) entries[a][b] += entries[a - 1][b];  // now of all bins up to a

  best_.assign(SolverSettings::kMostStages, std::vector<double>(bins));
  previous_.assign(SolverSettings::kMostStages, std::vector<int>(bins, -1));
  for (int k = 0; k < SolverSettings::kMostStages; ++k) {
    for (int b = 0; b < bins; ++b) {
      best_[k][b] = entries[b][b];
      for (int a = 0; k > 0 && a < b; ++a) {
        const double cost = best_[k - 1][a] + entries[b][b] - entries[a][b];
        if (cost >= best_[k][b]) continue;
        best_[k][b] = cost;
        previous_[k][b] = a;
      }
    }
  }
}

std::vector<Index> StageCost::limits(int stages) const {
  std::vector<Index> result;
  int candidate = static_cast<int>(size_.size()) - 1;
  for (int k = stages - 1; candidate >= 0; --k) {
    result.push_back(size_[candidate]);
    candidate = previous_[std::max(k, 0)][candidate];
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace sinew
