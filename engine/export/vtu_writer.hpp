// VTK XML unstructured grids (.vtu), raw appended data, little endian: what ParaView reads fastest.
// Format: VTK file formats, "XML file formats", UnstructuredGrid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sinew/mesh.hpp>

namespace sinew {

/// Values attached to points or cells. The type is fixed even where there are no values, so that it is the
/// same in every file of a series.
struct VtuField {
  std::string name;
  int components = 1;
  bool integral = false;                 ///< integers are written, else reals
  std::vector<float> reals{};            ///< {count, components}
  std::vector<std::int32_t> integers{};  ///< {count, components}
};

enum class VtuCell : std::uint8_t { vertex = 1, line = 3, triangle = 5, tetrahedron = 10 };

constexpr int nodes_of(VtuCell cell) {
  switch (cell) {
    case VtuCell::vertex:
      return 1;
    case VtuCell::line:
      return 2;
    case VtuCell::triangle:
      return 3;
    case VtuCell::tetrahedron:
      return 4;
  }
  return 0;
}

/// One grid, as a rule with cells of one kind.
struct VtuGrid {
  double time = 0.0;          ///< [s], shown by ParaView
  std::vector<Vec3d> points;  ///< [m]
  VtuCell cell = VtuCell::tetrahedron;
  std::vector<VtuCell> mixed;              ///< {cells} where they differ in kind; empty: all are cell
  std::vector<std::int64_t> connectivity;  ///< {cells, nodes per cell}
  std::vector<VtuField> point_fields, cell_fields;

  std::size_t cell_count() const {
    return mixed.empty() ? connectivity.size() / static_cast<std::size_t>(nodes_of(cell)) : mixed.size();
  }
};

/// Writes atomically. @throws IoError.
void write_vtu(const std::string& path, const VtuGrid& grid);

}  // namespace sinew
