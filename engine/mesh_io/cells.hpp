// Cells as files hold them, and their way to tetrahedra and triangles.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <sinew/mesh_io.hpp>

namespace sinew::mesh_io {

/// Corner order of VTK and Gmsh: hexahedron bottom 0-3, top 4-7; prism bottom 0-2, top 3-5; pyramid base 0-3,
/// apex 4.
enum class CellKind : unsigned char { polygon, tet, hex, prism, pyramid, ignored };

/// Corners of a kind (0 for polygon and ignored).
std::size_t corner_count(CellKind kind);

/// Index that stands for a node which does not exist.
inline constexpr Index kNoNode = -1;

/// From the node numbers of a file to indices.
class NumberMap {
 public:
  /// Position of the first repeated number, or -1.
  long build(const std::vector<long>& numbers);
  Index find(long number) const {
    if (dense_.empty()) {
      const auto found = sparse_.find(number);
      return found == sparse_.end() ? kNoNode : found->second;
    }
    // Unsigned: the difference of two numbers of a damaged file may not fit a long.
    const unsigned long offset = static_cast<unsigned long>(number) - static_cast<unsigned long>(first_);
    return number < first_ || offset >= dense_.size() ? kNoNode : dense_[offset];
  }

 private:
  long first_ = 0;
  std::vector<Index> dense_;
  std::unordered_map<long, Index> sparse_;
};

/// Tetrahedra of one cell (indices into the nodes, or kNoNode); center: a node at the cell's centre is
/// needed, which the pieces call kCenterNode.
struct CellSplit {
  std::vector<Tet> tets;
  bool center = false;
};
inline constexpr Index kCenterNode = -2;

/// Splits a hexahedron, prism or pyramid. The diagonal of a quadrilateral face starts at its smallest node
/// index, so neighbours agree (Dompierre et al. 1999). A cell so warped that this gives a piece without
/// volume gets a centre node, where that helps; its faces stay the same.
CellSplit split_cell(CellKind kind, std::span<const Index> corners, const std::vector<Vec3d>& nodes);

/// Collects what a reader finds and turns it into a MeshFile.
class CellSoup {
 public:
  std::vector<Vec3d> nodes;
  std::vector<long> node_tag;  ///< empty: index
  std::vector<std::string> notes;

  /// Adds a cell with node indices (kNoNode where the file names a node that does not exist). Nodes beyond
  /// the corners are mid-side nodes (a polygon has polygon_corners of them, by default all).
  /// Ignored kinds (points, lines) are counted for a note.
  void add(CellKind kind, std::span<const Index> cell_nodes, long tag, std::size_t polygon_corners = 0);
  /// Remembers the first node number that does not exist.
  void note_missing_node(long cell_tag, long number);
  std::size_t cell_count() const { return kinds_.size(); }

  /// Splits cells and leaves out mid-side nodes. tet_cell: for each tetrahedron the cell it came from
  /// (counted over cells that are not ignored).
  MeshFile finish(const char* format, bool tagged_cells, std::vector<std::size_t>* tet_cell = nullptr);

 private:
  void drop_midside_nodes(MeshFile& file);
  void renumber_repeated_tags();

  std::vector<CellKind> kinds_;
  std::vector<std::size_t> begin_{0};
  std::vector<Index> corners_;
  std::vector<long> tags_;
  std::vector<Index> midside_;
  std::size_t ignored_ = 0, second_order_ = 0;
  std::string missing_;
  std::size_t missing_count_ = 0;
};

}  // namespace sinew::mesh_io
