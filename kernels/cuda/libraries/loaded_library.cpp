#include "kernels/cuda/libraries/loaded_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>

#include <sinew/errors.hpp>

namespace sinew {

namespace {

/// Folders of the toolkit, after the places where the loader looks by itself.
std::vector<std::string> folders() {
  std::vector<std::string> all;
  if (const char* own = std::getenv("SINEW_CUDA_LIBRARIES"); own && *own) all.emplace_back(own);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* root = std::getenv(variable); root && *root)
      for (const char* lib : {"/lib64", "/lib"}) all.push_back(std::string(root) + lib);
  all.insert(all.end(), {"/usr/local/cuda/lib64", "/usr/local/cuda/lib"});
  return all;
}

}  // namespace

LoadedLibrary::LoadedLibrary(std::string name, std::string file)
    : name_(std::move(name)), file_(std::move(file)) {
  std::vector<std::string> candidates = {file_};
  for (const std::string& folder : folders())
    if (const std::string path = folder + "/" + file_;
        std::find(candidates.begin(), candidates.end(), path) == candidates.end())
      candidates.push_back(path);
  for (const std::string& candidate : candidates) {
    handle_ = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_) break;
    tried_.push_back(candidate);
    // One that exists but cannot be loaded is worth the loader's words.
    const char* error = dlerror();
    if (error && failure_.empty() && !std::strstr(error, "No such file")) failure_ = error;
  }
  if (!handle_) return;
  path_ = file_;
  // Where it stands: any of its functions knows.
  for (const char* probe : {"cusparseGetErrorName", "cublasGetStatusName"}) {
    Dl_info info{};
    if (void* symbol = dlsym(handle_, probe); symbol && dladdr(symbol, &info) && info.dli_fname)
      path_ = info.dli_fname;
  }
}

std::string LoadedLibrary::reason() const {
  if (there()) return {};
  std::string text = name_ + ": " + file_ +
                     (failure_.empty() ? " is not found" : " cannot be loaded (" + failure_ + ")") +
                     "; tried ";
  for (std::size_t k = 0; k < tried_.size(); ++k) text += (k > 0 ? ", " : "") + tried_[k];
  return text +
         "; it comes with the CUDA toolkit and with Python's nvidia packages: put its folder into "
         "LD_LIBRARY_PATH or SINEW_CUDA_LIBRARIES";
}

void* LoadedLibrary::function(const char* name) const {
  if (!there()) throw BackendError(reason());
  void* symbol = dlsym(handle_, name);
  if (!symbol)
    throw BackendError(name_ + ": " + path_ + " has no function " + name +
                       "; take the version of this build, " + file_);
  return symbol;
}

}  // namespace sinew
