// Walks tests/data/meshes/broken: each NAME has NAME.expect with a part of the message, or the kind of a
// fault.
#include <filesystem>
#include <fstream>

#include <sinew/errors.hpp>

#include <sinew/mesh_io.hpp>

#include "tests/support/catch.hpp"

using namespace sinew;

TEST_CASE("broken files are refused or judged by name") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SINEW_TEST_DATA "/meshes/broken")) {
    const std::string path = entry.path().string();
    if (!std::filesystem::exists(path + ".expect")) continue;
    ++files;
    std::ifstream in(path + ".expect");
    std::string expected;
    std::getline(in, expected);
    std::string outcome;
    try {
      const MeshFile file = read_mesh(path);
      for (const std::string& note : file.notes) outcome += "note: " + note + "\n";
      for (const MeshFault& fault : inspect_mesh(file).faults) {
        outcome += fault.kind + ":";
        for (const long number : fault.numbers) outcome += " " + std::to_string(number);
        outcome += ";\n";
      }
    } catch (const MeshError& error) {
      outcome = error.what();
      CHECK(outcome.find('\n') == std::string::npos);
      CHECK(outcome.find(entry.path().filename().string()) != std::string::npos);
    }
    INFO(path << "\nexpected: " << expected << "\ngot: " << outcome);
    CHECK_FALSE(expected.empty());
    CHECK(outcome.find(expected) != std::string::npos);
  }
  CHECK(files >= 20);
}
