#include "apps/sinew/view_command.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <sinew/errors.hpp>

namespace sinew::app {

namespace {
constexpr const char* kProgram = "sinew-view";
constexpr const char* kWindowLibrary = "libglfw.so.3";
constexpr const char* kInstead = "'sinew run SCENE.json --png DIR' draws without a window";
}  // namespace

void run_viewer(int argc, char** argv) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  const fs::path program = self.parent_path() / kProgram;
  if (code || !fs::is_regular_file(program, code))
    throw BackendError(
        fmt::format("no viewer: {} is not beside this program; build the target sinew_view, which needs "
                    "GLFW and Dear ImGui (libglfw3-dev, libimgui-dev, libstb-dev); {}",
                    kProgram, kInstead));
  if (void* library = ::dlopen(kWindowLibrary, RTLD_LAZY))
    ::dlclose(library);
  else
    throw BackendError(fmt::format("no viewer: {} is not installed (libglfw3 on Debian and Ubuntu); {}",
                                   kWindowLibrary, kInstead));
  std::vector<std::string> arguments{program.string()};
  for (int i = 2; i < argc; ++i) arguments.emplace_back(argv[i]);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  throw BackendError(fmt::format("no viewer: {}: {}; {}", program.string(), std::strerror(errno), kInstead));
}

}  // namespace sinew::app
