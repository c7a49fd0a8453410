// A shared library of the CUDA toolkit, loaded while the program runs.
#pragma once

#include <string>
#include <vector>

namespace sinew {

class LoadedLibrary {
 public:
  /// name: "cuSPARSE"; file: "libcusparse.so.12". Never unloaded: handles may outlive whoever asked.
  LoadedLibrary(std::string name, std::string file);

  bool there() const { return handle_ != nullptr; }
  const std::string& name() const { return name_; }
  /// Full path of what was loaded.
  const std::string& path() const { return path_; }
  /// Why it is not there, in one line: what was tried, what the loader said and where it comes from.
  std::string reason() const;
  /// @throws BackendError where the library or the function is missing.
  void* function(const char* name) const;

 private:
  void* handle_ = nullptr;
  std::string name_, file_, path_, failure_;
  std::vector<std::string> tried_;
};

}  // namespace sinew
