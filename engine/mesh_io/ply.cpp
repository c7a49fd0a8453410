// PLY surfaces: text and binary, either byte order. Format: G. Turk, "The PLY Polygon File Format", 1994.
#include <algorithm>
#include <limits>

#include "engine/mesh_io/cells.hpp"
#include "engine/mesh_io/cursor.hpp"
#include "engine/mesh_io/format.hpp"

namespace sinew::mesh_io {

namespace {

enum class PlyType { i8, u8, i16, u16, i32, u32, f32, f64 };

struct Property {
  std::string name;
  PlyType type = PlyType::f32;
  bool list = false;
  PlyType count_type = PlyType::u8;
};

struct Element {
  std::string name;
  long count = 0;
  std::vector<Property> properties;
};

std::size_t size_of(PlyType type) {
  static constexpr std::size_t kSize[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSize[static_cast<int>(type)];
}

class PlyReader {
 public:
  explicit PlyReader(const MeshSource& source) : cursor_(source.content, source.path) {}
  MeshFile read();

 private:
  void read_header();
  PlyType type_named(std::string_view name) const;
  double value(PlyType type);
  void read_element(const Element& element);

  Cursor cursor_;
  bool binary_ = false;
  std::vector<Element> elements_;
  CellSoup soup_;
  std::vector<std::vector<long>> faces_;
};

PlyType PlyReader::type_named(std::string_view name) const {
  static constexpr std::string_view kNames[][2] = {
      {"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
      {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};
  for (int i = 0; i < 8; ++i)
    if (name == kNames[i][0] || name == kNames[i][1]) return static_cast<PlyType>(i);
  cursor_.fail("property type '" + shown(name) + "' is not known; export the file again");
}

double PlyReader::value(PlyType type) {
  if (!binary_) return cursor_.number("value of a property");
  switch (type) {
    case PlyType::i8:
      return cursor_.binary<std::int8_t>("data");
    case PlyType::u8:
      return cursor_.binary<std::uint8_t>("data");
    case PlyType::i16:
      return cursor_.binary<std::int16_t>("data");
    case PlyType::u16:
      return cursor_.binary<std::uint16_t>("data");
    case PlyType::i32:
      return cursor_.binary<std::int32_t>("data");
    case PlyType::u32:
      return cursor_.binary<std::uint32_t>("data");
    case PlyType::f32:
      return cursor_.binary<float>("data");
    default:
      return cursor_.binary<double>("data");
  }
}

void PlyReader::read_header() {
  cursor_.line();  // "ply"
  bool have_format = false;
  while (true) {
    const std::string_view keyword = cursor_.word("header line");
    if (keyword == "comment" || keyword == "obj_info") {
      cursor_.line();
    } else if (keyword == "format") {
      const std::string_view format = cursor_.word("format");
      binary_ = format != "ascii";
      if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian")
        cursor_.fail("format '" + shown(format) + "' is not known; use ascii or binary_little_endian");
      cursor_.swap_bytes =
          binary_ && (format == "binary_big_endian") != (std::endian::native == std::endian::big);
      cursor_.line();
      have_format = true;
    } else if (keyword == "element") {
      Element element;
      element.name = std::string(cursor_.word("name of the element"));
      element.count = static_cast<long>(cursor_.count("the number of elements", 0));
      elements_.push_back(std::move(element));
    } else if (keyword == "property") {
      if (elements_.empty()) cursor_.fail("a property before the first element; export the file again");
      Property property;
      std::string_view type = cursor_.word("type of the property");
      if (type == "list") {
        property.list = true;
        property.count_type = type_named(cursor_.word("type of the list's length"));
        type = cursor_.word("type of the list");
      }
      property.type = type_named(type);
      property.name = std::string(cursor_.word("name of the property"));
      elements_.back().properties.push_back(std::move(property));
    } else if (keyword == "end_header") {
      cursor_.line();
      break;
    } else {
      cursor_.fail("header line '" + shown(keyword) + "' is not known; export the file again");
    }
  }
  if (!have_format) cursor_.fail("the header has no line 'format'; export the file again");
}

void PlyReader::read_element(const Element& element) {
  if (element.properties.empty()) return;
  std::size_t least = 0;
  for (const Property& p : element.properties) least += binary_ ? size_of(p.list ? p.count_type : p.type) : 2;
  cursor_.check_count(static_cast<double>(element.count), ("the number of '" + element.name + "'").c_str(),
                      least);
  const bool vertices = element.name == "vertex", faces = element.name == "face";
  int axis[3] = {-1, -1, -1}, corners = -1;
  for (std::size_t i = 0; i < element.properties.size(); ++i) {
    const Property& p = element.properties[i];
    for (int k = 0; k < 3; ++k)
      if (!p.list && p.name == std::string(1, static_cast<char>('x' + k))) axis[k] = static_cast<int>(i);
    if (p.list && (p.name == "vertex_indices" || p.name == "vertex_index")) corners = static_cast<int>(i);
  }
  if (vertices && (axis[0] < 0 || axis[1] < 0 || axis[2] < 0))
    cursor_.fail("vertices need the properties x, y and z; export the file again");
  if (faces && corners < 0) cursor_.fail("faces need the property vertex_indices; export the file again");
  for (long e = 0; e < element.count; ++e) {
    Vec3d point;
    std::vector<long> face;
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const Property& p = element.properties[i];
      if (!p.list) {
        const double v = value(p.type);
        for (int k = 0; k < 3; ++k)
          if (axis[k] == static_cast<int>(i)) point[k] = v;
        continue;
      }
      const double length = value(p.count_type);
      if (!(length >= 0)) cursor_.fail("a list of negative length; export the file again");
      cursor_.check_count(length, "the length of a list", binary_ ? size_of(p.type) : 2);
      for (double k = 0; k < length; ++k) {
        const double v = value(p.type);
        if (static_cast<int>(i) == corners)
          face.push_back(v >= -1e15 && v <= 1e15 ? static_cast<long>(v) : -1);
      }
    }
    if (vertices) soup_.nodes.push_back(point);
    if (faces) faces_.push_back(std::move(face));
  }
}

MeshFile PlyReader::read() {
  read_header();
  for (const Element& element : elements_) read_element(element);
  if (soup_.nodes.empty()) cursor_.fail("the file holds no vertex; export it again");
  if (faces_.empty()) cursor_.fail("the file holds no face, only points; export a triangle mesh");
  std::vector<Index> nodes;
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    const long tag = static_cast<long>(f);
    if (faces_[f].size() < 3)
      cursor_.fail("face " + std::to_string(f) + " has " + std::to_string(faces_[f].size()) +
                   " corners; remove it");
    nodes.clear();
    for (const long number : faces_[f]) {
      const bool exists = number >= 0 && static_cast<std::size_t>(number) < soup_.nodes.size();
      nodes.push_back(exists ? static_cast<Index>(number) : kNoNode);
      if (!exists) soup_.note_missing_node(tag, number);
    }
    soup_.add(CellKind::polygon, nodes, tag);
  }
  return soup_.finish("ply", true);
}

}  // namespace

bool is_ply(const MeshSource& source) {
  return source.content.rfind("ply", 0) == 0 && source.content.size() > 3 && is_space(source.content[3]);
}

MeshFile read_ply(const MeshSource& source) {
  return PlyReader(source).read();
}

std::string write_ply_surface(const SurfaceMesh& mesh) {
  std::string out =
      "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(mesh.points.size()) +
      "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
      std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
  const auto put = [&](auto value) {
    if constexpr (std::endian::native == std::endian::big) value = reversed_bytes(value);
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const Vec3d& p : mesh.points)
    for (int k = 0; k < 3; ++k) put(p[k]);
  for (const Triangle& t : mesh.triangles) {
    out += '\3';
    for (const Index node : t) put(node);
  }
  return out;
}

}  // namespace sinew::mesh_io
