// Cell types that the two VTK formats share.
#pragma once

#include <span>

#include "engine/mesh_io/cells.hpp"
#include "engine/mesh_io/cursor.hpp"

namespace sinew::mesh_io {

/// Adds one cell of a VTK type; node numbers are 0-based.
/// @throws MeshError through the cursor for an unknown type, a polyhedron or a wrong number of nodes.
void add_vtk_cell(CellSoup& soup, Cursor& cursor, long type, std::span<const long> nodes, long tag);

}  // namespace sinew::mesh_io
