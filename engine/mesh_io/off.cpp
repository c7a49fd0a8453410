// OFF surfaces, text: header OFF, COFF, NOFF, ... (or none), then counts, vertices and polygons.
// Format: Geomview manual, "OFF: Object File Format".
#include "engine/mesh_io/cells.hpp"
#include "engine/mesh_io/cursor.hpp"
#include "engine/mesh_io/format.hpp"

namespace sinew::mesh_io {

namespace {

// "OFF" behind any of the prefixes ST, C, N: the extra values stand after the coordinates.
bool is_off_header(std::string_view word) {
  if (word.size() < 3 || word.substr(word.size() - 3) != "OFF") return false;
  const std::string_view prefix = word.substr(0, word.size() - 3);
  return prefix.empty() || prefix == "C" || prefix == "N" || prefix == "ST" || prefix == "CN" ||
         prefix == "STC" || prefix == "STN" || prefix == "STCN";
}

}  // namespace

bool is_off(const MeshSource& source) {
  Cursor cursor(source.content, source.path, '#');
  return is_off_header(cursor.peek());
}

MeshFile read_off(const MeshSource& source) {
  Cursor cursor(source.content, source.path, '#');
  if (is_off_header(cursor.peek())) {
    cursor.word("header");
    if (cursor.peek() == "BINARY") cursor.fail("binary OFF files are not read; export text");
  }
  const std::size_t points = cursor.count("the number of vertices", 6);
  const std::size_t faces = cursor.count("the number of faces", 2);
  cursor.integer("number of edges");
  CellSoup soup;
  soup.nodes.resize(points);
  for (Vec3d& p : soup.nodes) {
    for (int k = 0; k < 3; ++k) p[k] = cursor.number("coordinate of a vertex");
    cursor.line();  // normals, colours
  }
  std::vector<Index> nodes;
  for (std::size_t f = 0; f < faces; ++f) {
    const long tag = static_cast<long>(f);
    const std::size_t corners = cursor.count("the number of corners", 2);
    if (corners < 3)
      cursor.fail("face " + std::to_string(f) + " has only " + std::to_string(corners) +
                  " corners; remove it");
    nodes.clear();
    for (std::size_t k = 0; k < corners; ++k) {
      const long number = cursor.integer("vertex number of a face");
      const bool exists = number >= 0 && static_cast<std::size_t>(number) < points;
      nodes.push_back(exists ? static_cast<Index>(number) : kNoNode);
      if (!exists) soup.note_missing_node(tag, number);
    }
    cursor.line();  // colour
    soup.add(CellKind::polygon, nodes, tag);
  }
  if (faces == 0) cursor.fail("the file holds no face; export it again");
  return soup.finish("off", true);
}

}  // namespace sinew::mesh_io
