#include "benchmarks/memory.hpp"

#include <cmath>

#include "benchmarks/bench_command.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::bench;

namespace {

/// A row of two unknowns, A = [[a, b], [b, c]]: S = L^-1 has three entries, of the 3n system nine.
BenchProblem two_nodes() {
  BenchProblem problem;
  problem.shape = "Two-node bar";
  problem.published_vertices = 1.0;
  problem.published_elements = 1.0;
  problem.published_S_MB = 0.5;
  problem.make = [] {
    BenchSystem system;
    system.matrix.size = 2;
    system.matrix.column_start = {0, 2, 3};
    system.matrix.row = {0, 1, 1};
    system.matrix.value = {2.0, -1.0, 2.0};
    system.vertices = 2;
    system.elements = 1;
    return system;
  };
  return problem;
}

}  // namespace

TEST_CASE("memory: bytes of a row by hand") {
  Executor executor(1);
  SuiteRow row;
  executor.run([&] { row = memory_row(two_nodes(), [](const std::string&) {}); });
  CHECK(row.id == "memory/two_node_bar/0.0");
  CHECK(row.value("nnz_factor") == 3);
  CHECK(row.value("S_bytes") == 9 * (8 + 4) + 7 * 4);
  CHECK(row.value("S_float_bytes") == 9 * (4 + 4) + 7 * 4);
  CHECK(row.value("dense_bytes") == 6 * 6 * 8);
  CHECK(row.value("dense_float_bytes") == 6 * 6 * 4);
  CHECK(row.value("published_ratio") == Approx(0.5e6 / row.value("staged_bytes")));
  CHECK(std::isnan(row.value("published_dense_MB")));
  CHECK_FALSE(row.valid);  // two vertices where one was published
  REQUIRE(row.warnings.size() == 1);
  CHECK(row.warnings[0] == "vertices 2, published 1");
}

TEST_CASE("memory: a published row in double and in float") {
  Executor executor(2);
  SuiteResult result = begin_suite("memory", 2);
  executor.run([&] {
    for (const BenchProblem& problem : published_problems())
      if (problem.name == "bar 5.3k") result.rows.push_back(memory_row(problem, [](const std::string&) {}));
  });
  REQUIRE(result.rows.size() == 1);
  const SuiteRow& row = result.rows[0];
  CHECK(row.id == "memory/bar/5.3");
  CHECK(row.valid);
  CHECK(row.warnings.empty());
  // Structure and numbers; only the numbers halve.
  CHECK(row.value("staged_float_bytes") > 0.5 * row.value("staged_bytes"));
  CHECK(row.value("staged_float_bytes") < 0.6 * row.value("staged_bytes"));
  CHECK(row.value("S_bytes") > 10.0 * row.value("staged_bytes"));
  CHECK_THAT(memory_suite_table(result).markdown(), Catch::Matchers::Contains("| 125 | 961 | 28 |"));
}

TEST_CASE("memory: the published dense inverses are (3n)^2 floats in MiB, to the digit") {
  int rows = 0;
  for (const BenchProblem& problem : published_problems()) {
    if (!(problem.published_dense_MB > 0.0)) continue;
    const double n = std::sqrt(problem.published_dense_MB * 1048576.0 / sizeof(float)) / 3.0;
    INFO(problem.name);
    CHECK(std::abs(n - std::round(n)) < 0.03);
    CHECK(n == Approx(problem.published_vertices).epsilon(0.01));
    ++rows;
  }
  CHECK(rows == 16);
}

TEST_CASE("bench: a study with two names is one command") {
  CLI::App app;
  add_bench_command(app);
  CLI::App* bench = app.get_subcommand("bench");
  CHECK(bench->get_subcommand("convergence") == bench->get_subcommand("twist"));
}
