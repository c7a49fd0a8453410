// Whether all places that a staged structure names exist: what comes from a file must not send a solve
// outside its arrays.
#include <cstddef>
#include <cstdint>

#include "host/staged_structure.hpp"

namespace sinew {

namespace {

using Wide = std::int64_t;

template <class T>
Wide count(const std::vector<T>& list) {
  return static_cast<Wide>(list.size());
}

/// Ranges that follow each other from 0 on without a gap.
class Consecutive {
 public:
  bool takes(Wide begin, Wide end) {
    if (begin != end_ || end < begin) return false;
    end_ = end;
    return true;
  }
  bool ends_at(Wide end) const { return end_ == end; }
  bool beyond(Wide end) const { return end_ > end; }

 private:
  Wide end_ = 0;
};

bool all_within(const Index* begin, Wide size, Wide low, Wide high) {
  for (Wide k = 0; k < size; ++k)
    if (begin[k] < low || begin[k] >= high) return false;
  return true;
}

class Check {
 public:
  Check(const StagedStructure& structure, Index n) : s_(structure), n_(n) {}

  bool run() const { return columns() && nesting() && panels() && work() && gathers(); }

 private:
  bool columns() const {
    if (count(s_.order) != n_ || count(s_.position) != n_ || !all_within(s_.order.data(), n_, 0, n_))
      return false;
    for (Index k = 0; k < n_; ++k)
      if (s_.position[s_.order[k]] != k) return false;
    return true;
  }

  /// Stages of components of pieces.
  bool nesting() const {
    Consecutive components, columns, pieces, panels, outside, partial;
    for (const StagedStage& stage : s_.stages)
      if (!components.takes(stage.component_begin, stage.component_end)) return false;
    if (!components.ends_at(count(s_.components))) return false;
    for (const StagedComponent& c : s_.components)
      if (!columns.takes(c.first, Wide{c.first} + c.size) || !pieces.takes(c.piece_begin, c.piece_end) ||
          c.piece_begin == c.piece_end)
        return false;
    if (!columns.ends_at(n_) || !pieces.ends_at(count(s_.pieces))) return false;
    for (Wide c = 0; c < count(s_.components); ++c) {
      const StagedComponent& component = s_.components[c];
      for (Index p = component.piece_begin; p < component.piece_end; ++p) {
        const StagedPiece& piece = s_.pieces[p];
        if (piece.component != c || !panels.takes(piece.panel_begin, piece.panel_end) ||
            piece.panel_begin == piece.panel_end || !outside.takes(piece.outside_begin, piece.outside_end))
          return false;
        if (component.divided() && !partial.takes(piece.partial, piece.partial + component.size))
          return false;
      }
    }
    return panels.ends_at(count(s_.panels)) && outside.ends_at(count(s_.outside_rows)) &&
           partial.ends_at(s_.partial_rows);
  }

  bool panels() const {
    Consecutive columns, rows, values;
    for (const StagedPiece& piece : s_.pieces) {
      const StagedComponent& component = s_.components[piece.component];
      const Wide last = Wide{component.first} + component.size;
      const Wide outside_rows = piece.outside_end - piece.outside_begin;
      if (piece.first != s_.panels[piece.panel_begin].first || piece.first < component.first) return false;
      for (Index k = piece.panel_begin; k < piece.panel_end; ++k) {
        const StagedPanel& p = s_.panels[k];
        if (p.width < 1 || p.inside < 0 || p.inside > component.size || p.outside < 0 ||
            p.outside > outside_rows || !columns.takes(p.first, Wide{p.first} + p.width) ||
            Wide{p.first} + p.width > last)
          return false;
        const Wide inside = padded_rows(p.inside), outside = padded_rows(p.outside), width = p.width;
        if (!rows.takes(p.row, p.row + inside + outside) || rows.beyond(count(s_.rows))) return false;
        if (p.off_value != p.value + triangle_entries(p.width) + width * inside ||
            !values.takes(p.value, p.off_value + width * outside))
          return false;
        const Index* row = s_.rows.data() + p.row;
        if (!all_within(row, inside, 0, component.size) ||
            !all_within(row + inside, outside, 0, outside_rows))
          return false;
      }
    }
    return columns.ends_at(n_) && rows.ends_at(count(s_.rows)) && values.ends_at(s_.value_count);
  }

  /// Tasks take all undivided components of their stage, divided pieces and chunks all of the others.
  bool work() const {
    Wide task = 0, divided = 0, chunk = 0;
    for (const StagedStage& stage : s_.stages) {
      if (stage.task_begin != task || stage.divided_begin != divided || stage.chunk_begin != chunk)
        return false;
      for (Index c = stage.component_begin; c < stage.component_end;) {
        const StagedComponent& component = s_.components[c];
        if (!component.divided()) {
          if (task >= count(s_.tasks) || s_.tasks[task].component_begin != c ||
              s_.tasks[task].component_end <= c || s_.tasks[task].component_end > stage.component_end)
            return false;
          for (const Index end = s_.tasks[task++].component_end; c < end; ++c)
            if (s_.components[c].divided()) return false;
          continue;
        }
        for (Index p = component.piece_begin; p < component.piece_end; ++p, ++divided)
          if (divided >= count(s_.divided_pieces) || s_.divided_pieces[divided] != p) return false;
        for (Wide row = component.first; row < Wide{component.first} + component.size; ++chunk) {
          if (chunk >= count(s_.chunks) || s_.chunks[chunk].component != c || s_.chunks[chunk].first != row ||
              s_.chunks[chunk].last <= row || s_.chunks[chunk].last > Wide{component.first} + component.size)
            return false;
          row = s_.chunks[chunk].last;
        }
        ++c;
      }
      if (stage.task_end != task || stage.divided_end != divided || stage.chunk_end != chunk) return false;
    }
    return true;
  }

  bool gathers() const {
    const Wide sent = count(s_.outside_rows);
    if (!all_within(s_.outside_rows.data(), sent, 0, n_)) return false;
    if (count(s_.gather_start) != Wide{n_} + 1 || count(s_.gather) != sent) return false;
    Consecutive lists;
    for (Index i = 0; i < n_; ++i)
      if (!lists.takes(s_.gather_start[i], s_.gather_start[i + 1])) return false;
    for (const Wide place : s_.gather)
      if (place < 0 || place >= sent) return false;
    return lists.ends_at(sent);
  }

  const StagedStructure& s_;
  Index n_;
};

}  // namespace

bool is_sound(const StagedStructure& structure, Index n) {
  return Check(structure, n).run();
}

}  // namespace sinew
