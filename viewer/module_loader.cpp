// Finds and loads the renderer module; this side links no graphics.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include <sinew/errors.hpp>

#include "viewer/module_entry.hpp"
#include "viewer/renderer.hpp"

namespace sinew::viewer {
namespace {

namespace fs = std::filesystem;

/// SINEW_PLUGIN_DIR alone where it is set; else beside the program, in ../lib, ../lib/sinew, and where this
/// library was built or installed.
std::vector<fs::path> module_folders() {
  const char* wished = std::getenv("SINEW_PLUGIN_DIR");
  if (wished && *wished) return {fs::path(wished)};
  std::vector<fs::path> folders;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path folder = program.parent_path();
    folders = {folder, folder / "../lib", folder / "../lib/sinew", folder / ".." / SINEW_LIBRARY_FOLDER,
               folder / ".." / SINEW_LIBRARY_FOLDER / "sinew"};
  }
  Dl_info info{};  // of the object that holds this code: a shared library or the program itself
  static const char anchor = 0;
  if (::dladdr(&anchor, &info) && info.dli_fname) {
    const fs::path folder = fs::absolute(info.dli_fname, error).parent_path();
    if (!error) {
      folders.push_back(folder);
      folders.push_back(folder / "sinew");
    }
  }
#ifdef SINEW_BUILD_LIBRARY_FOLDER
  folders.emplace_back(SINEW_BUILD_LIBRARY_FOLDER);
#endif
  return folders;
}

}  // namespace

std::unique_ptr<Renderer> make_renderer() {
  std::error_code error;
  fs::path file;
  for (const fs::path& folder : module_folders())
    if (fs::is_regular_file(folder / kModuleFile, error)) {
      file = folder / kModuleFile;
      break;
    }
  if (file.empty()) {
    const char* wished = std::getenv("SINEW_PLUGIN_DIR");
    const std::string where = wished && *wished ? "in SINEW_PLUGIN_DIR (" + std::string(wished) + ")"
                                                : std::string("beside the program or in ../lib");
    throw BackendError(std::string("pictures need the renderer module ") + kModuleFile + ", which is not " +
                       where + "; build with SINEW_BUILD_RENDERER=ON or set SINEW_PLUGIN_DIR to its folder");
  }
  // Never closed: drivers that it loads keep threads and exit handlers.
  void* module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    const char* reason = ::dlerror();
    throw BackendError(file.string() + ": cannot be loaded: " + (reason ? reason : "unknown reason"));
  }
  const auto create = reinterpret_cast<ModuleEntry>(::dlsym(module, kModuleEntry));
  if (!create)
    throw BackendError(file.string() + ": is no renderer module of Sinew; install the one of this version");
  char message[1024] = "";
  std::unique_ptr<Renderer> renderer(create(kModuleInterface, message, sizeof message));
  if (!renderer) throw BackendError(std::string("no renderer: ") + message);
  return renderer;
}

}  // namespace sinew::viewer
