// TetGen: nodes in NAME.node, tetrahedra in NAME.ele; either name may be given. Nodes count from 0 or 1.
// Format: TetGen manual, section "File formats".
#include <array>
#include <filesystem>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/mesh_io/cells.hpp"
#include "engine/mesh_io/cursor.hpp"
#include "engine/mesh_io/format.hpp"

namespace sinew::mesh_io {

namespace {

void read_nodes(Cursor cursor, CellSoup& soup, NumberMap& numbers) {
  const std::size_t count = cursor.count("the number of nodes", 7);
  if (cursor.integer("dimension") != 3) cursor.fail("the dimension is not 3; export a spatial mesh");
  const std::size_t values = cursor.count("the number of attributes", 0);
  const std::size_t markers = cursor.count("the number of boundary markers", 0);
  cursor.check_count(static_cast<double>(count) * static_cast<double>(values + markers),
                     "the number of attributes", 2);
  for (std::size_t i = 0; i < count; ++i) {
    soup.node_tag.push_back(cursor.integer("node number"));
    Vec3d p;
    for (int k = 0; k < 3; ++k) p[k] = cursor.number("coordinate of a node");
    if (count > 0)
      for (std::size_t k = 0; k < values + markers; ++k) cursor.number("attribute of a node");
    soup.nodes.push_back(p);
  }
  if (!cursor.at_end())
    cursor.fail("more content than the " + std::to_string(count) + " nodes announced; mend the count");
  const long repeated = numbers.build(soup.node_tag);
  if (repeated >= 0)
    cursor.fail("node number " + std::to_string(soup.node_tag[static_cast<std::size_t>(repeated)]) +
                " is defined twice; give each node its own number");
}

void read_elements(Cursor cursor, CellSoup& soup, const NumberMap& numbers) {
  const std::size_t count = cursor.count("the number of tetrahedra", 10);
  const long corners = cursor.integer("number of nodes per tetrahedron");
  if (corners != 4 && corners != 10)
    cursor.fail("tetrahedra with " + std::to_string(corners) + " nodes are not read; use 4 or 10");
  const std::size_t values = cursor.count("the number of attributes", 0);
  cursor.check_count(static_cast<double>(count) * static_cast<double>(values), "the number of attributes", 2);
  std::array<Index, 10> nodes;
  for (std::size_t i = 0; i < count; ++i) {
    const long tag = cursor.integer("element number");
    for (long k = 0; k < corners; ++k) {
      const long number = cursor.integer("node number of a tetrahedron");
      nodes[static_cast<std::size_t>(k)] = numbers.find(number);
      if (numbers.find(number) == kNoNode) soup.note_missing_node(tag, number);
    }
    for (std::size_t k = 0; k < values; ++k) cursor.number("attribute of a tetrahedron");
    soup.add(CellKind::tet, std::span(nodes.data(), static_cast<std::size_t>(corners)), tag);
  }
  if (!cursor.at_end())
    cursor.fail("more content than the " + std::to_string(count) + " tetrahedra announced; mend the count");
  if (count == 0) cursor.fail("the file holds no tetrahedra; export it again");
}

}  // namespace

MeshFile read_tetgen(const MeshSource& source) {
  const bool nodes_given = source.extension == ".node";
  std::filesystem::path other_path(source.path);
  other_path.replace_extension(nodes_given ? ".ele" : ".node");
  std::string other;
  try {
    other = read_file(other_path.string());
  } catch (const IoError&) {
    throw MeshError(source.path + ": the other half of the TetGen mesh, " + other_path.string() +
                    ", cannot be read; put it beside this file");
  }
  CellSoup soup;
  NumberMap numbers;
  const std::string other_name = other_path.string();
  read_nodes(Cursor(nodes_given ? source.content : other, nodes_given ? source.path : other_name, '#'), soup,
             numbers);
  read_elements(Cursor(nodes_given ? other : source.content, nodes_given ? other_name : source.path, '#'),
                soup, numbers);
  return soup.finish("tetgen", true);
}

}  // namespace sinew::mesh_io
