// Where the entries of a staged inverse stand: stages of the elimination tree, their components, and dense
// panels inside (symbolic part; numbers come in staged_build.cpp).
//
// The tree of P A P^T = L L^T is cut by subtree size into stages 1..K, leaves first. A component is a
// connected piece of the tree inside one stage. With L_ss block diagonal over the components of stage s,
//
//   forward   s = 1..K:   r_s = b_s - sum_{t<s} L_st y_t      y_s = L_ss^-1 r_s
//   backward  s = K..1:   z_s = y_s - sum_{t>s} L_ts^T x_t    x_s = L_ss^-T z_s
//
// Two facts make everything dense. Column j of L_ss^-1 is full exactly at the ancestors of j in its component
// (Gilbert 1994), so columns that follow each other up the tree share their rows: a panel. And the rows of a
// panel outside its component are among those of the component's root column (Liu 1990).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "host/cholesky.hpp"

namespace sinew {

/// Consecutive columns with common rows. Rows below the panel: inside the component first, then outside.
struct StagedPanel {
  Index first = 0;             ///< first column, in the solver's order
  Index width = 0;             ///< columns
  Index inside = 0;            ///< rows in the component beyond its own: all later ancestors there
  Index outside = 0;           ///< rows in later stages
  std::int64_t row = 0;        ///< place in row lists: inside rows, padded, then outside ones
  std::int64_t value = 0;      ///< place in values: own triangle, inside rows, outside rows
  std::int64_t off_value = 0;  ///< place of the outside rows in values
};

/// Rows are stored in blocks of this many; each block column by column.
inline constexpr Index kPanelRows = 4;
inline constexpr Index padded_rows(Index rows) {
  return (rows + kPanelRows - 1) / kPanelRows * kPanelRows;
}
/// Entries of the own triangle in blocks of rows, each as wide as its last row.
std::int64_t triangle_entries(Index width);

/// Consecutive panels of one component whose products run one after another in one thread.
struct StagedPiece {
  Index component = 0;
  Index panel_begin = 0, panel_end = 0;
  Index first = 0;                                  ///< first column of its first panel
  std::int64_t outside_begin = 0, outside_end = 0;  ///< in outside_rows: union over its panels, ascending
  std::int64_t partial = -1;  ///< place of its partial sums, {rows of the component}; -1: the only piece
};

struct StagedComponent {
  Index first = 0, size = 0;  ///< columns
  Index piece_begin = 0, piece_end = 0;
  bool divided() const { return piece_end - piece_begin > 1; }
};

/// Undivided components that one thread takes together.
struct StagedTask {
  Index component_begin = 0, component_end = 0;
};

/// Rows of a divided component whose partial sums one thread adds.
struct StagedChunk {
  Index component = 0;
  Index first = 0, last = 0;  ///< columns [first, last)
};

struct StagedStage {
  Index component_begin = 0, component_end = 0;
  Index task_begin = 0, task_end = 0;
  Index divided_begin = 0, divided_end = 0;  ///< in divided_pieces
  Index chunk_begin = 0, chunk_end = 0;
};

struct StagedStructure {
  std::vector<Index> order;     ///< {n}: order[k] = place in the factor of the solver's k-th
  std::vector<Index> position;  ///< {n}: its inverse
  std::vector<StagedStage> stages;
  std::vector<StagedComponent> components;
  std::vector<StagedPiece> pieces;
  std::vector<StagedPanel> panels;
  std::vector<StagedTask> tasks;
  std::vector<Index> divided_pieces;
  std::vector<StagedChunk> chunks;
  std::vector<Index> rows;  ///< by panel: inside rows relative to the component's first column, then places
                            ///< in the piece's outside rows; each list padded by its last row
  std::vector<Index> outside_rows;         ///< by piece: rows in later stages
  std::vector<std::int64_t> gather_start;  ///< {n + 1}
  std::vector<std::int64_t> gather;        ///< places in outside_rows that name the row, ascending
  std::int64_t value_count = 0;
  std::int64_t partial_rows = 0;  ///< rows of all partial sums
};

/// True where every place that a solve reads or writes exists and no two threads write the same one; for
/// structures from files.
bool is_sound(const StagedStructure& structure, Index n);

/// Nonzeros of S_K for every K from 1 to most_stages at the best thresholds, panels without padding: the
/// figures of the cost law. result[K - 1].
std::vector<double> staged_nonzeros(const CholeskyFactor& factor, int most_stages);

/// stages: 1 .. SolverSettings::kMostStages; 0 takes the number with the least cost, entries plus
/// entries_per_stage for each stage. Only order, structure and tree of the factor are read. check_entries:
/// gets the entries without padding before anything of their size is allocated; may throw.
StagedStructure make_staged_structure(const CholeskyFactor& factor, int stages, double entries_per_stage,
                                      const std::function<void(double)>& check_entries = {});

}  // namespace sinew
