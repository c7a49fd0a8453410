// Meshes of bodies and obstacles: read or generated, mended where harmless, refused where not.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <sinew/mesh_generation.hpp>
#include <sinew/mesh_io.hpp>

#include "engine/scene/scene_description.hpp"

namespace sinew {

/// Loads meshes; equal sources are loaded once.
class MeshLoader {
 public:
  MeshLoader(std::string base_folder, const SceneSource& source)
      : base_folder_(std::move(base_folder)), source_(source) {}

  /// In metres, before the body's transform. Remarks and repairs go to warnings.
  /// @throws SceneError for a file that cannot be read or a mesh that cannot be simulated, with the command
  /// that mends it.
  const TetMesh& load(const MeshSource& mesh, std::vector<std::string>& warnings);
  /// The same for a sheet of triangles.
  const SurfaceMesh& load_sheet(const MeshSource& mesh, std::vector<std::string>& warnings);
  /// The same for an obstacle: of tetrahedra the boundary. All that can be mended without filling holes is.
  const SurfaceMesh& load_obstacle(const MeshSource& mesh, std::vector<std::string>& warnings);

 private:
  GeneratedMesh made(const MeshSource& mesh) const;
  /// Reads and mends; places where remarks go. @throws SceneError.
  MeshFile read_file(const MeshSource& mesh, std::string& path) const;
  void warn(const MeshSource& mesh, const std::string& what, std::vector<std::string>& warnings) const;
  SurfaceMesh obstacle_from_file(const MeshSource& mesh, std::vector<std::string>& warnings) const;
  SurfaceMesh sheet_from_file(const MeshSource& mesh, std::vector<std::string>& warnings) const;
  TetMesh from_file(const MeshSource& mesh, std::vector<std::string>& warnings) const;
  TetMesh generated(const MeshSource& mesh) const;

  std::string base_folder_;
  const SceneSource& source_;
  std::map<std::string, TetMesh> loaded_;  ///< by all that decides the mesh
  std::map<std::string, SurfaceMesh> sheets_, obstacles_;
};

}  // namespace sinew
