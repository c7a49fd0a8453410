// `sinew bench contact`: what each way does, and that all of them make the same matrix.
#include "benchmarks/contact_assembly.hpp"

#include <sinew/errors.hpp>

#include "kernels/runtime/executor.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::bench;

TEST_CASE("bench contact: all ways make the same operator, and columns are counted") {
  const auto run = [](const std::vector<std::size_t>& constraints) {
    std::vector<AssemblyCase> cases;
    Executor(2).run(
        [&] { cases = run_assembly_study("slab", constraints, 300, 0.001, [](const std::string&) {}); });
    return cases;
  };
  const std::vector<AssemblyCase> cases = run({300, 600});
  REQUIRE(cases.size() == 2);
  CHECK(cases[0].vertices == 59 * 59 * 4);
  CHECK(cases[0].points == 100);
  CHECK(cases[0].of(kCold).columns == 100);
  for (const char* way : {kSameSet, kNewPoints, kFullTable}) CHECK(cases[0].of(way).columns == 0);
  for (const char* way : {kGramWay, kMatrixFreeProduct, kPlain}) {
    INFO(way);
    CHECK(cases[0].of(way).error >= 0.0);
    CHECK(cases[0].of(way).error < 1e-11);
  }
  CHECK(cases[1].points == 200);
  CHECK(cases[0].timings.size() == cases[1].timings.size() + 1);  // plain up to its limit only
  CHECK(assembly_table(cases).markdown().find("| slab | 600 | gram |") != std::string::npos);
  CHECK_THROWS_WITH(run({12000}), Catch::Matchers::Contains("at most 10443 constraints"));
}
