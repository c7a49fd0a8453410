// What users read when the renderer is not there.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sinew/errors.hpp>

#include "tests/support/catch.hpp"
#include "tests/viewer/environment.hpp"
#include "viewer/renderer.hpp"

namespace sinew::viewer {
namespace {

namespace fs = std::filesystem;

std::string failure() {
  try {
    make_renderer();
  } catch (const BackendError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("A missing module is explained in one line", "[viewer]") {
  const fs::path folder = fs::temp_directory_path() / ("sinew_plugins." + std::to_string(::getpid()));
  fs::create_directories(folder);
  const Environment plugin("SINEW_PLUGIN_DIR", folder.string());
  const std::string absent = failure();
  CHECK(absent.find("libsinew_renderer.so") != std::string::npos);
  CHECK(absent.find(folder.string()) != std::string::npos);
  CHECK(absent.find("SINEW_BUILD_RENDERER") != std::string::npos);
  CHECK(absent.find('\n') == std::string::npos);

  std::ofstream(folder / "libsinew_renderer.so") << "not a library";
  const std::string garbage = failure();
  CHECK(garbage.find("cannot be loaded") != std::string::npos);
  CHECK(garbage.find('\n') == std::string::npos);
  fs::remove_all(folder);
}

TEST_CASE("An unknown backend is refused by name", "[viewer]") {
  const Environment backend("SINEW_RENDER_BACKEND", "vulkan");
  const std::string message = failure();
  REQUIRE(!message.empty());
  if (message.find("SINEW_BUILD_RENDERER") == std::string::npos) {  // the module is built
    CHECK(message.find("'vulkan'") != std::string::npos);
    CHECK(message.find("osmesa") != std::string::npos);
  }
  CHECK(message.find('\n') == std::string::npos);
}

}  // namespace sinew::viewer
