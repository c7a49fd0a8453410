// Entry point of every test program; with Catch2 version 3 the library brings it.
#if SINEW_CATCH2_VERSION < 3
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

/// The status of version 2 is the number of failed checks; 4 of them are not to be taken for a skipped case.
int main(int argc, char** argv) {
  const int status = Catch::Session().run(argc, argv);
  return status == 4 ? 5 : status;
}
#endif

#include <filesystem>
#include <string>

#include <stdlib.h>
#include <unistd.h>

namespace {

/// Tests, and programs that they start, keep prepared data in a folder of this process: they leave the user's
/// cache alone, and no test finds what another one has prepared. It is made by the first who stores
/// something.
class OwnCacheFolder {
 public:
  OwnCacheFolder()
      : path_(std::filesystem::temp_directory_path() / ("sinew_test_cache_" + std::to_string(::getpid()))) {
    ::setenv("XDG_CACHE_HOME", path_.c_str(), 1);
  }
  ~OwnCacheFolder() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
  }

 private:
  std::filesystem::path path_;
};

const OwnCacheFolder own_cache_folder;

}  // namespace
