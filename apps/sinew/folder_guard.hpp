// Folders made for a run's output go again if the run could not start.
#pragma once

#include <string>
#include <vector>

namespace sinew::app {

class FolderGuard {
 public:
  FolderGuard() = default;
  ~FolderGuard();
  FolderGuard(const FolderGuard&) = delete;
  FolderGuard& operator=(const FolderGuard&) = delete;

  /// Makes the folder with its parents and tries to write there. @throws IoError.
  void make(const std::string& folder);
  void keep() { made_.clear(); }

 private:
  std::vector<std::string> made_;  // outermost first
};

/// Tries to write a file of this name, without leaving anything behind. @throws IoError.
void check_writable(const std::string& path);

}  // namespace sinew::app
