// Every file in tests/data/scenes/broken is refused with one line. NAME.expect holds how that line begins
// (file, line, key) and a part of the rest.
#include <filesystem>
#include <set>
#include <sstream>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "engine/scene/scene_description.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

TEST_CASE("broken scenes are refused with file, line, key and cure", "[scene_file]") {
  const std::filesystem::path folder = std::string(SINEW_TEST_DATA) + "/scenes/broken";
  std::set<std::filesystem::path> scenes;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") scenes.insert(entry.path());
  REQUIRE(scenes.size() >= 60);

  for (const std::filesystem::path& path : scenes) {
    const std::string name = path.filename().string();
    INFO(name);
    std::filesystem::path expected_path = path;
    std::istringstream expected(read_file(expected_path.replace_extension(".expect").string()));
    std::string begin, part;
    std::getline(expected, begin);
    std::getline(expected, part);
    std::string message;
    try {
      read_scene_description(read_file(path.string()), {name, {}});
    } catch (const SceneError& error) {
      message = error.what();
      CHECK(error.file() == name);
      CHECK(error.line() > 0);
      CHECK(message.rfind(name + ":" + std::to_string(error.line()) + ": " + error.key(), 0) == 0);
    }
    INFO("message:  " << message);
    INFO("expected: " << begin << " ... " << part);
    CHECK(message.rfind(begin, 0) == 0);
    CHECK(message.find(part) != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
  }
}
