// The table of mesh formats, and the choice among them.
#include <algorithm>
#include <charconv>
#include <filesystem>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/common/text.hpp"
#include "engine/mesh_io/cursor.hpp"
#include "engine/mesh_io/format.hpp"

namespace sinew {

namespace mesh_io {

// Order matters for content: formats with a magic word first, OBJ (any of its keywords) last.
const std::vector<MeshFormat>& mesh_formats() {
  static const std::vector<MeshFormat> formats{
      {"vtu",
       {".vtu", ".vtp"},
       "XML VTK, text, base64, raw, zlib; keeps embedded surfaces",
       is_vtk_xml,
       read_vtk_xml,
       write_vtu_volume,
       write_vtu_surface},
      {"gmsh",
       {".msh"},
       "Gmsh 1, 2.2, 4.1, text and binary; written as 4.1 text",
       is_gmsh,
       read_gmsh,
       write_gmsh_volume,
       write_gmsh_surface},
      {"vtk",
       {".vtk"},
       "legacy VTK unstructured grid or polydata, text and binary",
       is_vtk_legacy,
       read_vtk_legacy,
       nullptr,
       nullptr},
      {"medit", {".mesh"}, "Medit text", is_medit, read_medit, write_medit_volume, write_medit_surface},
      {"tetgen",
       {".node", ".ele"},
       "TetGen pair of files, either name",
       nullptr,
       read_tetgen,
       nullptr,
       nullptr},
      {"ply",
       {".ply"},
       "surface, text and binary; written as binary double",
       is_ply,
       read_ply,
       nullptr,
       write_ply_surface},
      {"off", {".off"}, "surface, text", is_off, read_off, nullptr, nullptr},
      {"stl",
       {".stl"},
       "surface, text and binary; written as binary float",
       is_stl,
       read_stl,
       nullptr,
       write_stl_surface},
      {"obj", {".obj"}, "surface with polygons", is_obj, read_obj, nullptr, write_obj_surface},
  };
  return formats;
}

void append_number(std::string& text, double value) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

void append_number(std::string& text, long value) {
  char buffer[24];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

namespace {

std::string extension_of(const std::string& path) {
  return lower_case(std::filesystem::path(path).extension().string());
}

bool has_extension(const MeshFormat& format, const std::string& extension) {
  return std::find(format.extensions.begin(), format.extensions.end(), extension) != format.extensions.end();
}

// Contents that are often taken for a mesh.
void refuse_known_strangers(const MeshSource& source) {
  const std::string& content = source.content;
  if (std::all_of(content.begin(), content.end(), is_space))
    throw MeshError(source.path + ": the file is empty; export or copy it again");
  if (content.rfind("version https://git-lfs", 0) == 0)
    throw MeshError(source.path +
                    ": only a Git LFS pointer, not the mesh itself; fetch it with 'git lfs pull'");
  if (content.rfind("\x1f\x8b", 0) == 0)
    throw MeshError(source.path + ": the file is packed with gzip; unpack it with gunzip first");
  if (content.rfind("PK\x03\x04", 0) == 0)
    throw MeshError(source.path + ": the file is a zip archive; unpack it first");
}

std::vector<std::string> writable_extensions(bool volume) {
  std::vector<std::string> extensions;
  for (const MeshFormat& format : mesh_formats())
    if (format.write_surface || (volume && format.write_volume))
      extensions.push_back(format.extensions.front());
  return extensions;
}

const MeshFormat& writer_for(const std::string& path) {
  const std::string extension = extension_of(path);
  for (const MeshFormat& format : mesh_formats())
    if (format.write_surface && extension == format.extensions.front()) return format;
  std::string known;
  for (const std::string& e : writable_extensions(true)) known += (known.empty() ? "" : ", ") + e;
  throw MeshError(path + ": cannot write a mesh with the extension '" + extension + "'; use one of " + known);
}

// The surface that stands for a tetrahedral mesh: the embedded one or the boundary, with used points only.
SurfaceMesh surface_of(const std::string& path, const TetMesh& mesh) {
  SurfaceMesh surface;
  const auto check = [&](Index node, std::size_t size) {
    if (node < 0 || static_cast<std::size_t>(node) >= size)
      throw MeshError(path +
                      ": elements refer to nodes that do not exist; repair the mesh before converting it");
  };
  for (const Tet& tet : mesh.tets)
    for (const Index node : tet) check(node, mesh.nodes.size());
  if (!mesh.surface.empty()) {
    for (const Index tet : mesh.surface.tet) check(tet, mesh.tets.size());
    surface.points = embedded_points(mesh, mesh.nodes);
    surface.triangles = mesh.surface.triangles;
    return surface;
  }
  surface.triangles = boundary_triangles(mesh);
  std::vector<Index> number(mesh.nodes.size(), -1);
  for (const Triangle& triangle : surface.triangles)
    for (const Index node : triangle) number[static_cast<std::size_t>(node)] = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = static_cast<Index>(surface.points.size());
    surface.points.push_back(mesh.nodes[i]);
  }
  for (Triangle& triangle : surface.triangles)
    for (Index& node : triangle) node = number[static_cast<std::size_t>(node)];
  return surface;
}

}  // namespace

}  // namespace mesh_io

MeshFile mesh_io::read_source(MeshSource source) {
  if (source.content.rfind("\xef\xbb\xbf", 0) == 0) source.content.erase(0, 3);  // byte order mark of UTF-8
  refuse_known_strangers(source);
  // Formats without a mark of their own are known by name alone.
  for (const MeshFormat& format : mesh_formats())
    if (!format.recognise && has_extension(format, source.extension)) return format.read(source);
  for (const MeshFormat& format : mesh_formats())
    if (format.recognise && format.recognise(source)) return format.read(source);
  // A headerless OFF file, a truncated STL file, ...: let the reader of that name say what is wrong.
  for (const MeshFormat& format : mesh_formats())
    if ((source.extension == ".off" || source.extension == ".stl") && has_extension(format, source.extension))
      return format.read(source);
  std::string known;
  for (const MeshFormat& format : mesh_formats())
    known += (known.empty() ? "" : ", ") + std::string(format.name);
  throw MeshError(source.path + ": the content ('" + shown(std::string_view(source.content).substr(0, 24)) +
                  "') is no mesh format that is read; known are " + known);
}

MeshFile read_mesh(const std::string& path) {
  return mesh_io::read_source({path, mesh_io::extension_of(path), read_file(path)});
}

void write_mesh(const std::string& path, const SurfaceMesh& mesh) {
  const mesh_io::MeshFormat& format = mesh_io::writer_for(path);
  write_file_atomically(path, format.write_surface(mesh));
}

void write_mesh(const std::string& path, const TetMesh& mesh) {
  const mesh_io::MeshFormat& format = mesh_io::writer_for(path);
  if (format.write_volume)
    write_file_atomically(path, format.write_volume(mesh));
  else
    write_file_atomically(path, format.write_surface(mesh_io::surface_of(path, mesh)));
}

bool keeps_tetrahedra(const std::string& path) {
  return mesh_io::writer_for(path).write_volume != nullptr;
}

std::string mesh_format_table() {
  std::string table;
  const auto padded = [](std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
  };
  for (const mesh_io::MeshFormat& format : mesh_io::mesh_formats()) {
    std::string extensions;
    for (const std::string& e : format.extensions) extensions += (extensions.empty() ? "" : " ") + e;
    table += padded(format.name, 8) + padded(extensions, 12) +
             padded(format.write_surface ? "read, write" : "read", 13) + format.what + "\n";
  }
  return table;
}

std::string repair_command(const std::string& path) {
  const std::filesystem::path in(path);
  std::string extension = mesh_io::extension_of(path);
  const std::vector<std::string> writable = mesh_io::writable_extensions(true);
  if (std::find(writable.begin(), writable.end(), extension) == writable.end())
    extension = extension == ".off" ? ".ply" : ".vtu";
  const std::string out = (in.parent_path() / (in.stem().string() + "_repaired" + extension)).string();
  const auto quoted = [](const std::string& text) {
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
      return std::isalnum(c) || c == '/' || c == '.' || c == '_' || c == '-' || c == '+' || c == ',' ||
             c == '=';
    });
    if (plain) return text;
    std::string safe = "'";
    for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return safe + "'";
  };
  return "sinew mesh repair " + quoted(path) + " " + quoted(out);
}

}  // namespace sinew
