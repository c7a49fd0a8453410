#include <filesystem>
#include <thread>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "engine/common/atomic_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
namespace fs = std::filesystem;

namespace {
std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
}
}  // namespace

TEST_CASE("atomic file: threads that write one file at once leave one whole content and an untouched umask") {
  const test::TemporaryFolder folder;
  const mode_t before = ::umask(027);
  std::vector<std::thread> threads;
  for (char letter = 'a'; letter < 'e'; ++letter)
    threads.emplace_back([&folder, letter] {
      for (int round = 0; round < 200; ++round) {
        AtomicFile file(folder / "one");
        file.write(std::string(5000, letter));
        file.commit(false);
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(::umask(before) == 027);
  const std::string content = read_file(folder / "one");
  CHECK(content == std::string(5000, content.at(0)));
  CHECK(files_in(folder.path()) == 1);
  struct stat info {};
  REQUIRE(::stat((folder / "one").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0640);
}

TEST_CASE("atomic file: remains of a killed process with the same number are not touched") {
  const test::TemporaryFolder folder;
  for (int number = 0; number < 3000; ++number)
    fs::create_symlink("nowhere",
                       folder / ("x.tmp." + std::to_string(::getpid()) + "." + std::to_string(number)));
  write_file_atomically(folder / "x", "content");
  CHECK(read_file(folder / "x") == "content");
  CHECK(files_in(folder.path()) == 3001);
}

TEST_CASE("atomic file: without commit nothing stays, and the old content is kept") {
  const test::TemporaryFolder folder;
  write_file_atomically(folder / "x", "old");
  {
    AtomicFile file(folder / "x");
    file.write("new");
  }
  CHECK(read_file(folder / "x") == "old");
  CHECK(files_in(folder.path()) == 1);
}
