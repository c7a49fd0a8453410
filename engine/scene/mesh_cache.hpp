// Meshes kept between loads of a scene that changes, so that a changed parameter does not mesh again.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <sinew/mesh.hpp>

namespace sinew {

/// What a mesh source gave: a solid or a surface, and what there is to remark on it.
struct LoadedMesh {
  TetMesh solid;
  SurfaceMesh surface;
  std::vector<std::string> notes;
};

/// May be used by several threads at once.
class MeshCache {
 public:
  /// Forgets what the last kLoads loads did not use; called at the beginning of each.
  void begin_load();
  /// Null where nothing is kept under the key.
  std::shared_ptr<const LoadedMesh> find(const std::string& key);
  void keep(const std::string& key, std::shared_ptr<const LoadedMesh> mesh);
  std::size_t size() const;

  static constexpr long kLoads = 4;

 private:
  struct Entry {
    std::shared_ptr<const LoadedMesh> mesh;
    long used = 0;  ///< number of the load
  };
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  long load_ = 0;
};

/// Size and time of the last change of a file, so that a file that is written anew counts as another one.
std::string file_stamp(const std::string& path);

}  // namespace sinew
