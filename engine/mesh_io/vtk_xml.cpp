// XML VTK files: unstructured grids (.vtu) and polydata (.vtp), read and written. A file written here also
// keeps the share of each cell that is filled (cell array InsideFraction) and the embedded surface (field
// arrays SinewSurface...).
#include <algorithm>
#include <bit>
#include <limits>

#include "engine/mesh_io/format.hpp"
#include "engine/mesh_io/vtk_cells.hpp"
#include "engine/mesh_io/vtk_xml_arrays.hpp"

namespace sinew::mesh_io {

namespace {

pugi::xml_node named_array(const pugi::xml_node& parent, const char* name) {
  return parent.find_child_by_attribute("DataArray", "Name", name);
}

class VtuReader {
 public:
  explicit VtuReader(const MeshSource& source) : xml_(source), cursor_(source.content, source.path) {}
  MeshFile read();

 private:
  void read_points(const pugi::xml_node& piece);
  void read_cells(const pugi::xml_node& piece, const char* group, long fixed_type);
  void restore_surface(const pugi::xml_node& field, MeshFile& file);
  long announced(const pugi::xml_node& piece, const char* name) const;

  VtkXmlFile xml_;
  Cursor cursor_;  // only for the messages of add_vtk_cell
  CellSoup soup_;
  std::vector<double> fraction_;  // of the cells, NaN where none is given
  std::size_t cells_ = 0;
  long base_ = 0;  // first point of the current piece
};

long VtuReader::announced(const pugi::xml_node& piece, const char* name) const {
  const pugi::xml_attribute count = piece.attribute(name);
  if (!count) xml_.fail(piece, std::string("attribute ") + name + " is missing; export the file again");
  return static_cast<long>(count.as_llong(-1));
}

void VtuReader::read_points(const pugi::xml_node& piece) {
  const long count = announced(piece, "NumberOfPoints");
  base_ = static_cast<long>(soup_.nodes.size());
  const pugi::xml_node array = piece.child("Points").child("DataArray");
  if (!array) {
    if (count == 0) return;
    xml_.fail(piece, "the piece has no Points array: the file is truncated; export it again");
  }
  if (array.attribute("NumberOfComponents").as_int(3) != 3) xml_.fail(array, "points need 3 components each");
  const std::vector<double> values = xml_.doubles(array);
  if (count < 0 || values.size() != 3 * static_cast<std::size_t>(count))
    xml_.fail(array, "NumberOfPoints is " + std::to_string(count) + " but the array holds " +
                         std::to_string(values.size()) +
                         " numbers instead of three each; export the file again");
  for (std::size_t i = 0; i + 2 < values.size(); i += 3)
    soup_.nodes.push_back({values[i], values[i + 1], values[i + 2]});
}

void VtuReader::read_cells(const pugi::xml_node& piece, const char* group, long fixed_type) {
  const pugi::xml_node cells = piece.child(group);
  const pugi::xml_node connectivity_array = named_array(cells, "connectivity");
  const pugi::xml_node offset_array = named_array(cells, "offsets");
  if (!connectivity_array || !offset_array) {
    if (fixed_type >= 0 || announced(piece, "NumberOfCells") == 0) return;
    xml_.fail(piece,
              std::string(group) + " lacks connectivity or offsets: the file is truncated; export it again");
  }
  const std::vector<long> connectivity = xml_.integers(connectivity_array);
  const std::vector<long> offsets = xml_.integers(offset_array);
  std::vector<long> types(offsets.size(), fixed_type);
  if (fixed_type < 0) {
    const pugi::xml_node type_array = named_array(cells, "types");
    if (!type_array) xml_.fail(cells, "Cells has no array 'types'; export the file again");
    types = xml_.integers(type_array);
    const long count = announced(piece, "NumberOfCells");
    if (count < 0 || offsets.size() != static_cast<std::size_t>(count) || types.size() != offsets.size())
      xml_.fail(cells, "NumberOfCells is " + std::to_string(count) + " but there are " +
                           std::to_string(offsets.size()) + " offsets and " + std::to_string(types.size()) +
                           " types; export the file again");
  }
  std::vector<double> fraction;
  if (const pugi::xml_node array = named_array(piece.child("CellData"), "InsideFraction"))
    fraction = xml_.doubles(array);
  std::size_t begin = 0;
  std::vector<long> nodes;
  for (std::size_t c = 0; c < offsets.size(); ++c) {
    if (offsets[c] < static_cast<long>(begin) || static_cast<std::size_t>(offsets[c]) > connectivity.size())
      xml_.fail(offset_array,
                "offset " + std::to_string(c) + " of the cells is out of order; export the file again");
    const std::size_t end = static_cast<std::size_t>(offsets[c]);
    nodes.assign(connectivity.begin() + static_cast<long>(begin),
                 connectivity.begin() + static_cast<long>(end));
    // Out of the piece is out of range, even where another piece would have such a point.
    for (long& node : nodes)
      node = node >= 0 && node < static_cast<long>(soup_.nodes.size()) - base_ ? node + base_
             : node < 0                                                        ? node
                        : std::numeric_limits<long>::max();
    const std::size_t before = soup_.cell_count();
    add_vtk_cell(soup_, cursor_, types[c], nodes, static_cast<long>(cells_++));
    for (std::size_t k = before; k < soup_.cell_count(); ++k)
      fraction_.push_back(c < fraction.size() ? fraction[c] : std::numeric_limits<double>::quiet_NaN());
    begin = end;
  }
}

void VtuReader::restore_surface(const pugi::xml_node& field, MeshFile& file) {
  const pugi::xml_node triangles = named_array(field, "SinewSurfaceTriangles");
  const pugi::xml_node tets = named_array(field, "SinewSurfaceTet");
  const pugi::xml_node weights = named_array(field, "SinewSurfaceWeights");
  if (!triangles || !tets || !weights) return;
  const std::vector<long> corner = xml_.integers(triangles), tet = xml_.integers(tets);
  const std::vector<double> weight = xml_.doubles(weights);
  const auto inside = [](const std::vector<long>& values, std::size_t size) {
    return std::all_of(values.begin(), values.end(),
                       [&](long v) { return v >= 0 && static_cast<std::size_t>(v) < size; });
  };
  if (corner.size() % 3 != 0 || weight.size() != 4 * tet.size() || !inside(tet, file.mesh.tets.size()) ||
      !inside(corner, tet.size()))
    xml_.fail(field,
              "the embedded surface does not fit the mesh; remove the SinewSurface arrays or export again");
  EmbeddedSurface& surface = file.mesh.surface;
  for (std::size_t i = 0; i < corner.size(); i += 3)
    surface.triangles.push_back({static_cast<Index>(corner[i]), static_cast<Index>(corner[i + 1]),
                                 static_cast<Index>(corner[i + 2])});
  for (std::size_t p = 0; p < tet.size(); ++p) {
    surface.tet.push_back(static_cast<Index>(tet[p]));
    surface.weights.push_back({weight[4 * p], weight[4 * p + 1], weight[4 * p + 2], weight[4 * p + 3]});
  }
}

MeshFile VtuReader::read() {
  const pugi::xml_node root = xml_.root();
  pugi::xml_node grid = root.child("UnstructuredGrid");
  const bool polydata = !grid && root.child("PolyData");
  if (polydata) grid = root.child("PolyData");
  if (!grid)
    xml_.fail(root, "holds '" + shown(root.attribute("type").as_string("nothing")) +
                        "', not a mesh; save an UnstructuredGrid or PolyData in one file");
  for (const pugi::xml_node& piece : grid.children("Piece")) {
    read_points(piece);
    if (polydata) {
      read_cells(piece, "Polys", 7);
      read_cells(piece, "Strips", 6);
    } else {
      read_cells(piece, "Cells", -1);
    }
  }
  if (soup_.nodes.empty())
    xml_.fail(grid, "the file holds no points: it is empty or truncated; export it again");
  std::vector<std::size_t> tet_cell;
  MeshFile file = soup_.finish("vtu", true, &tet_cell);
  std::vector<double> tet_fraction;
  for (const std::size_t cell : tet_cell) tet_fraction.push_back(fraction_[cell]);
  if (!tet_fraction.empty() &&
      std::none_of(tet_fraction.begin(), tet_fraction.end(), [](double f) { return std::isnan(f); }))
    file.mesh.inside_fraction = std::move(tet_fraction);
  for (const pugi::xml_node& field : {grid.child("FieldData"), root.child("FieldData")}) {
    if (field && file.mesh.surface.empty()) restore_surface(field, file);
  }
  return file;
}

// Writer: XML head with offsets, then raw little-endian blocks, each behind its size in bytes (UInt64).
class VtuWriter {
 public:
  template <class T>
  std::string array(const char* type, const char* name, int components, const std::vector<T>& values,
                    bool field = false) {
    std::string tag = std::string("<DataArray type=\"") + type + "\"";
    if (name) tag += std::string(" Name=\"") + name + "\"";
    if (components > 1) tag += " NumberOfComponents=\"" + std::to_string(components) + "\"";
    if (field)
      tag +=
          " NumberOfTuples=\"" + std::to_string(values.size() / static_cast<std::size_t>(components)) + "\"";
    tag += " format=\"appended\" offset=\"" + std::to_string(data_.size()) + "\"/>\n";
    append(static_cast<std::uint64_t>(values.size() * sizeof(T)));
    for (const T& value : values) append(value);
    return tag;
  }
  std::string finish(const std::string& body) const {
    return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
           "byte_order=\"LittleEndian\" "
           "header_type=\"UInt64\">\n" +
           body + "<AppendedData encoding=\"raw\">\n_" + data_ + "\n</AppendedData>\n</VTKFile>\n";
  }

 private:
  template <class T>
  void append(T value) {
    if constexpr (std::endian::native == std::endian::big) value = reversed_bytes(value);
    data_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  std::string data_;
};

template <class Cell>
std::string write_vtu(const std::vector<Vec3d>& points, const std::vector<Cell>& cells, std::uint8_t type,
                      const TetMesh* mesh) {
  VtuWriter writer;
  std::string body = "<UnstructuredGrid>\n";
  if (mesh && !mesh->surface.empty()) {
    std::vector<std::int32_t> corners;
    for (const Triangle& t : mesh->surface.triangles) corners.insert(corners.end(), t.begin(), t.end());
    std::vector<double> weights;
    for (const auto& w : mesh->surface.weights) weights.insert(weights.end(), w.begin(), w.end());
    body += "<FieldData>\n" + writer.array("Int32", "SinewSurfaceTriangles", 3, corners, true) +
            writer.array("Int32", "SinewSurfaceTet", 1, mesh->surface.tet, true) +
            writer.array("Float64", "SinewSurfaceWeights", 4, weights, true) + "</FieldData>\n";
  }
  body += "<Piece NumberOfPoints=\"" + std::to_string(points.size()) + "\" NumberOfCells=\"" +
          std::to_string(cells.size()) + "\">\n";
  if (mesh && !mesh->inside_fraction.empty())
    body += "<CellData>\n" + writer.array("Float64", "InsideFraction", 1, mesh->inside_fraction) +
            "</CellData>\n";
  std::vector<double> coordinates;
  coordinates.reserve(points.size() * 3);
  for (const Vec3d& p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
  std::vector<std::int64_t> connectivity, offsets;
  for (const Cell& cell : cells) {
    connectivity.insert(connectivity.end(), cell.begin(), cell.end());
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  }
  body += "<Points>\n" + writer.array("Float64", "Points", 3, coordinates) + "</Points>\n<Cells>\n";
  body += writer.array("Int64", "connectivity", 1, connectivity);
  body += writer.array("Int64", "offsets", 1, offsets);
  body += writer.array("UInt8", "types", 1, std::vector<std::uint8_t>(cells.size(), type));
  return writer.finish(body + "</Cells>\n</Piece>\n</UnstructuredGrid>\n");
}

}  // namespace

bool is_vtk_xml(const MeshSource& source) {
  Cursor cursor(source.content, source.path);
  const std::string_view first = cursor.peek();
  return !first.empty() && first.front() == '<' &&
         std::string_view(source.content).substr(0, 4096).find("<VTKFile") != std::string_view::npos;
}

MeshFile read_vtk_xml(const MeshSource& source) {
  return VtuReader(source).read();
}

std::string write_vtu_volume(const TetMesh& mesh) {
  return write_vtu(mesh.nodes, mesh.tets, 10, &mesh);
}

std::string write_vtu_surface(const SurfaceMesh& mesh) {
  return write_vtu(mesh.points, mesh.triangles, 5, nullptr);
}

}  // namespace sinew::mesh_io
