// Gmsh .msh: versions 1, 2 (ASCII and binary), 4.0 (ASCII) and 4.1 (ASCII and binary, either byte order).
// Format: Gmsh reference manual, "MSH file format" and "Legacy formats".
#include <algorithm>
#include <array>

#include "engine/mesh_io/cells.hpp"
#include "engine/mesh_io/cursor.hpp"
#include "engine/mesh_io/format.hpp"

namespace sinew::mesh_io {

namespace {

struct GmshType {
  CellKind kind;
  std::size_t corners, nodes;
};

// Corners come first in every Gmsh element; nodes is 0 for an unknown type.
GmshType gmsh_type(long type) {
  static constexpr struct {
    int type;
    CellKind kind;
    std::size_t corners, nodes;
  } kTypes[] = {
      {15, CellKind::ignored, 1, 1},   {1, CellKind::ignored, 2, 2},   {8, CellKind::ignored, 2, 3},
      {26, CellKind::ignored, 2, 4},   {27, CellKind::ignored, 2, 5},  {28, CellKind::ignored, 2, 6},
      {2, CellKind::polygon, 3, 3},    {9, CellKind::polygon, 3, 6},   {20, CellKind::polygon, 3, 9},
      {21, CellKind::polygon, 3, 10},  {22, CellKind::polygon, 3, 12}, {23, CellKind::polygon, 3, 15},
      {24, CellKind::polygon, 3, 15},  {25, CellKind::polygon, 3, 21}, {3, CellKind::polygon, 4, 4},
      {10, CellKind::polygon, 4, 9},   {16, CellKind::polygon, 4, 8},  {36, CellKind::polygon, 4, 16},
      {37, CellKind::polygon, 4, 25},  {4, CellKind::tet, 4, 4},       {11, CellKind::tet, 4, 10},
      {29, CellKind::tet, 4, 20},      {30, CellKind::tet, 4, 35},     {31, CellKind::tet, 4, 56},
      {5, CellKind::hex, 8, 8},        {12, CellKind::hex, 8, 27},     {17, CellKind::hex, 8, 20},
      {92, CellKind::hex, 8, 64},      {93, CellKind::hex, 8, 125},    {6, CellKind::prism, 6, 6},
      {13, CellKind::prism, 6, 18},    {18, CellKind::prism, 6, 15},   {90, CellKind::prism, 6, 40},
      {7, CellKind::pyramid, 5, 5},    {14, CellKind::pyramid, 5, 14}, {19, CellKind::pyramid, 5, 13},
      {118, CellKind::pyramid, 5, 30},
  };
  for (const auto& known : kTypes)
    if (known.type == type) return {known.kind, known.corners, known.nodes};
  return {CellKind::ignored, 0, 0};
}

class GmshReader {
 public:
  explicit GmshReader(const MeshSource& source) : cursor_(source.content, source.path) {}
  MeshFile read();

 private:
  void read_header();
  void read_nodes();
  void read_nodes_4();
  void read_elements();
  void read_elements_2_binary();
  void read_elements_4();
  void skip_section(std::string_view name);
  void end_section(std::string_view name);

  bool v4() const { return version_ >= 4.0; }
  bool v41() const { return version_ >= 4.05; }
  // Values that stand as text or binary, by the file's mode.
  long read_int(const char* what) {
    return binary_ ? cursor_.binary<std::int32_t>(what) : cursor_.integer(what);
  }
  long read_size(const char* what);
  double read_double(const char* what) {
    return binary_ ? cursor_.binary<double>(what) : cursor_.number(what);
  }
  std::size_t read_count(const char* what, std::size_t text_bytes, std::size_t binary_bytes);
  GmshType checked_type(long type);
  void add_element(const GmshType& type, long tag);
  void add_node(long tag, const Vec3d& position);
  void finish_nodes();

  Cursor cursor_;
  CellSoup soup_;
  NumberMap numbers_;
  std::array<Index, 128> element_{};
  double version_ = 1.0;
  bool binary_ = false;
  std::size_t size_bytes_ = 8;
  bool have_nodes_ = false, have_elements_ = false;
};

long GmshReader::read_size(const char* what) {
  if (!binary_) return cursor_.integer(what);
  if (size_bytes_ == 4) return static_cast<long>(cursor_.binary<std::uint32_t>(what));
  return static_cast<long>(cursor_.binary<std::uint64_t>(what));
}

std::size_t GmshReader::read_count(const char* what, std::size_t text_bytes, std::size_t binary_bytes) {
  const long count = read_size(what);
  cursor_.check_count(static_cast<double>(count), what, binary_ ? binary_bytes : text_bytes);
  return static_cast<std::size_t>(count);
}

GmshType GmshReader::checked_type(long type) {
  const GmshType known = gmsh_type(type);
  if (known.nodes == 0)
    cursor_.fail("element type " + std::to_string(type) +
                 " is not known; export linear or quadratic elements");
  return known;
}

void GmshReader::add_element(const GmshType& type, long tag) {
  for (std::size_t k = 0; k < type.nodes; ++k) {
    const long number = version_ < 4.0 && binary_ ? cursor_.binary<std::int32_t>("element")
                                                  : read_size("node number of an element");
    element_[k] = numbers_.find(number);
    if (element_[k] == kNoNode && type.kind != CellKind::ignored) soup_.note_missing_node(tag, number);
  }
  soup_.add(type.kind, std::span(element_.data(), type.nodes), tag, type.corners);
}

void GmshReader::add_node(long tag, const Vec3d& position) {
  soup_.node_tag.push_back(tag);
  soup_.nodes.push_back(position);
}

void GmshReader::finish_nodes() {
  const long repeated = numbers_.build(soup_.node_tag);
  if (repeated >= 0)
    cursor_.fail("node number " + std::to_string(soup_.node_tag[static_cast<std::size_t>(repeated)]) +
                 " is defined twice; give each node its own number");
  have_nodes_ = true;
}

void GmshReader::read_header() {
  version_ = cursor_.number("format version");
  const long type = cursor_.integer("file type (0 or 1)");
  const long size = cursor_.integer("data size");
  binary_ = type == 1;
  if (version_ < 2.0 || version_ >= 5.0)
    cursor_.fail("Gmsh format " + std::to_string(version_).substr(0, 3) +
                 " is not known; save as 4.1 or 2.2");
  if (type != 0 && type != 1)
    cursor_.fail("file type " + std::to_string(type) + " is neither 0 (text) nor 1 (binary)");
  if (size != 4 && size != 8) cursor_.fail("data size " + std::to_string(size) + " is neither 4 nor 8");
  if (binary_ && v4() && !v41()) cursor_.fail("binary files of Gmsh format 4.0 are not read; save as 4.1");
  if (binary_ && !v4() && size != 8) cursor_.fail("single precision binary files are not read; save as 4.1");
  size_bytes_ = static_cast<std::size_t>(size);
  if (binary_) {
    cursor_.line();
    const auto one = cursor_.binary<std::int32_t>("header");
    if (one != 1 && reversed_bytes(one) != 1)
      cursor_.fail_at_byte("the number 1 that tells the byte order is missing; save the file again");
    cursor_.swap_bytes = one != 1;
  }
  end_section("$EndMeshFormat");
}

void GmshReader::read_nodes() {
  if (v4()) return read_nodes_4();
  const std::size_t count = cursor_.count("the number of nodes", binary_ ? 28 : 8);
  if (binary_) cursor_.line();
  soup_.nodes.reserve(count);
  soup_.node_tag.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const long tag = read_int("node number");
    Vec3d p;
    for (int k = 0; k < 3; ++k) p[k] = read_double("coordinate of a node");
    add_node(tag, p);
  }
  finish_nodes();
}

void GmshReader::read_nodes_4() {
  if (binary_) cursor_.line();
  const std::size_t blocks = read_count("the number of node blocks", 8, 20);
  const std::size_t total = read_count("the number of nodes", 7, 24 + size_bytes_);
  if (v41())
    for (int k = 0; k < 2; ++k) read_size("range of node numbers");
  soup_.nodes.reserve(total);
  soup_.node_tag.reserve(total);
  for (std::size_t b = 0; b < blocks; ++b) {
    int dimension = static_cast<int>(read_int("dimension of a node block"));
    const long entity = read_int("entity of a node block");
    if (!v41()) dimension = static_cast<int>(entity);  // 4.0: tag first, dimension second
    const bool parametric = read_int("parametric flag of a node block") != 0;
    const std::size_t count = read_count("the number of nodes of a block", 7, 24 + size_bytes_);
    if (parametric && (dimension < 0 || dimension > 3))
      cursor_.fail("dimension of a node block is not 0 to 3");
    const int parameters = parametric ? dimension : 0;
    std::vector<long> tags(v41() ? count : 0);
    for (long& tag : tags) tag = read_size("node number");
    for (std::size_t i = 0; i < count; ++i) {
      const long tag = v41() ? tags[i] : cursor_.integer("node number");
      Vec3d p;
      for (int k = 0; k < 3; ++k) p[k] = read_double("coordinate of a node");
      for (int k = 0; k < parameters; ++k) read_double("parameter of a node");
      add_node(tag, p);
    }
  }
  if (soup_.nodes.size() != total)
    cursor_.fail("$Nodes announces " + std::to_string(total) + " nodes, but its blocks hold " +
                 std::to_string(soup_.nodes.size()) + "; export the file again");
  finish_nodes();
}

void GmshReader::read_elements() {
  if (v4()) return read_elements_4();
  if (binary_) return read_elements_2_binary();
  const std::size_t count = cursor_.count("the number of elements", 6);
  for (std::size_t i = 0; i < count; ++i) {
    const long tag = cursor_.integer("element number");
    const GmshType type = checked_type(cursor_.integer("element type"));
    if (version_ < 2.0) {
      cursor_.integer("physical region");
      cursor_.integer("elementary region");
      if (cursor_.integer("number of nodes") != static_cast<long>(type.nodes))
        cursor_.fail("element " + std::to_string(tag) + " has another number of nodes than its type");
    } else {
      const std::size_t tags = cursor_.count("the number of element tags", 2);
      for (std::size_t k = 0; k < tags; ++k) cursor_.integer("element tag");
    }
    add_element(type, tag);
  }
}

void GmshReader::read_elements_2_binary() {
  const std::size_t count = cursor_.count("the number of elements", 8);
  cursor_.line();
  for (std::size_t read = 0; read < count;) {
    const GmshType type = checked_type(read_int("element block"));
    const long in_block = read_int("element block");
    const long tags = read_int("element block");
    if (in_block < 1 || static_cast<std::size_t>(in_block) > count - read || tags < 0)
      cursor_.fail_at_byte("the header of an element block is damaged; export the file again");
    cursor_.check_count(static_cast<double>(tags), "the number of element tags", 4);
    for (long i = 0; i < in_block; ++i, ++read) {
      const long tag = read_int("element");
      for (long k = 0; k < tags; ++k) read_int("element");
      add_element(type, tag);
    }
  }
}

void GmshReader::read_elements_4() {
  if (binary_) cursor_.line();
  const std::size_t blocks = read_count("the number of element blocks", 8, 20);
  const std::size_t total = read_count("the number of elements", 4, 2 * size_bytes_);
  if (v41())
    for (int k = 0; k < 2; ++k) read_size("range of element numbers");
  std::size_t read = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    for (int k = 0; k < 2; ++k) read_int("entity of an element block");
    const GmshType type = checked_type(read_int("element type of a block"));
    const std::size_t count =
        read_count("the number of elements of a block", 2 + 2 * type.nodes, (1 + type.nodes) * size_bytes_);
    for (std::size_t i = 0; i < count; ++i) add_element(type, read_size("element number"));
    read += count;
  }
  if (read != total)
    cursor_.fail("$Elements announces " + std::to_string(total) + " elements, but its blocks hold " +
                 std::to_string(read) + "; export the file again");
}

void GmshReader::skip_section(std::string_view name) {
  const std::string end = "\n$End" + std::string(name.substr(1));
  const std::size_t found = cursor_.text().find(end, cursor_.position());
  if (found == std::string_view::npos)
    cursor_.fail("section " + shown(name) + " has no " + shown(end.substr(1)) + ": the file is truncated");
  cursor_.set_position(found + end.size());
}

void GmshReader::end_section(std::string_view name) {
  const std::string_view word = cursor_.word("end of a section");
  if (word != name)
    cursor_.fail("expected " + std::string(name) + " but found '" + shown(word) +
                 "': the section's count and its content differ; export the file again");
}

MeshFile GmshReader::read() {
  while (!cursor_.at_end()) {
    const std::string_view section = cursor_.word("section");
    if (section.front() != '$')
      cursor_.fail("expected a section such as $Nodes but found '" + shown(section) + "'");
    if (section == "$MeshFormat") {
      read_header();
    } else if (section == "$Nodes" || section == "$NOD") {
      if (have_nodes_) cursor_.fail("a second section of nodes; merge the two");
      read_nodes();
      end_section(section == "$NOD" ? "$ENDNOD" : "$EndNodes");
    } else if (section == "$Elements" || section == "$ELM") {
      if (!have_nodes_) cursor_.fail("elements come before the nodes; export the file again");
      read_elements();
      have_elements_ = true;
      end_section(section == "$ELM" ? "$ENDELM" : "$EndElements");
    } else {
      skip_section(section);
    }
  }
  if (!have_nodes_)
    cursor_.fail("no section $Nodes: the file holds no mesh or is truncated; export it again");
  if (!have_elements_)
    cursor_.fail("no section $Elements: the file holds no mesh or is truncated; export it again");
  return soup_.finish("gmsh", true);
}

}  // namespace

bool is_gmsh(const MeshSource& source) {
  Cursor cursor(source.content, source.path);
  const std::string_view first = cursor.peek();
  return first.size() > 2 && first.front() == '$' &&
         (first == "$NOD" || source.content.find("$MeshFormat") != std::string::npos);
}

MeshFile read_gmsh(const MeshSource& source) {
  return GmshReader(source).read();
}

static std::string write_gmsh_content(const std::vector<Vec3d>& nodes, int dimension, int type,
                                      std::size_t corners, const Index* cells, std::size_t count) {
  std::string text = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n";
  const auto line = [&](std::initializer_list<long> values) {
    for (const long value : values) {
      append_number(text, value);
      text += ' ';
    }
    text.back() = '\n';
  };
  const long n = static_cast<long>(nodes.size());
  line({n > 0 ? 1 : 0, n, n > 0 ? 1 : 0, n});
  if (n > 0) line({dimension, 1, 0, n});
  for (long i = 1; i <= n; ++i) line({i});
  for (const Vec3d& p : nodes) {
    for (int k = 0; k < 3; ++k) {
      append_number(text, p[k]);
      text += k < 2 ? ' ' : '\n';
    }
  }
  text += "$EndNodes\n$Elements\n";
  const long m = static_cast<long>(count);
  line({m > 0 ? 1 : 0, m, m > 0 ? 1 : 0, m});
  if (m > 0) line({dimension, 1, type, m});
  for (long c = 0; c < m; ++c) {
    append_number(text, c + 1);
    for (std::size_t k = 0; k < corners; ++k) {
      text += ' ';
      append_number(text, static_cast<long>(cells[static_cast<std::size_t>(c) * corners + k]) + 1);
    }
    text += '\n';
  }
  return text + "$EndElements\n";
}

std::string write_gmsh_volume(const TetMesh& mesh) {
  return write_gmsh_content(mesh.nodes, 3, 4, 4, mesh.tets.empty() ? nullptr : mesh.tets[0].data(),
                            mesh.tets.size());
}

std::string write_gmsh_surface(const SurfaceMesh& mesh) {
  return write_gmsh_content(mesh.points, 2, 2, 3, mesh.triangles.empty() ? nullptr : mesh.triangles[0].data(),
                            mesh.triangles.size());
}

}  // namespace sinew::mesh_io
