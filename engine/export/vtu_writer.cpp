#include "engine/export/vtu_writer.hpp"

#include <bit>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "engine/common/atomic_file.hpp"

namespace sinew {

static_assert(std::endian::native == std::endian::little, "the header says LittleEndian");

namespace {
// Head (XML) and body (appended blocks: byte count as UInt64, then the values).
struct Document {
  std::string head, body;

  template <class T>
  void array(const char* type, const std::string& name, int components, const T* values, std::size_t count) {
    head += fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        type, name, components, body.size());
    const std::uint64_t bytes = count * sizeof(T);
    const std::size_t start = body.size();
    body.resize(start + sizeof bytes + bytes);
    std::memcpy(body.data() + start, &bytes, sizeof bytes);
    if (bytes != 0) std::memcpy(body.data() + start + sizeof bytes, values, bytes);
  }

  void fields(const char* tag, const std::vector<VtuField>& fields) {
    head += fmt::format("<{}>\n", tag);
    for (const VtuField& field : fields) {
      if (field.integral)
        array("Int32", field.name, field.components, field.integers.data(), field.integers.size());
      else
        array("Float32", field.name, field.components, field.reals.data(), field.reals.size());
    }
    head += fmt::format("</{}>\n", tag);
  }
};
}  // namespace

void write_vtu(const std::string& path, const VtuGrid& grid) {
  static_assert(sizeof(Vec3d) == 3 * sizeof(double));
  const std::size_t cells = grid.cell_count();
  std::vector<std::int64_t> offsets(cells);
  std::vector<std::uint8_t> types(cells);
  std::int64_t end = 0;
  for (std::size_t c = 0; c < cells; ++c) {
    const VtuCell cell = grid.mixed.empty() ? grid.cell : grid.mixed[c];
    offsets[c] = end += nodes_of(cell);
    types[c] = static_cast<std::uint8_t>(cell);
  }

  Document file;
  file.head =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n"
      "<UnstructuredGrid>\n<FieldData>\n";
  file.head += fmt::format(
      "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{:.17g}</DataArray>\n",
      grid.time);
  file.head += fmt::format("</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
                           grid.points.size(), cells);
  file.array("Float64", "Points", 3, grid.points.data(), grid.points.size());
  file.head += "</Points>\n<Cells>\n";
  file.array("Int64", "connectivity", 1, grid.connectivity.data(), grid.connectivity.size());
  file.array("Int64", "offsets", 1, offsets.data(), offsets.size());
  file.array("UInt8", "types", 1, types.data(), types.size());
  file.head += "</Cells>\n";
  file.fields("PointData", grid.point_fields);
  file.fields("CellData", grid.cell_fields);
  file.head += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";

  AtomicFile out(path);
  out.write(file.head);
  out.write(file.body);
  out.write("\n</AppendedData>\n</VTKFile>\n");
  out.commit();
}

}  // namespace sinew
