#include "engine/mesh_io/vtk_cells.hpp"

namespace sinew::mesh_io {

namespace {

struct VtkType {
  CellKind kind;
  std::size_t corners;  // 0: any number
};

// kind, corners of the cell types (VTK file formats; vtkCellType.h). Corners come first in quadratic cells.
bool vtk_type(long type, VtkType& out) {
  switch (type) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 21:
    case 35:
    case 68:
      out = {CellKind::ignored, 0};
      return true;
    case 5:
    case 22:
    case 34:
    case 69:
      out = {CellKind::polygon, 3};
      return true;
    case 6:
    case 7:
      out = {CellKind::polygon, 0};
      return true;
    case 8:
    case 9:
    case 23:
    case 28:
    case 30:
    case 70:
      out = {CellKind::polygon, 4};
      return true;
    case 10:
    case 24:
    case 71:
      out = {CellKind::tet, 4};
      return true;
    case 11:
    case 12:
    case 25:
    case 29:
    case 33:
    case 72:
      out = {CellKind::hex, 8};
      return true;
    case 13:
    case 26:
    case 31:
    case 32:
    case 73:
      out = {CellKind::prism, 6};
      return true;
    case 14:
    case 27:
    case 37:
    case 74:
      out = {CellKind::pyramid, 5};
      return true;
    default:
      return false;
  }
}

}  // namespace

void add_vtk_cell(CellSoup& soup, Cursor& cursor, long type, std::span<const long> nodes, long tag) {
  VtkType known;
  if (!vtk_type(type, known)) {
    const std::string what = "cell " + std::to_string(tag) + " has type " + std::to_string(type);
    cursor.fail(what + (type == 42 ? " (polyhedron)" : "") +
                ", which is not read; triangulate the mesh before exporting");
  }
  if (known.kind == CellKind::ignored) return soup.add(known.kind, {}, tag);
  if (nodes.size() < std::max<std::size_t>(known.corners, 3))
    cursor.fail("cell " + std::to_string(tag) + " has only " + std::to_string(nodes.size()) +
                " nodes, too few for its type; export the file again");
  std::vector<Index> index(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const bool exists = nodes[k] >= 0 && static_cast<std::size_t>(nodes[k]) < soup.nodes.size();
    index[k] = exists ? static_cast<Index>(nodes[k]) : kNoNode;
    if (!exists) soup.note_missing_node(tag, nodes[k]);
  }
  if (type == 6) {  // triangle strip
    for (std::size_t k = 0; k + 2 < index.size(); ++k) {
      const Index triangle[3] = {index[k + k % 2], index[k + 1 - k % 2], index[k + 2]};
      soup.add(CellKind::polygon, triangle, tag);
    }
    return;
  }
  if (type == 8 || type == 11) std::swap(index[2], index[3]);  // pixel, voxel: rows instead of rings
  if (type == 11) std::swap(index[6], index[7]);
  soup.add(known.kind, index, tag, known.corners);
}

}  // namespace sinew::mesh_io
