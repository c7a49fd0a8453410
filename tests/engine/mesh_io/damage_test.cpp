// Truncated and garbled files: every reader either reads or throws sinew::Error, and what it reads can be
// judged.
#include <filesystem>

#include <sinew/errors.hpp>

#include "engine/mesh_io/format.hpp"
#include "tests/engine/mesh_io/sample_files.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

// True where the content reads; anything but sinew::Error fails the test.
bool reads(const TemporaryFolder& folder, const std::string& name, const std::string& content) {
  try {
    MeshFile file =
        mesh_io::read_source({folder.path(name), std::filesystem::path(name).extension().string(), content});
    inspect_mesh(file);
    repair_mesh(file, RepairLevel::all);
    const MeshReport report = inspect_mesh(file);
    to_text(report);
    return true;
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find('\n') != std::string::npos || message.find(name.substr(0, 3)) == std::string::npos)
      FAIL("not one line that names the file: " << message);
    return false;
  }
}

}  // namespace

TEST_CASE("truncated files") {
  const TemporaryFolder folder;
  for (const Sample& sample : samples()) {
    INFO(sample.name);
    if (!sample.companion_name.empty()) folder.write(sample.companion_name, sample.companion);
    std::size_t failed = 0, tried = 0;
    for (std::size_t size = 0; size < sample.content.size(); size += 7, ++tried)
      failed += reads(folder, sample.name, sample.content.substr(0, size)) ? 0 : 1;
    // Most prefixes lack elements; OBJ and Medit may end early with what there is.
    CHECK(failed > tried / 3);
  }
}

TEST_CASE("garbled files") {
  const TemporaryFolder folder;
  for (const Sample& sample : samples()) {
    INFO(sample.name);
    if (!sample.companion_name.empty()) folder.write(sample.companion_name, sample.companion);
    for (std::size_t at = 0; at < sample.content.size(); at += 3)
      for (const char byte : {'\xff', '\0', '9', '-'}) {
        std::string content = sample.content;
        content[at] = byte;
        reads(folder, sample.name, content);
      }
  }
}

TEST_CASE("digits blown up to huge counts do not take memory") {
  const TemporaryFolder folder;
  for (const Sample& sample : samples()) {
    INFO(sample.name);
    if (!sample.companion_name.empty()) folder.write(sample.companion_name, sample.companion);
    for (std::size_t at = 0; at < sample.content.size(); ++at) {
      if (sample.content[at] < '0' || sample.content[at] > '9') continue;
      for (const char* number : {"99999999999", "9223372036854775807", "-1"}) {
        std::string content = sample.content;
        content.replace(at, 1, number);
        reads(folder, sample.name, content);
        at += at % 2;  // every digit or every other one is enough
      }
    }
  }
}
