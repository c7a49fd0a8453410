// Meshes of bodies and obstacles: read or generated, mended where harmless, refused where not.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sinew/mesh_generation.hpp>
#include <sinew/mesh_io.hpp>

#include "engine/scene/mesh_cache.hpp"
#include "engine/scene/scene_description.hpp"

namespace sinew {

/// Loads meshes; equal sources are loaded once.
class MeshLoader {
 public:
  /// cache: where meshes of loads before are found, and those of this one are kept; may be null.
  MeshLoader(std::string base_folder, const SceneSource& source, MeshCache* cache = nullptr)
      : base_folder_(std::move(base_folder)), source_(source), cache_(cache) {}

  /// In metres, before the body's transform. Remarks and repairs go to warnings.
  /// @throws SceneError for a file that cannot be read or a mesh that cannot be simulated, with the command
  /// that mends it.
  const TetMesh& load(const MeshSource& mesh, std::vector<std::string>& warnings);
  /// The same for a sheet of triangles.
  const SurfaceMesh& load_sheet(const MeshSource& mesh, std::vector<std::string>& warnings);
  /// The same for an obstacle: of tetrahedra the boundary. All that can be mended without filling holes is.
  const SurfaceMesh& load_obstacle(const MeshSource& mesh, std::vector<std::string>& warnings);

 private:
  enum class Use { solid, sheet, obstacle };
  const LoadedMesh& loaded(const MeshSource& mesh, Use use, std::vector<std::string>& warnings);
  LoadedMesh make(const MeshSource& mesh, Use use) const;
  std::string path_of(const MeshSource& mesh) const;
  GeneratedMesh made(const MeshSource& mesh) const;
  /// Reads and mends; places where remarks go. @throws SceneError.
  MeshFile read_file(const MeshSource& mesh) const;
  // Remarks go to notes.
  SurfaceMesh obstacle_from_file(const MeshSource& mesh, std::vector<std::string>& notes) const;
  SurfaceMesh sheet_from_file(const MeshSource& mesh, std::vector<std::string>& notes) const;
  TetMesh from_file(const MeshSource& mesh, std::vector<std::string>& notes) const;
  SurfaceMesh generated_sheet(const MeshSource& mesh) const;
  SurfaceMesh generated_obstacle(const MeshSource& mesh) const;
  TetMesh generated(const MeshSource& mesh) const;

  std::string base_folder_;
  const SceneSource& source_;
  MeshCache* cache_;
  std::map<std::string, std::shared_ptr<const LoadedMesh>> used_;  ///< by all that decides the mesh
};

}  // namespace sinew
