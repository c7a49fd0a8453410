#include "engine/scene/mesh_cache.hpp"

#include <filesystem>

namespace sinew {

void MeshCache::begin_load() {
  const std::lock_guard lock(mutex_);
  ++load_;
  std::erase_if(entries_, [this](const auto& entry) { return entry.second.used < load_ - kLoads; });
}

std::shared_ptr<const LoadedMesh> MeshCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto known = entries_.find(key);
  if (known == entries_.end()) return nullptr;
  known->second.used = load_;
  return known->second.mesh;
}

void MeshCache::keep(const std::string& key, std::shared_ptr<const LoadedMesh> mesh) {
  const std::lock_guard lock(mutex_);
  entries_[key] = {std::move(mesh), load_};
}

std::size_t MeshCache::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

std::string file_stamp(const std::string& path) {
  std::error_code code;
  const auto size = std::filesystem::file_size(path, code);
  if (code) return "missing";
  const auto time = std::filesystem::last_write_time(path, code).time_since_epoch().count();
  return std::to_string(size) + " " + std::to_string(time);
}

}  // namespace sinew
