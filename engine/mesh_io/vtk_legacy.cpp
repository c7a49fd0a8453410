// Legacy VTK files, text and binary (big-endian): unstructured grids and polydata, old and 5.1 cell layout.
// Format: "VTK File Formats" of the VTK manual.
#include <algorithm>

#include "engine/mesh_io/format.hpp"
#include "engine/mesh_io/vtk_cells.hpp"

namespace sinew::mesh_io {

namespace {

class VtkReader {
 public:
  explicit VtkReader(const MeshSource& source) : cursor_(source.content, source.path) {
    cursor_.swap_bytes = std::endian::native == std::endian::little;  // legacy binary is big-endian
  }
  MeshFile read();

 private:
  std::size_t type_size(std::string_view type) const;
  double value(const std::string& type);
  std::vector<long> integers(const std::string& type, std::size_t count, const char* what);
  void start_data() {
    if (binary_) cursor_.line();
  }
  void read_points();
  void read_cells(const std::string& keyword);
  void skip_field();
  void skip_metadata();

  struct CellList {
    std::string keyword;
    std::vector<long> offsets, connectivity;  // offsets: {cells + 1}
  };

  Cursor cursor_;
  bool binary_ = false, have_points_ = false;
  CellSoup soup_;
  std::vector<CellList> lists_;
  std::vector<long> types_;
};

std::size_t VtkReader::type_size(std::string_view type) const {
  static constexpr struct {
    const char* name;
    std::size_t size;
  } kTypes[] = {{"char", 1},          {"unsigned_char", 1}, {"short", 2},        {"unsigned_short", 2},
                {"int", 4},           {"unsigned_int", 4},  {"float", 4},        {"double", 8},
                {"long", 8},          {"unsigned_long", 8}, {"vtktypeint64", 8}, {"vtkidtype", 4},
                {"vtktypeuint64", 8}, {"vtktypeint32", 4},  {"bit", 1}};
  const std::string lower = lower_case(type);
  for (const auto& known : kTypes)
    if (lower == known.name) return known.size;
  cursor_.fail("data type '" + shown(type) + "' is not known; export the file again");
}

double VtkReader::value(const std::string& type) {
  if (!binary_) return cursor_.number("coordinate of a point");
  if (type == "float") return cursor_.binary<float>("points");
  if (type == "double") return cursor_.binary<double>("points");
  cursor_.fail("points of type '" + shown(type) + "' are not read; export float or double");
}

std::vector<long> VtkReader::integers(const std::string& type, std::size_t count, const char* what) {
  const std::size_t size = type_size(type);
  cursor_.check_count(static_cast<double>(count), what, binary_ ? size : 2);
  std::vector<long> values(count);
  start_data();
  for (long& v : values) {
    if (!binary_)
      v = cursor_.integer(what);
    else if (size == 8)
      v = static_cast<long>(cursor_.binary<std::int64_t>(what));
    else if (size == 4)
      v = cursor_.binary<std::int32_t>(what);
    else
      cursor_.fail(std::string(what) + ": type '" + shown(type) +
                   "' is not read; export int or vtktypeint64");
  }
  return values;
}

void VtkReader::read_points() {
  if (have_points_) cursor_.fail("a second POINTS block; merge the two");
  const std::size_t count = cursor_.count("the number of points", 6);
  const std::string type = lower_case(cursor_.word("type of the points"));
  if (binary_) cursor_.check_count(static_cast<double>(count), "the number of points", 3 * type_size(type));
  start_data();
  soup_.nodes.resize(count);
  for (Vec3d& p : soup_.nodes)
    for (int k = 0; k < 3; ++k) p[k] = value(type);
  have_points_ = true;
}

void VtkReader::read_cells(const std::string& keyword) {
  CellList list{keyword, {}, {}};
  const std::size_t first = cursor_.count("the number of cells", 1);
  const std::size_t second = cursor_.count("the size of the cell list", 1);
  const std::size_t data = cursor_.position();
  if (cursor_.peek() == "OFFSETS") {
    cursor_.word("OFFSETS");
    list.offsets = integers(std::string(cursor_.word("type of the offsets")), first, "the offsets");
    if (cursor_.word("CONNECTIVITY") != "CONNECTIVITY")
      cursor_.fail("expected CONNECTIVITY; export the file again");
    list.connectivity =
        integers(std::string(cursor_.word("type of the connectivity")), second, "the connectivity");
  } else {
    cursor_.set_position(data);
    const std::vector<long> flat = integers("int", second, "the cell list");
    list.offsets.push_back(0);
    std::size_t at = 0;
    for (std::size_t c = 0; c < first; ++c) {
      if (at >= flat.size() || flat[at] < 0 || static_cast<std::size_t>(flat[at]) > flat.size() - at - 1)
        cursor_.fail("cell " + std::to_string(c) +
                     " reaches beyond the end of its list; export the file again");
      const long n = flat[at++];
      list.connectivity.insert(list.connectivity.end(), flat.begin() + static_cast<long>(at),
                               flat.begin() + static_cast<long>(at) + n);
      at += static_cast<std::size_t>(n);
      list.offsets.push_back(static_cast<long>(list.connectivity.size()));
    }
  }
  for (std::size_t c = 0; c < list.offsets.size(); ++c) {
    const long low = c == 0 ? 0 : list.offsets[c - 1];
    if (list.offsets[c] < low || static_cast<std::size_t>(list.offsets[c]) > list.connectivity.size())
      cursor_.fail("offset " + std::to_string(c) + " of the cells is out of order; export the file again");
  }
  lists_.push_back(std::move(list));
}

void VtkReader::skip_field() {
  cursor_.word("name of the field");
  const std::size_t arrays = cursor_.count("the number of arrays", 8);
  for (std::size_t a = 0; a < arrays; ++a) {
    cursor_.word("name of an array");
    const std::size_t components = cursor_.count("the number of components", 0);
    const std::size_t tuples = cursor_.count("the number of tuples", 0);
    const std::string type(cursor_.word("type of an array"));
    const double values = static_cast<double>(components) * static_cast<double>(tuples);
    const bool text = !binary_ || lower_case(type) == "string";
    cursor_.check_count(values, "the size of an array", text ? 1 : type_size(type));
    if (!text) {
      start_data();
      cursor_.bytes(components * tuples * type_size(type), "field");
    } else {
      for (double i = 0; i < values; ++i) cursor_.word("value of an array");
    }
  }
}

// METADATA reaches to the next empty line.
void VtkReader::skip_metadata() {
  cursor_.line();
  while (cursor_.remaining() > 0 && !cursor_.line().empty()) {
  }
}

MeshFile VtkReader::read() {
  cursor_.line();  // "# vtk DataFile Version x"
  cursor_.line();  // title
  const std::string mode = lower_case(cursor_.word("word ASCII or BINARY"));
  if (mode != "ascii" && mode != "binary")
    cursor_.fail("expected ASCII or BINARY but found '" + shown(mode) + "'");
  binary_ = mode == "binary";
  if (lower_case(cursor_.word("word DATASET")) != "dataset")
    cursor_.fail("expected DATASET; export the file again");
  const std::string dataset = lower_case(cursor_.word("kind of data set"));
  if (dataset != "unstructured_grid" && dataset != "polydata")
    cursor_.fail("data set '" + shown(dataset) + "' is not a mesh; export an unstructured grid or polydata");
  while (!cursor_.at_end()) {
    const std::string keyword = lower_case(cursor_.word("keyword"));
    if (keyword == "points") {
      read_points();
    } else if (keyword == "cells" || keyword == "vertices" || keyword == "lines" || keyword == "polygons" ||
               keyword == "triangle_strips") {
      read_cells(keyword);
    } else if (keyword == "cell_types") {
      const std::size_t count = cursor_.count("the number of cell types", binary_ ? 4 : 2);
      types_ = integers("int", count, "the cell types");
    } else if (keyword == "field") {
      skip_field();
    } else if (keyword == "metadata") {
      skip_metadata();
    } else if (keyword == "cell_data" || keyword == "point_data") {
      break;  // values, no geometry
    } else {
      cursor_.fail("unexpected '" + shown(keyword) +
                   "': the block before it is shorter or longer than announced");
    }
  }
  if (!have_points_) cursor_.fail("no POINTS block: the file holds no mesh or is truncated; export it again");
  if (lists_.empty()) cursor_.fail("no cells: the file holds only points or is truncated; export it again");
  long tag = 0;
  for (const CellList& list : lists_) {
    const std::size_t cells = list.offsets.empty() ? 0 : list.offsets.size() - 1;
    if (list.keyword == "cells" && types_.size() != cells)
      cursor_.fail(std::to_string(cells) + " cells but " + std::to_string(types_.size()) +
                   " cell types: the file is truncated or damaged; export it again");
    for (std::size_t c = 0; c < cells; ++c, ++tag) {
      const long type = list.keyword == "cells"             ? types_[c]
                        : list.keyword == "polygons"        ? 7
                        : list.keyword == "triangle_strips" ? 6
                                                            : 3;
      const std::size_t begin = static_cast<std::size_t>(list.offsets[c]);
      const std::size_t end = static_cast<std::size_t>(list.offsets[c + 1]);
      add_vtk_cell(soup_, cursor_, type, std::span(list.connectivity).subspan(begin, end - begin), tag);
    }
  }
  return soup_.finish("vtk", true);
}

}  // namespace

bool is_vtk_legacy(const MeshSource& source) {
  return source.content.rfind("# vtk DataFile", 0) == 0;
}

MeshFile read_vtk_legacy(const MeshSource& source) {
  return VtkReader(source).read();
}

}  // namespace sinew::mesh_io
