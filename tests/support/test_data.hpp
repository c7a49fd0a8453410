// Where the files of tests and scenes are: in the source tree, or where SINEW_TEST_DATA and SINEW_TEST_SCENES say
// on a machine without one.
#pragma once

#include <cstdlib>
#include <string>

namespace sinew::test {

inline std::string test_data() {
  const char* elsewhere = std::getenv("SINEW_TEST_DATA");
  return elsewhere && *elsewhere ? elsewhere : SINEW_TEST_DATA;
}

inline std::string test_scenes() {
  const char* elsewhere = std::getenv("SINEW_TEST_SCENES");
  return elsewhere && *elsewhere ? elsewhere : std::string(SINEW_SOURCE_DIR) + "/assets/scenes";
}

}  // namespace sinew::test
