#include "host/staged_structure.hpp"

#include <algorithm>
#include <numeric>

#include <sinew/base/solver_settings.hpp>

#include "host/staged_tree.hpp"

namespace sinew {

namespace {

constexpr Index kWidest = 48;            // columns of a panel: its part of a vector stays in registers and L1
constexpr std::int64_t kPanelCost = 40;  // time of starting a panel, in entries (measured: see docs)
constexpr std::int64_t kTaskEntries = 16384;   // entries that make a task worth a thread's while
constexpr std::int64_t kPieceEntries = 24576;  // the same for a piece of a divided component
constexpr std::int64_t kMostPieces = 48;       // each has partial sums as long as the component
constexpr std::int64_t kDivideFrom = 98304;    // components with more entries are divided
constexpr Index kChunkRows = 128;

std::int64_t panel_entries(Index width, Index inside, Index outside) {
  return triangle_entries(width) +
         static_cast<std::int64_t>(width) * (padded_rows(inside) + padded_rows(outside));
}

/// A panel while the structure is being made; columns in the solver's order.
struct Draft {
  Index first, width;
  Index parent_column;  ///< -1: none, or outside the component
  Index inside, outside;
  Index node;  ///< supernode whose rows below are the panel's
  Index last() const { return first + width - 1; }
};

class Builder {
 public:
  Builder(const SupernodeTree& tree, const std::vector<Index>& limits) : tree_(tree), limits_(limits) {}

  StagedStructure build() {
    assign_components();
    number_columns();
    for (std::size_t s = 0; s < result_.stages.size(); ++s) add_stage(result_.stages[s]);
    list_gathers();
    return std::move(result_);
  }

 private:
  int stage_of(Index node) const { return stage_[node]; }

  void assign_components() {
    const Index count = static_cast<Index>(tree_.nodes.size());
    stage_.resize(count);
    component_.resize(count);
    for (Index v = 0; v < count; ++v)
      stage_[v] = static_cast<int>(std::lower_bound(limits_.begin(), limits_.end(), tree_.nodes[v].subtree) -
                                   limits_.begin());
    std::vector<std::vector<Index>> roots(limits_.size());
    for (Index v = 0; v < count; ++v) {
      const Index parent = tree_.nodes[v].parent;
      if (parent < 0 || stage_[parent] != stage_[v]) roots[stage_[v]].push_back(v);
    }
    for (const std::vector<Index>& list : roots) {
      if (list.empty()) continue;  // two limits without a supernode between them
      StagedStage stage;
      stage.component_begin = static_cast<Index>(result_.components.size());
      for (const Index root : list) {
        component_[root] = static_cast<Index>(result_.components.size());
        result_.components.push_back({});
      }
      stage.component_end = static_cast<Index>(result_.components.size());
      result_.stages.push_back(stage);
    }
    for (Index v = count - 1; v >= 0; --v) {
      const Index parent = tree_.nodes[v].parent;
      if (parent >= 0 && stage_[parent] == stage_[v]) component_[v] = component_[parent];
      result_.components[component_[v]].size += tree_.nodes[v].width;
    }
  }

  /// Components one after another, postorder inside: again an order of elimination with the same factor.
  void number_columns() {
    Index next = 0;
    for (StagedComponent& c : result_.components) {
      c.first = next;
      next += c.size;
    }
    std::vector<Index> cursor;
    for (const StagedComponent& c : result_.components) cursor.push_back(c.first);
    const std::size_t n = tree_.order.size();
    place_.resize(n);
    result_.order.resize(n);
    result_.position.resize(n);
    nodes_of_.resize(result_.components.size());
    for (Index v = 0; v < static_cast<Index>(tree_.nodes.size()); ++v) {
      nodes_of_[component_[v]].push_back(v);
      for (Index k = 0; k < tree_.nodes[v].width; ++k) {
        const Index column = tree_.nodes[v].first + k;
        place_[column] = cursor[component_[v]]++;
        result_.order[place_[column]] = tree_.order[column];
        result_.position[tree_.order[column]] = place_[column];
      }
    }
  }

  /// Rows of the supernode that lie outside its component; a tail of its list, since subtrees grow upwards.
  Index outside_rows(Index v) const {
    const Supernode& node = tree_.nodes[v];
    std::int64_t row = node.row_end;
    while (row > node.row_begin && stage_[tree_.node_of[tree_.rows[row - 1]]] != stage_[v]) --row;
    return static_cast<Index>(node.row_end - row);
  }

  /// Supernodes of a component as panels, merged with their parent where that costs less than a start.
  std::vector<Draft> draft_panels(Index c) const {
    const StagedComponent& component = result_.components[c];
    std::vector<Draft> drafts;
    for (const Index v : nodes_of_[c]) {
      const Supernode& node = tree_.nodes[v];
      const bool has_parent = node.parent >= 0 && component_[node.parent] == c;
      drafts.push_back({place_[node.first], node.width, has_parent ? place_[node.parent_column] : -1, 0,
                        outside_rows(v), v});
    }
    count_inside(component, drafts);
    std::vector<Draft> merged;
    for (Draft d : drafts) {
      while (!merged.empty()) {
        const Draft& child = merged.back();
        if (child.last() + 1 != d.first || child.parent_column != d.first) break;
        const std::int64_t apart = panel_entries(child.width, child.inside, child.outside) +
                                   panel_entries(d.width, d.inside, d.outside) + kPanelCost;
        if (panel_entries(child.width + d.width, d.inside, d.outside) > apart) break;
        d.first = child.first;
        d.width += child.width;
        merged.pop_back();
      }
      merged.push_back(d);
    }
    return merged;
  }

  /// By column of the component: its draft.
  static std::vector<Index> drafts_by_column(const StagedComponent& component,
                                             const std::vector<Draft>& drafts) {
    std::vector<Index> draft_of(component.size);
    for (std::size_t d = 0; d < drafts.size(); ++d)
      for (Index k = 0; k < drafts[d].width; ++k)
        draft_of[drafts[d].first - component.first + k] = static_cast<Index>(d);
    return draft_of;
  }

  /// Ancestors inside the component, from the root of the component down.
  static void count_inside(const StagedComponent& component, std::vector<Draft>& drafts) {
    const std::vector<Index> draft_of = drafts_by_column(component, drafts);
    for (std::size_t d = drafts.size(); d-- > 0;) {
      if (drafts[d].parent_column < 0) continue;
      const Draft& up = drafts[draft_of[drafts[d].parent_column - component.first]];
      drafts[d].inside = up.last() - drafts[d].parent_column + 1 + up.inside;
    }
  }

  static std::vector<Draft> split_wide(const std::vector<Draft>& drafts) {
    std::vector<Draft> result;
    for (const Draft& d : drafts) {
      const Index parts = (d.width + kWidest - 1) / kWidest;
      for (Index k = 0; k < parts; ++k) {
        // Widths in multiples of a block of rows, so that triangles are padded once.
        const auto cut = [&](Index j) {
          return j == parts ? d.width : std::min(d.width, padded_rows(d.width / parts) * j);
        };
        Draft part = d;
        part.first = d.first + cut(k);
        part.width = cut(k + 1) - cut(k);
        if (part.width == 0) continue;
        part.inside = d.inside + d.last() - part.last();
        if (part.last() != d.last()) part.parent_column = part.last() + 1;
        result.push_back(part);
      }
    }
    return result;
  }

  void add_stage(StagedStage& stage) {
    stage.task_begin = static_cast<Index>(result_.tasks.size());
    stage.divided_begin = static_cast<Index>(result_.divided_pieces.size());
    stage.chunk_begin = static_cast<Index>(result_.chunks.size());
    std::int64_t task_entries = kTaskEntries;
    for (Index c = stage.component_begin; c < stage.component_end; ++c) {
      const std::int64_t before = result_.value_count;
      add_component(c);
      const StagedComponent& component = result_.components[c];
      if (component.divided()) {
        for (Index p = component.piece_begin; p < component.piece_end; ++p)
          result_.divided_pieces.push_back(p);
        for (Index k = 0; k < component.size; k += kChunkRows)
          result_.chunks.push_back(
              {c, component.first + k, component.first + std::min(component.size, k + kChunkRows)});
        task_entries = kTaskEntries;
        continue;
      }
      if (task_entries >= kTaskEntries) {
        result_.tasks.push_back({c, c});
        task_entries = 0;
      }
      result_.tasks.back().component_end = c + 1;
      task_entries += result_.value_count - before;
    }
    stage.task_end = static_cast<Index>(result_.tasks.size());
    stage.divided_end = static_cast<Index>(result_.divided_pieces.size());
    stage.chunk_end = static_cast<Index>(result_.chunks.size());
  }

  void add_component(Index c) {
    const std::vector<Draft> drafts = split_wide(draft_panels(c));
    std::int64_t total = 0;
    for (const Draft& d : drafts) total += panel_entries(d.width, d.inside, d.outside);
    const bool divide = total > kDivideFrom;
    const std::int64_t piece_entries = std::max(kPieceEntries, total / kMostPieces);
    StagedComponent& component = result_.components[c];
    draft_of_ = drafts_by_column(component, drafts);
    component.piece_begin = static_cast<Index>(result_.pieces.size());
    for (std::size_t begin = 0; begin < drafts.size();) {
      std::size_t end = begin;
      std::int64_t entries = 0;
      while (end < drafts.size() && (!divide || entries < piece_entries)) {
        entries += panel_entries(drafts[end].width, drafts[end].inside, drafts[end].outside);
        ++end;
      }
      add_piece(c, drafts, begin, end);
      begin = end;
    }
    component.piece_end = static_cast<Index>(result_.pieces.size());
    if (!component.divided()) return;
    for (Index p = component.piece_begin; p < component.piece_end; ++p) {
      result_.pieces[p].partial = result_.partial_rows;
      result_.partial_rows += component.size;
    }
  }

  void add_piece(Index c, const std::vector<Draft>& drafts, std::size_t begin, std::size_t end) {
    StagedPiece piece;
    piece.component = c;
    piece.first = drafts[begin].first;
    piece.outside_begin = static_cast<std::int64_t>(result_.outside_rows.size());
    std::vector<Index> rows;
    for (std::size_t d = begin; d < end; ++d) {
      const Supernode& node = tree_.nodes[drafts[d].node];
      for (std::int64_t r = node.row_end - drafts[d].outside; r < node.row_end; ++r)
        rows.push_back(place_[tree_.rows[r]]);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    result_.outside_rows.insert(result_.outside_rows.end(), rows.begin(), rows.end());
    piece.outside_end = static_cast<std::int64_t>(result_.outside_rows.size());
    piece.panel_begin = static_cast<Index>(result_.panels.size());
    for (std::size_t d = begin; d < end; ++d) add_panel(c, drafts, d, rows);
    piece.panel_end = static_cast<Index>(result_.panels.size());
    result_.pieces.push_back(piece);
  }

  void add_panel(Index c, const std::vector<Draft>& drafts, std::size_t index,
                 const std::vector<Index>& piece_rows) {
    const Draft& d = drafts[index];
    const StagedComponent& component = result_.components[c];
    StagedPanel panel;
    panel.first = d.first;
    panel.width = d.width;
    panel.inside = d.inside;
    panel.outside = d.outside;
    panel.row = static_cast<std::int64_t>(result_.rows.size());
    // The path to the root of the component; every draft knows where it goes on.
    for (Index column = d.parent_column; column >= 0;) {
      const Draft& up = drafts[draft_of_[column - component.first]];
      for (Index k = column; k <= up.last(); ++k) result_.rows.push_back(k - component.first);
      column = up.parent_column;
    }
    pad(panel.row);
    const std::int64_t outside = static_cast<std::int64_t>(result_.rows.size());
    const Supernode& node = tree_.nodes[d.node];
    for (std::int64_t r = node.row_end - d.outside; r < node.row_end; ++r)
      result_.rows.push_back(
          static_cast<Index>(std::lower_bound(piece_rows.begin(), piece_rows.end(), place_[tree_.rows[r]]) -
                             piece_rows.begin()));
    pad(outside);
    panel.value = result_.value_count;
    panel.off_value = panel.value + panel_entries(d.width, d.inside, 0);
    result_.value_count += panel_entries(d.width, d.inside, d.outside);
    result_.panels.push_back(panel);
  }

  void pad(std::int64_t begin) {
    while ((static_cast<std::int64_t>(result_.rows.size()) - begin) % kPanelRows != 0)
      result_.rows.push_back(result_.rows.back());
  }

  void list_gathers() {
    const std::size_t n = tree_.order.size();
    result_.gather_start.assign(n + 1, 0);
    for (const Index row : result_.outside_rows) ++result_.gather_start[row + 1];
    std::partial_sum(result_.gather_start.begin(), result_.gather_start.end(), result_.gather_start.begin());
    result_.gather.resize(result_.outside_rows.size());
    std::vector<std::int64_t> cursor(result_.gather_start.begin(), result_.gather_start.end() - 1);
    for (std::size_t k = 0; k < result_.outside_rows.size(); ++k)
      result_.gather[cursor[result_.outside_rows[k]]++] = static_cast<std::int64_t>(k);
  }

  const SupernodeTree& tree_;
  const std::vector<Index>& limits_;
  std::vector<int> stage_;                    // by supernode
  std::vector<Index> component_;              // by supernode
  std::vector<std::vector<Index>> nodes_of_;  // by component, postorder
  std::vector<Index> place_;                  // by postorder column
  std::vector<Index> draft_of_;               // of the component at work: by column
  StagedStructure result_;
};

}  // namespace

std::int64_t triangle_entries(Index width) {
  const std::int64_t full = width / kPanelRows, rest = width % kPanelRows;
  const std::int64_t square = kPanelRows * kPanelRows;
  return square * full * (full + 1) / 2 + (rest > 0 ? kPanelRows * static_cast<std::int64_t>(width) : 0);
}

std::vector<double> staged_nonzeros(const CholeskyFactor& factor, int most_stages) {
  const SupernodeTree tree = make_supernode_tree(factor);
  const StageCost cost(tree);
  std::vector<double> result;
  for (int k = 1; k <= most_stages; ++k) result.push_back(cost.least(k));
  return result;
}

StagedStructure make_staged_structure(const CholeskyFactor& factor, int stages, double entries_per_stage,
                                      const std::function<void(double)>& check_entries) {
  const SupernodeTree tree = make_supernode_tree(factor);
  const StageCost cost(tree);
  if (stages == 0) {
    stages = 1;
    for (int k = 2; k <= SolverSettings::kMostStages; ++k)
      if (cost.least(k) + k * entries_per_stage < cost.least(stages) + stages * entries_per_stage) stages = k;
  }
  if (check_entries) check_entries(cost.least(stages));
  const std::vector<Index> limits = cost.limits(stages);
  return Builder(tree, limits).build();
}

}  // namespace sinew
