// Pieces that mending of tetrahedral meshes and of surfaces share.
#pragma once

#include "engine/mesh_io/inspect.hpp"

namespace sinew::mesh_io {

/// One line per kind of element that is not good; true if there is any.
bool report_removed(const std::vector<ElementState>& states, const char* one, const char* many,
                    std::vector<std::string>& done);

/// New numbers of the used nodes, -1 for the others; returns how many are not used.
std::size_t renumber_used(const std::vector<char>& used, std::vector<Index>& number);

template <class Cell>
void renumber_cell(Cell& cell, const std::vector<Index>& number) {
  for (Index& node : cell)
    node = node >= 0 && static_cast<std::size_t>(node) < number.size()
               ? number[static_cast<std::size_t>(node)]
               : -1;
}

/// Leaves out points that are not used, with their tags (which are made if they were the index).
void drop_points(std::vector<Vec3d>& points, std::vector<long>& tags, const std::vector<char>& used);

/// Lets all cells name the first of the nodes at one place; returns how many nodes fall away.
template <class Cell>
std::size_t merge_coincident(const std::vector<Vec3d>& nodes, std::vector<Cell>& cells) {
  const std::vector<Index> same =
      coincident_representatives(nodes, used_nodes(nodes.size(), cells), coincidence_tolerance(nodes));
  std::size_t merged = 0;
  for (std::size_t i = 0; i < same.size(); ++i) merged += same[i] != static_cast<Index>(i) ? 1 : 0;
  if (merged > 0)
    for (Cell& cell : cells)
      for (Index& node : cell)
        if (node >= 0 && static_cast<std::size_t>(node) < same.size())
          node = same[static_cast<std::size_t>(node)];
  return merged;
}

/// Mends a surface; see repair_mesh().
void repair_surface(MeshFile& file, RepairLevel level, std::vector<std::string>& done);

}  // namespace sinew::mesh_io
