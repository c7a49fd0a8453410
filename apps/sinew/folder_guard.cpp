#include "apps/sinew/folder_guard.hpp"

#include <filesystem>

#include <unistd.h>

#include "engine/common/atomic_file.hpp"

namespace sinew::app {

FolderGuard::~FolderGuard() {
  // rmdir leaves folders alone that hold anything.
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) ::rmdir(folder->c_str());
}

void FolderGuard::make(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> missing;
  std::error_code code;
  for (fs::path p = fs::path(folder); !p.empty() && !fs::exists(p, code); p = p.parent_path()) {
    missing.insert(missing.begin(), p.string());
    if (p == p.parent_path()) break;
  }
  made_.insert(made_.end(), missing.begin(), missing.end());
  make_folder(folder);
  check_writable(folder + "/probe");
}

void check_writable(const std::string& path) {
  const AtomicFile probe(path);
}

}  // namespace sinew::app
