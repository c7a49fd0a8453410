// Where the files of tests are: in the source tree, or where SINEW_TEST_DATA says on a machine without one.
#pragma once

#include <cstdlib>
#include <string>

namespace sinew::test {

inline std::string test_data() {
  const char* elsewhere = std::getenv("SINEW_TEST_DATA");
  return elsewhere && *elsewhere ? elsewhere : SINEW_TEST_DATA;
}

}  // namespace sinew::test
