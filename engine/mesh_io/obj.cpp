// Wavefront .obj surfaces. Faces are parsed by tinyobjloader, one record at a time; positions by from_chars,
// so that they are exact and a bad number is reported with its line. The vertex numbering stays that of the
// file.
#include <algorithm>
#include <sstream>

#define TINYOBJLOADER_IMPLEMENTATION
#define TINYOBJLOADER_USE_DOUBLE
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#endif
#include <tiny_obj_loader.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <sinew/errors.hpp>

#include "engine/mesh_io/cells.hpp"
#include "engine/mesh_io/cursor.hpp"
#include "engine/mesh_io/format.hpp"

namespace sinew::mesh_io {

namespace {

struct FaceRecord {
  long line;             // 1-based
  std::size_t vertices;  // read before it: negative indices count back from there
};

std::string_view first_word(std::string_view line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_space(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_space(line[end])) ++end;
  return line.substr(begin, end - begin);
}

}  // namespace

bool is_obj(const MeshSource& source) {
  static constexpr std::string_view kWords[] = {"v", "vt", "vn", "vp", "f",      "o",
                                                "g", "s",  "l",  "p",  "mtllib", "usemtl"};
  Cursor cursor(source.content, source.path);
  while (cursor.remaining() > 0) {
    const std::string_view word = first_word(cursor.line());
    if (word.empty() || word.front() == '#') continue;
    return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
  }
  return false;
}

MeshFile read_obj(const MeshSource& source) {
  CellSoup soup;
  std::vector<FaceRecord> records;
  std::string faces;
  long line_number = 0;
  const auto fail = [&](long line, const std::string& what) {
    throw MeshError(source.path + ":" + std::to_string(line) + ": " + what);
  };
  Cursor lines(source.content, source.path);
  std::string joined;
  while (lines.remaining() > 0) {
    const long first_line = ++line_number;
    std::string_view line = lines.line();
    if (!line.empty() && line.back() == '\\') {  // a record that goes on in the next line
      joined.clear();
      while (!line.empty() && line.back() == '\\' && lines.remaining() > 0) {
        joined.append(line.substr(0, line.size() - 1)).append(" ");
        line = lines.line();
        ++line_number;
      }
      joined.append(line);
      line = joined;
    }
    const std::string_view word = first_word(line);
    const std::size_t after = static_cast<std::size_t>(word.data() - line.data()) + word.size();
    if (word == "v") {
      Cursor numbers(line, source.path);
      numbers.set_position(after);
      Vec3d p;
      try {
        for (int k = 0; k < 3; ++k) p[k] = numbers.number("coordinate of a vertex");
      } catch (const MeshError&) {
        fail(first_line, "expected three numbers after 'v' but found '" + shown(line.substr(after)) +
                             "'; mend the line or export the file again");
      }
      soup.nodes.push_back(p);
      soup.node_tag.push_back(static_cast<long>(soup.nodes.size()));
    } else if (word == "f") {
      std::string_view rest = line.substr(after);
      rest = rest.substr(0, std::min(rest.find('#'), rest.find('\0')));
      if (first_word(rest).empty()) fail(first_line, "a face without corners; remove the line");
      records.push_back({first_line, soup.nodes.size()});
      faces.append("f ").append(rest).append("\n");
    } else if (word.rfind("curv", 0) == 0 || word.rfind("surf", 0) == 0) {
      fail(first_line, "free-form curves and surfaces are not read; export polygons");
    }
  }
  if (soup.nodes.empty()) fail(line_number, "the file holds no vertex; export it again");
  if (records.empty())
    fail(line_number, "the file holds no face: it is truncated or only points; export it again");

  std::vector<std::vector<long>> corners;
  tinyobj::callback_t callback;
  callback.index_cb = [](void* out, tinyobj::index_t* indices, int count) {
    auto& list = *static_cast<std::vector<std::vector<long>>*>(out);
    list.emplace_back();
    for (int i = 0; i < count; ++i) list.back().push_back(indices[i].vertex_index);
  };
  std::istringstream stream(faces);
  std::string warning, error;
  if (!tinyobj::LoadObjWithCallback(stream, callback, &corners, nullptr, &warning, &error) ||
      corners.size() != records.size())
    fail(records.front().line, "the faces cannot be read" + (error.empty() ? "" : " (" + shown(error) + ")") +
                                   "; export the file again");
  std::vector<Index> nodes;
  for (std::size_t f = 0; f < corners.size(); ++f) {
    if (corners[f].size() < 3)
      fail(records[f].line, "a face with " + std::to_string(corners[f].size()) + " corners; remove the line");
    nodes.clear();
    for (const long number : corners[f]) {
      const long index = number < 0 ? static_cast<long>(records[f].vertices) + number : number - 1;
      const bool exists = index >= 0 && static_cast<std::size_t>(index) < soup.nodes.size();
      nodes.push_back(exists ? static_cast<Index>(index) : kNoNode);
      if (number == 0)
        fail(records[f].line,
             "face " + std::to_string(f + 1) +
                 " has a corner that is no vertex number (they count from 1); mend the line");
      if (!exists) soup.note_missing_node(static_cast<long>(f) + 1, number);
    }
    soup.add(CellKind::polygon, nodes, static_cast<long>(f) + 1);
  }
  return soup.finish("obj", true);
}

std::string write_obj_surface(const SurfaceMesh& mesh) {
  std::string text;
  for (const Vec3d& p : mesh.points) {
    text += 'v';
    for (int k = 0; k < 3; ++k) {
      text += ' ';
      append_number(text, p[k]);
    }
    text += '\n';
  }
  for (const Triangle& t : mesh.triangles) {
    text += 'f';
    for (const Index node : t) {
      text += ' ';
      append_number(text, static_cast<long>(node) + 1);
    }
    text += '\n';
  }
  return text;
}

}  // namespace sinew::mesh_io
