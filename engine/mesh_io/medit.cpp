// Medit .mesh, text. Format: INRIA report RT-0253 (P. Frey, 2001).
#include <array>

#include "engine/mesh_io/cells.hpp"
#include "engine/mesh_io/cursor.hpp"
#include "engine/mesh_io/format.hpp"

namespace sinew::mesh_io {

namespace {

struct MeditKind {
  const char* keyword;
  CellKind kind;
  std::size_t corners, nodes;
};
constexpr MeditKind kKinds[] = {
    {"edges", CellKind::ignored, 2, 2},       {"triangles", CellKind::polygon, 3, 3},
    {"trianglesp2", CellKind::polygon, 3, 6}, {"quadrilaterals", CellKind::polygon, 4, 4},
    {"tetrahedra", CellKind::tet, 4, 4},      {"tetrahedrap2", CellKind::tet, 4, 10},
    {"hexahedra", CellKind::hex, 8, 8},       {"prisms", CellKind::prism, 6, 6},
    {"pentahedra", CellKind::prism, 6, 6},    {"wedges", CellKind::prism, 6, 6},
    {"pyramids", CellKind::pyramid, 5, 5},
};

std::string write_medit(const std::vector<Vec3d>& points, const char* keyword, std::size_t corners,
                        const Index* cells, std::size_t count) {
  std::string text =
      "MeshVersionFormatted 2\n\nDimension 3\n\nVertices\n" + std::to_string(points.size()) + "\n";
  for (const Vec3d& p : points) {
    for (int k = 0; k < 3; ++k) {
      append_number(text, p[k]);
      text += ' ';
    }
    text += "0\n";
  }
  text += std::string("\n") + keyword + "\n" + std::to_string(count) + "\n";
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t k = 0; k < corners; ++k) {
      append_number(text, static_cast<long>(cells[c * corners + k]) + 1);
      text += ' ';
    }
    text += "0\n";
  }
  return text + "\nEnd\n";
}

}  // namespace

bool is_medit(const MeshSource& source) {
  Cursor cursor(source.content, source.path, '#');
  return lower_case(cursor.peek()) == "meshversionformatted";
}

MeshFile read_medit(const MeshSource& source) {
  Cursor cursor(source.content, source.path, '#');
  CellSoup soup;
  long dimension = 0, tag = 0;
  bool have_vertices = false, ended = false;
  while (!cursor.at_end() && !ended) {
    const std::string_view word = cursor.word("keyword");
    const std::string keyword = lower_case(word);
    if (keyword == "meshversionformatted") {
      cursor.integer("format version");
      continue;
    }
    if (keyword == "dimension") {
      dimension = cursor.integer("dimension");
      if (dimension != 2 && dimension != 3) cursor.fail("dimension is neither 2 nor 3");
      continue;
    }
    if (keyword == "end") {
      ended = true;
      continue;
    }
    if (keyword == "vertices") {
      if (dimension == 0) cursor.fail("Vertices come before Dimension; add the line 'Dimension 3'");
      if (have_vertices) cursor.fail("a second block of vertices; merge the two");
      const std::size_t count = cursor.count("the number of vertices", 6);
      soup.nodes.resize(count);
      for (std::size_t i = 0; i < count; ++i) {
        for (int k = 0; k < dimension; ++k) soup.nodes[i][k] = cursor.number("coordinate of a vertex");
        cursor.number("reference of a vertex");
        soup.node_tag.push_back(static_cast<long>(i) + 1);
      }
      have_vertices = true;
      continue;
    }
    const MeditKind* kind = nullptr;
    for (const MeditKind& known : kKinds)
      if (keyword == known.keyword) kind = &known;
    if (!kind) {
      const char c = word.front();
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
        cursor.fail("expected a keyword but found '" + shown(word) +
                    "': the block before it is longer than its count");
      // Corners, ridges, normals, ...: skip numbers up to the next keyword.
      while (!cursor.at_end()) {
        const char next = cursor.peek().front();
        if ((next >= '0' && next <= '9') || next == '-' || next == '+' || next == '.')
          cursor.word("number");
        else
          break;
      }
      continue;
    }
    if (!have_vertices) cursor.fail("elements come before the vertices; export the file again");
    const std::size_t count = cursor.count("the number of elements", 2 * kind->nodes + 2);
    std::array<Index, 10> nodes;
    for (std::size_t c = 0; c < count; ++c) {
      if (kind->kind != CellKind::ignored) ++tag;
      for (std::size_t k = 0; k < kind->nodes; ++k) {
        const long number = cursor.integer("node number of an element");
        const bool exists = number >= 1 && static_cast<std::size_t>(number) <= soup.nodes.size();
        nodes[k] = exists ? static_cast<Index>(number - 1) : kNoNode;
        if (!exists && kind->kind != CellKind::ignored) soup.note_missing_node(tag, number);
      }
      cursor.number("reference of an element");
      soup.add(kind->kind, std::span(nodes.data(), kind->nodes), tag, kind->corners);
    }
  }
  if (!have_vertices) cursor.fail("no block of vertices: the file is truncated; export it again");
  if (soup.cell_count() == 0)
    cursor.fail("no elements: the file holds only points or is truncated; export it again");
  MeshFile file = soup.finish("medit", true);
  if (!ended) file.notes.push_back("the word End is missing: the file may be truncated");
  return file;
}

std::string write_medit_volume(const TetMesh& mesh) {
  return write_medit(mesh.nodes, "Tetrahedra", 4, mesh.tets.empty() ? nullptr : mesh.tets[0].data(),
                     mesh.tets.size());
}

std::string write_medit_surface(const SurfaceMesh& mesh) {
  return write_medit(mesh.points, "Triangles", 3, mesh.triangles.empty() ? nullptr : mesh.triangles[0].data(),
                     mesh.triangles.size());
}

}  // namespace sinew::mesh_io
