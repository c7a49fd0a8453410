#include <filesystem>

#include "engine/common/atomic_file.hpp"
#include "engine/precompute/disk_cache.hpp"
#include "tests/apps/run_program.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using test::run_sinew;

TEST_CASE("sinew cache tells what is there and removes our own files only") {
  const test::TemporaryFolder folder;
  const std::string place = folder / "cache/sinew";
  const std::vector<std::pair<std::string, std::string>> environment{{"XDG_CACHE_HOME", folder / "cache"}};

  auto result = run_sinew(folder.path(), {"cache", "info"}, environment);
  CHECK(result.status == 0);
  CHECK(result.out == "folder   " + place + "\nentries  0\nsize     0 B of at most 2.1 GB\n");
  CHECK_FALSE(std::filesystem::exists(folder / "cache"));  // looking makes nothing

  DiskCache cache(place);
  for (const std::uint64_t i : {1, 2})
    REQUIRE(cache.store({{i, i}, ""}, [](ByteWriter& out) { out.add(std::vector<double>(1000, 1.0)); }));
  write_file_atomically(place + "/notes.txt", "mine");
  result = run_sinew(folder.path(), {"cache", "info"}, environment);
  CHECK(result.out.find("entries  2\nsize     16 kB") != std::string::npos);
  result = run_sinew(folder.path(), {"cache", "info", "--folder", place});
  CHECK(result.out.find("entries  2\n") != std::string::npos);
  result = run_sinew(folder.path(), {"cache", "clear"}, environment);
  CHECK(result.status == 0);
  CHECK(result.out == "removed 2 entries (16 kB) from " + place + "\n");
  CHECK(cache.entries().empty());
  CHECK(read_file(place + "/notes.txt") == "mine");
}

TEST_CASE("sinew cache: wrong lines and a missing home are one line with status 2") {
  const test::TemporaryFolder folder;
  auto result = run_sinew(folder.path(), {"cache"});
  CHECK(result.status == 2);
  result = run_sinew(folder.path(), {"cache", "cler"});
  CHECK(result.status == 2);
  CHECK(result.err.find("clear") != std::string::npos);
  result = run_sinew(folder.path(), {"cache", "info"}, {{"XDG_CACHE_HOME", "relative"}, {"HOME", ""}});
  CHECK(result.status == 2);
  CHECK(result.err.find("no folder for caches") != std::string::npos);
}
