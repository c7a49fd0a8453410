// Texts of the command line: table, progress, chosen frames.
#include "apps/sinew/pictures.hpp"
#include "apps/sinew/progress.hpp"
#include "apps/sinew/stage_table.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::app;

TEST_CASE("the stage table is aligned and shares are of the frame") {
  Distribution contact;
  contact.median = 1.234;
  contact.p95 = 12.34;
  contact.max = 123.4;
  contact.sum = 25.0;
  Distribution frame = contact;
  frame.median = 0.0456;
  frame.sum = 100.0;
  CHECK(stage_table({{"contact", contact}, {"frame", frame}}) ==
        "stage      median [ms]       p95       max     share\n"
        "contact           1.23      12.3       123    25.0 %\n"
        "frame            0.046      12.3       123   100.0 %\n");
  CHECK(stage_table({{"frame", Distribution{}}}).find("0.0 %") != std::string::npos);  // no division by zero
}

TEST_CASE("progress in one line of the terminal's width") {
  CHECK(clock_text(0.4) == "0:00");
  CHECK(clock_text(754.0) == "12:34");
  CHECK(clock_text(3723.0) == "1:02:03");
  CHECK(clock_text(-5.0) == "0:00");
  const std::string line = progress_line(30, 120, 4.14, 31, 0.4, 80);
  CHECK(line.find("30/120  4.1 ms/frame  31 contacts  0:00 left") != std::string::npos);
  CHECK(line.size() < 80);
  const auto hashes = std::count(line.begin(), line.end(), '#'),
             dots = std::count(line.begin(), line.end(), '.') - 1;
  CHECK(hashes * 3 == Approx(dots).margin(3));
  CHECK(progress_line(30, 120, 4.14, 31, 0.4, 20).size() < 20);
  CHECK(progress_line(0, 0, 0.0, 0, 0.0, 80).size() < 80);
}

TEST_CASE("pictures of a sheet are evenly spaced with first and last") {
  CHECK(evenly_spaced(0, 20, 5, 12) == std::vector<long>{0, 5, 10, 15, 20});
  CHECK(evenly_spaced(0, 300, 4, 4) == std::vector<long>{0, 100, 200, 300});
  CHECK(evenly_spaced(7, 20, 5, 12) == std::vector<long>{10, 15, 20});
  CHECK(evenly_spaced(0, 1000000000, 1, 3) == std::vector<long>{0, 500000000, 1000000000});
  CHECK(evenly_spaced(1, 3, 5, 12).empty());
  CHECK(evenly_spaced(0, 3, 5, 12) == std::vector<long>{0});
}
