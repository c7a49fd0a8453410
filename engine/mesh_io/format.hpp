// The table of mesh formats: what a format offers, and the functions behind it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sinew/mesh_io.hpp>

namespace sinew::mesh_io {

/// A file as it came from the disk.
struct MeshSource {
  std::string path;
  std::string extension;  ///< lower case, with the dot
  std::string content;
};

/// One line of the table.
struct MeshFormat {
  const char* name;
  std::vector<std::string> extensions;  ///< with the dot; writers are found by them
  const char* what;
  bool (*recognise)(const MeshSource&);  ///< by content alone; null: by extension alone
  MeshFile (*read)(const MeshSource&);
  std::string (*write_volume)(const TetMesh&);       ///< content of the file; null: goes out as its surface
  std::string (*write_surface)(const SurfaceMesh&);  ///< content of the file; null: not written
};

const std::vector<MeshFormat>& mesh_formats();

/// Finds the format and reads; see read_mesh().
MeshFile read_source(MeshSource source);

bool is_gmsh(const MeshSource& source);
bool is_vtk_legacy(const MeshSource& source);
bool is_vtk_xml(const MeshSource& source);
bool is_medit(const MeshSource& source);
bool is_stl(const MeshSource& source);
bool is_ply(const MeshSource& source);
bool is_off(const MeshSource& source);
bool is_obj(const MeshSource& source);

MeshFile read_gmsh(const MeshSource& source);
MeshFile read_vtk_legacy(const MeshSource& source);
MeshFile read_vtk_xml(const MeshSource& source);
MeshFile read_medit(const MeshSource& source);
MeshFile read_tetgen(const MeshSource& source);
MeshFile read_stl(const MeshSource& source);
MeshFile read_ply(const MeshSource& source);
MeshFile read_off(const MeshSource& source);
MeshFile read_obj(const MeshSource& source);

std::string write_gmsh_volume(const TetMesh& mesh);
std::string write_gmsh_surface(const SurfaceMesh& mesh);
std::string write_vtu_volume(const TetMesh& mesh);
std::string write_vtu_surface(const SurfaceMesh& mesh);
std::string write_medit_volume(const TetMesh& mesh);
std::string write_medit_surface(const SurfaceMesh& mesh);
std::string write_ply_surface(const SurfaceMesh& mesh);
std::string write_obj_surface(const SurfaceMesh& mesh);
std::string write_stl_surface(const SurfaceMesh& mesh);

/// Shortest text that reads back to the same number.
void append_number(std::string& text, double value);
void append_number(std::string& text, long value);

}  // namespace sinew::mesh_io
