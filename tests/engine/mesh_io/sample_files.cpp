#include "tests/engine/mesh_io/sample_files.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>

#include <unistd.h>
#include <zlib.h>

namespace sinew::test {

std::string base64(const std::string& bytes) {
  static const char* alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : alphabet[bits >> (18 - 6 * k) & 63];
  }
  return out;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "sinew_mesh_io_XXXXXX").string();
  folder_ = ::mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

const std::vector<Vec3d>& two_tet_nodes() {
  static const std::vector<Vec3d> nodes{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  return nodes;
}

const std::vector<Tet>& two_tets() {
  static const std::vector<Tet> tets{{0, 1, 2, 3}, {1, 2, 3, 4}};
  return tets;
}

std::string gmsh41_binary(bool big_endian) {
  Bytes b(big_endian);
  b.text("$MeshFormat\n4.1 1 8\n").put<std::int32_t>(1).text("\n$EndMeshFormat\n$Nodes\n");
  for (const std::uint64_t v : {1, 5, 1, 5}) b.put(v);
  for (const std::int32_t v : {3, 1, 0}) b.put(v);
  b.put<std::uint64_t>(5);
  for (std::uint64_t tag = 1; tag <= 5; ++tag) b.put(tag);
  for (const Vec3d& p : two_tet_nodes())
    for (int k = 0; k < 3; ++k) b.put(p[k]);
  b.text("\n$EndNodes\n$Elements\n");
  for (const std::uint64_t v : {1, 2, 7, 8}) b.put(v);
  for (const std::int32_t v : {3, 1, 4}) b.put(v);
  b.put<std::uint64_t>(2);
  for (std::uint64_t t = 0; t < 2; ++t) {
    b.put<std::uint64_t>(7 + t);
    for (const Index node : two_tets()[t]) b.put<std::uint64_t>(static_cast<std::uint64_t>(node) + 1);
  }
  return b.text("\n$EndElements\n").str();
}

std::string gmsh22_binary(bool big_endian) {
  Bytes b(big_endian);
  b.text("$MeshFormat\n2.2 1 8\n").put<std::int32_t>(1).text("\n$EndMeshFormat\n$Nodes\n5\n");
  for (std::size_t i = 0; i < 5; ++i) {
    b.put<std::int32_t>(static_cast<std::int32_t>(i) + 1);
    for (int k = 0; k < 3; ++k) b.put(two_tet_nodes()[i][k]);
  }
  b.text("\n$EndNodes\n$Elements\n2\n");
  for (const std::int32_t v : {4, 2, 2}) b.put(v);
  for (std::int32_t t = 0; t < 2; ++t) {
    for (const std::int32_t v : {7 + t, 0, 1}) b.put(v);
    for (const Index node : two_tets()[static_cast<std::size_t>(t)]) b.put<std::int32_t>(node + 1);
  }
  return b.text("\n$EndElements\n").str();
}

std::string gmsh41_text() {
  return "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 "
         "0\n0 0 1\n"
         "1 1 1\n$EndNodes\n$Elements\n1 2 7 8\n3 1 4 2\n7 1 2 3 4\n8 2 3 4 5\n$EndElements\n";
}

std::string vtk_binary(bool new_layout) {
  Bytes b(true);
  b.text(std::string("# vtk DataFile Version ") + (new_layout ? "5.1" : "2.0") +
         "\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n");
  for (const Vec3d& p : two_tet_nodes())
    for (int k = 0; k < 3; ++k) b.put(p[k]);
  if (new_layout) {
    b.text("\nMETADATA\nINFORMATION 0\n\nCELLS 3 8\nOFFSETS vtktypeint64\n");
    for (const std::int64_t v : {0, 4, 8}) b.put(v);
    b.text("\nCONNECTIVITY vtktypeint64\n");
    for (const Tet& tet : two_tets())
      for (const Index node : tet) b.put<std::int64_t>(node);
  } else {
    b.text("\nCELLS 2 10\n");
    for (const Tet& tet : two_tets()) {
      b.put<std::int32_t>(4);
      for (const Index node : tet) b.put<std::int32_t>(node);
    }
  }
  b.text("\nCELL_TYPES 2\n").put<std::int32_t>(10).put<std::int32_t>(10);
  return b.text("\nCELL_DATA 2\nSCALARS x int 1\n").str();
}

std::string vtu(const std::string& encoding, bool big_endian, bool header64, bool compressed) {
  const auto header = [&](Bytes& b, std::size_t value) {
    header64 ? b.put<std::uint64_t>(value) : b.put<std::uint32_t>(static_cast<std::uint32_t>(value));
  };
  const bool text = encoding == "base64" || encoding == "inline";
  std::string appended;
  const auto array = [&](const std::string& attributes, const std::string& data) {
    std::string head, body;
    Bytes b(big_endian);
    if (compressed) {
      // Blocks of 16 bytes, so that there are several and the last one is partial.
      const std::size_t blocks = (data.size() + 15) / 16;
      std::vector<std::string> packed;
      for (std::size_t k = 0; k < blocks; ++k) {
        const std::string block = data.substr(16 * k, 16);
        uLongf size = compressBound(block.size());
        std::string out(size, '\0');
        compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(block.data()),
                 block.size());
        packed.push_back(out.substr(0, size));
      }
      header(b, blocks);
      header(b, 16);
      header(b, data.size() % 16);
      for (const std::string& block : packed) header(b, block.size());
      for (const std::string& block : packed) body += block;
      head = b.str();
    } else {
      header(b, data.size());
      head = b.str();
    }
    // VTK pads the header of compressed arrays on its own.
    const std::string stored = !text        ? head + body + (compressed ? "" : data)
                               : compressed ? base64(head) + base64(body)
                                            : base64(head + data);
    if (encoding == "inline")
      return "<DataArray " + attributes + " format=\"binary\">\n" + stored + "\n</DataArray>\n";
    const std::string offset = std::to_string(appended.size());
    appended += stored;
    return "<DataArray " + attributes + " format=\"appended\" offset=\"" + offset + "\"/>\n";
  };
  Bytes points(big_endian), connectivity(big_endian), offsets(big_endian), types(big_endian);
  for (const Vec3d& p : two_tet_nodes())
    for (int k = 0; k < 3; ++k) points.put(static_cast<float>(p[k]));
  for (const Tet& tet : two_tets())
    for (const Index node : tet) connectivity.put<std::int32_t>(node);
  offsets.put<std::int64_t>(4).put<std::int64_t>(8);
  types.put<std::uint8_t>(10).put<std::uint8_t>(10);
  std::string xml =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"";
  xml += big_endian ? "BigEndian\"" : "LittleEndian\"";
  if (header64) xml += " header_type=\"UInt64\"";
  if (compressed) xml += " compressor=\"vtkZLibDataCompressor\"";
  xml += ">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n<Points>\n";
  xml += array("type=\"Float32\" NumberOfComponents=\"3\"", points.str()) + "</Points>\n<Cells>\n";
  xml += array("type=\"Int32\" Name=\"connectivity\"", connectivity.str());
  xml += array("type=\"Int64\" Name=\"offsets\"", offsets.str());
  xml += array("type=\"UInt8\" Name=\"types\"", types.str()) + "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
  if (encoding != "inline")
    xml += "<AppendedData encoding=\"" + encoding + "\">\n_" + appended + "\n</AppendedData>\n";
  return xml + "</VTKFile>\n";
}

std::string ply_binary(bool big_endian) {
  Bytes b(big_endian);
  b.text(std::string("ply\nformat binary_") + (big_endian ? "big" : "little") +
         "_endian 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty float y\nproperty "
         "double z\n"
         "property uchar red\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n");
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3d& p = two_tet_nodes()[i];
    b.put(static_cast<float>(p.x)).put(static_cast<float>(p.y)).put(p.z).put<std::uint8_t>(255);
  }
  for (const Triangle& t : {Triangle{1, 2, 3}, Triangle{0, 3, 2}, Triangle{0, 1, 3}, Triangle{0, 2, 1}}) {
    b.put<std::uint8_t>(3);
    for (const Index node : t) b.put(node);
  }
  return b.str();
}

std::string stl_binary() {
  Bytes b(false);
  std::string head = "solid in spite of being binary";
  head.resize(80, ' ');
  b.text(head).put<std::uint32_t>(4);
  for (const Triangle& t : {Triangle{1, 2, 3}, Triangle{0, 3, 2}, Triangle{0, 1, 3}, Triangle{0, 2, 1}}) {
    for (int k = 0; k < 3; ++k) b.put(0.0f);
    for (const Index node : t)
      for (int k = 0; k < 3; ++k)
        b.put(static_cast<float>(two_tet_nodes()[static_cast<std::size_t>(node)][k]));
    b.put<std::uint16_t>(0);
  }
  return b.str();
}

std::vector<Sample> samples() {
  std::vector<Sample> list;
  const auto add = [&](const char* name, std::string content) {
    list.push_back({name, std::move(content), "", ""});
  };
  add("text41.msh", gmsh41_text());
  add("little41.msh", gmsh41_binary(false));
  add("big41.msh", gmsh41_binary(true));
  add("little22.msh", gmsh22_binary(false));
  add("big22.msh", gmsh22_binary(true));
  add("text22.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 "
      "1\n$EndNodes\n"
      "$Elements\n2\n7 4 2 0 1 1 2 3 4\n8 4 2 0 1 2 3 4 5\n$EndElements\n");
  add("text1.msh",
      "$NOD\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$ENDNOD\n$ELM\n2\n7 4 1 1 4 1 2 3 4\n"
      "8 4 1 1 4 2 3 4 5\n$ENDELM\n");
  add("text.vtk",
      "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nTIME 1 1 "
      "double\n0.5\n"
      "POINTS 5 float\n0 0 0 1 0 0\n0 1 0 0 0 1\n1 1 1\nCELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES "
      "2\n10\n10\n");
  add("old.vtk", vtk_binary(false));
  add("new.vtk", vtk_binary(true));
  add("text.vtu",
      "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"5\" "
      "NumberOfCells=\"2\">\n<Points>"
      "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1 1 1 "
      "1</DataArray>"
      "</Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3 1 2 3 "
      "4</DataArray>\n"
      "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 8</DataArray>\n"
      "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 10</DataArray></Cells></Piece>\n"
      "</UnstructuredGrid></VTKFile>\n");
  for (const char* encoding : {"inline", "base64", "raw"})
    for (int bits = 0; bits < 8; ++bits)
      add((std::string(encoding) + std::to_string(bits) + ".vtu").c_str(),
          vtu(encoding, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0));
  add("text.mesh",
      "MeshVersionFormatted 2\n# a comment\nDimension\n3\nVertices\n5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n1 "
      "1 1 1\n"
      "Corners\n1\n1\nTetrahedra\n2\n1 2 3 4 0\n2 3 4 5 0\nEnd\n");
  const std::string ele = "2 4 0\n# tetrahedra\n1 1 2 3 4\n2 2 3 4 5\n";
  const std::string node =
      "5 3 1 1 # header\n1 0 0 0 7.5 1\n2 1 0 0 7.5 1\n3 0 1 0 7.5 0\n4 0 0 1 7.5 0\n5 1 1 1 0 0\n";
  list.push_back({"one.ele", ele, "one.node", node});
  list.push_back({"two.node", node, "two.ele", ele});
  list.push_back({"zero.ele", "2 4 0\n0 0 1 2 3\n1 1 2 3 4\n", "zero.node",
                  "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n"});
  add("little.ply", ply_binary(false));
  add("big.ply", ply_binary(true));
  add("text.ply",
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face 4\n"
      "property list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 1 2 3\n3 0 3 2\n3 0 1 "
      "3\n"
      "3 0 2 1\n");
  add("binary.stl", stl_binary());
  std::string stl = "solid corner\n";
  for (const char* v :
       {"1 0 0,0 1 0,0 0 1", "0 0 0,0 0 1,0 1 0", "-0 0 0,1 0 0,0 0 1", "0 0 0,0 1 0,1 0 0"}) {
    stl += "facet normal 0 0 0\nouter loop\nvertex ";
    for (const char* c = v; *c; ++c) stl += *c == ',' ? std::string("\nvertex ") : std::string(1, *c);
    stl += "\nendloop\nendfacet\n";
  }
  add("text.stl", stl + "endsolid corner\n");
  add("corner.off",
      "OFF # header\n4 4 0\n0 0 0\n1 0 0 0.5 0.5 0.5\n0 1 0\n0 0 1\n3 1 2 3\n3 0 3 2 255 0 0\n3 0 1 3\n3 0 2 "
      "1\n");
  add("corner.obj",
      "# corner\nmtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 1\ng all\nf 2/1/1 3/1/1 "
      "4/1/1\n"
      "f 1//1 4//1 3//1\nf -4 -3 -1\nf 1 \\\n3 2\n");
  return list;
}

}  // namespace sinew::test
