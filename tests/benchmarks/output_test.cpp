#include "benchmarks/output.hpp"

#include <filesystem>

#include <sinew/errors.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using namespace sinew::bench;

TEST_CASE("table: aligned columns and Markdown") {
  Table table({"method", "ms"});
  table.add({"staged", "1.25"});
  table.add({"pcg", "110.5"});
  CHECK(table.text() ==
        "method     ms\n"
        "staged   1.25\n"
        "pcg     110.5\n");
  CHECK(table.markdown() == "| method | ms |\n|---|---:|\n| staged | 1.25 |\n| pcg | 110.5 |\n");
}

TEST_CASE("words and ranges of the command line are checked with a way out") {
  CHECK_NOTHROW(require_known("--size", "small", {"small", "large"}));
  CHECK_THROWS_WITH(require_known("--size", "smal", {"small", "large"}),
                    Catch::Matchers::Contains("did you mean 'small'"));
  CHECK_NOTHROW(require_range("--threads", 4, 0, 4));
  CHECK_THROWS_WITH(require_range("--threads", 5, 0, 4), Catch::Matchers::Contains("from 0 to 4"));
}
