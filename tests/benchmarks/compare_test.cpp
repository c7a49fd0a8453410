#include "benchmarks/compare.hpp"

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using namespace sinew::bench;
using Catch::Matchers::Contains;

namespace {

std::vector<double> exponentials(const std::vector<double>& logs) {
  std::vector<double> values;
  for (const double l : logs) values.push_back(std::exp(l));
  return values;
}

SuiteRow row_of(const std::string& id, double factor) {
  SuiteRow row;
  row.id = id;
  row.values = {{"vertices", 5290},
                {"precompute_bytes", 4.5e6},
                {"precompute_ms", 20.0 * factor},
                {"max_penetration_m", 1e-5},
                {"energy_error", 1e-3}};
  for (const char* name : {"median_ms", "detect_ms", "local_ms"})
    row.samples.push_back({name, {2.00 * factor, 2.02 * factor, 2.01 * factor, 2.03 * factor}});
  row.hash = "0123456789abcdef";
  return row;
}

SuiteResult result_of(double factor = 1.0) {
  SuiteResult result = begin_suite("table3", 2);
  result.machine = {"AMD EPYC", 2, 24e9, "g++ 12.2.0", "Linux x86_64"};
  result.rows = {row_of("bar", factor), row_of("cloth", factor)};
  return result;
}

const SampleChange& sample(const Comparison& c, const std::string& id, const std::string& name) {
  for (const SampleChange& s : c.samples)
    if (s.id == id && s.sample == name) return s;
  throw Error("no such sample");
}

/// Runs "compare WORDS" as the program would. @returns what it throws, "" if nothing.
std::string run_command(std::vector<std::string> words) {
  CLI::App app;
  add_compare_case(*app.add_subcommand("compare"));
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  reversed.emplace_back("compare");
  try {
    app.parse(reversed);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("Student's t: printed tables and closed forms") {
  CHECK(student_t_95(1.0) == Approx(std::tan(0.475 * M_PI)).epsilon(1e-6));  // Cauchy
  CHECK(student_t_95(2.0) == Approx(0.95 * std::sqrt(2.0 / (1.0 - 0.95 * 0.95))).epsilon(1e-6));
  CHECK(student_t_95(3.0) == Approx(3.182446).epsilon(1e-6));
  CHECK(student_t_95(4.0) == Approx(2.776445).epsilon(1e-6));
  CHECK(student_t_95(10.0) == Approx(2.228139).epsilon(1e-6));
  CHECK(student_t_95(30.0) == Approx(2.042272).epsilon(1e-6));
  CHECK(student_t_95(1e7) == Approx(1.959964).epsilon(1e-6));
}

TEST_CASE("ratio interval: by hand") {
  // Logarithms 0, 0.2 and 1, 1.2: variances 0.02, se^2 = 0.02, nu = 2, t = 4.302653.
  const RatioInterval two = ratio_interval(exponentials({0.0, 0.2}), exponentials({1.2, 1.0}));
  CHECK(two.ratio == Approx(std::exp(1.0)));
  CHECK(two.degrees_of_freedom == Approx(2.0));
  CHECK(two.low == Approx(std::exp(1.0 - 4.302653 * std::sqrt(0.02))).epsilon(1e-6));
  CHECK(two.high == Approx(std::exp(1.0 + 4.302653 * std::sqrt(0.02))).epsilon(1e-6));
  // Without scatter in B the degrees of freedom are A's: 3 - 1.
  const RatioInterval one_side = ratio_interval(exponentials({0.0, 0.1, 0.2}), exponentials({0.3, 0.3, 0.3}));
  CHECK(one_side.degrees_of_freedom == Approx(2.0));
  CHECK(std::log(one_side.high / one_side.ratio) == Approx(4.302653 * std::sqrt(0.01 / 3.0)).epsilon(1e-6));
  // Variances 2.5e-4 of five and 4e-4 of three: nu = (5e-5 + 4e-4/3)^2 / (5e-5^2/4 + (4e-4/3)^2/2) = 3.5329.
  const RatioInterval uneven =
      ratio_interval(exponentials({-0.02, -0.01, 0.0, 0.01, 0.02}), exponentials({-0.02, 0.0, 0.02}));
  CHECK(uneven.ratio == Approx(1.0));
  CHECK(uneven.degrees_of_freedom == Approx(3.53285).epsilon(1e-4));
  CHECK(uneven.low < 1.0);
  CHECK(uneven.high > 1.0);
  CHECK_FALSE(uneven.excludes_one());
}

TEST_CASE("ratio interval: what has too few repeats has none") {
  const RatioInterval single = ratio_interval({2.0}, {3.0, 3.1});
  CHECK(single.ratio == Approx(std::sqrt(3.0 * 3.1) / 2.0));
  CHECK_FALSE(single.known());
  CHECK_FALSE(single.excludes_one());
  CHECK(std::isnan(ratio_interval({}, {1.0}).ratio));
  CHECK(std::isnan(ratio_interval({NAN, 0.0, -1.0}, {1.0}).ratio));
  const RatioInterval exact = ratio_interval({2.0, 2.0}, {3.0, 3.0});
  CHECK(exact.ratio == Approx(1.5));
  CHECK(exact.low == exact.ratio);
  CHECK(exact.high == exact.ratio);
}

TEST_CASE("ratio interval: holds the true ratio in 95 of 100 runs, with few repeats of uneven scatter") {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  constexpr int kRuns = 3000;
  int inside = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> a, b;
    for (int k = 0; k < 5; ++k) a.push_back(10.0 * std::exp(0.05 * normal(random)));
    for (int k = 0; k < 4; ++k) b.push_back(13.0 * std::exp(0.15 * normal(random)));
    const RatioInterval r = ratio_interval(a, b);
    inside += r.low <= 1.3 && 1.3 <= r.high ? 1 : 0;
  }
  CHECK(static_cast<double>(inside) / kRuns == Approx(0.95).margin(0.015));
}

TEST_CASE("compare: equal files show nothing") {
  const Comparison c = compare(result_of(), result_of());
  CHECK(c.remarks.empty());
  CHECK(c.samples.size() == 6);
  CHECK(c.values.empty());
  CHECK(c.hashes.empty());
  for (const SampleChange& s : c.samples) {
    CHECK(s.ratio.ratio == 1.0);
    CHECK(s.change() == Change::none);
    CHECK(s.main == (s.sample == "median_ms"));
  }
  const std::string text = comparison_text(c, false, false);
  CHECK_THAT(text, Contains("Nothing changed among 6 samples."));
  CHECK_THAT(text, !Contains("Changed\n"));
}

TEST_CASE("compare: a slowed stage shows up with its name and its factor") {
  const SuiteResult a = result_of();
  SuiteResult b = result_of();
  b.rows[1].samples[2].second = {2.8, 2.83, 2.81, 2.82};  // local_ms of cloth, 1.4 times
  const Comparison c = compare(a, b);
  for (const SampleChange& s : c.samples) {
    const bool slowed = s.id == "cloth" && s.sample == "local_ms";
    CHECK(s.change() == (slowed ? Change::slower : Change::none));
  }
  const SampleChange& slow = sample(c, "cloth", "local_ms");
  CHECK(slow.ratio.ratio == Approx(1.397).epsilon(1e-3));
  CHECK(slow.ratio.low > 1.37);
  CHECK(slow.ratio.high < 1.42);
  const std::string text = comparison_text(c, false, false);
  CHECK_THAT(text, Contains("Changed\n"));
  CHECK_THAT(text, Contains("cloth  local_ms"));
  CHECK_THAT(text, Contains("1.397"));
  CHECK_THAT(text, Contains("1 of 6 samples slower, 0 faster"));
  REQUIRE(slower_than(c, 1.3).size() == 1);
  CHECK(slower_than(c, 1.3)[0].sample == "local_ms");
  CHECK(slower_than(c, 1.395).empty());  // the interval reaches below that
  CHECK(sample(compare(b, a), "cloth", "local_ms").change() == Change::faster);
}

TEST_CASE("compare: small or uncertain changes are none") {
  SuiteResult a = result_of(), b = result_of(1.02);
  CHECK(sample(compare(a, b), "bar", "local_ms").ratio.low > 1.0);
  CHECK(sample(compare(a, b), "bar", "local_ms").change() == Change::none);  // 2 %
  b.rows[0].samples[2].second = {2.0, 6.0};
  CHECK(sample(compare(a, b), "bar", "local_ms").change() == Change::none);  // scatter
  b.rows[0].samples[2].second = {6.0};
  CHECK(sample(compare(a, b), "bar", "local_ms").change() == Change::unknown);
  CHECK_THAT(comparison_text(compare(a, b), true, false), Contains("no interval"));
}

TEST_CASE("compare: hashes, accuracy, bytes, and rows that are missing or invalid") {
  SuiteResult a = result_of(), b = result_of(1.5);
  b.rows[0].hash = "f";
  b.rows[0].values[1].second = 5e6;
  b.rows[0].values[3].second = 1.04e-5;  // less than 5 % worse
  b.rows[0].values[4].second = NAN;
  b.rows[1].values[3].second = 1.06e-5;
  b.rows[1].values[4].second = 0.5e-3;  // better
  b.rows.push_back(row_of("newt", 1.0));
  b.rows.back().valid = false;
  a.rows.push_back(row_of("ball", 1.0));
  const Comparison c = compare(a, b);
  CHECK(c.hashes == std::vector<std::string>{"bar"});
  CHECK(c.only_a == std::vector<std::string>{"ball"});
  CHECK(c.only_b == std::vector<std::string>{"newt"});
  CHECK(c.invalid_b == std::vector<std::string>{"newt"});
  CHECK(c.invalid_a.empty());
  std::vector<std::string> worse, other;
  for (const ValueChange& v : c.values) (v.worse ? worse : other).push_back(v.id + " " + v.value);
  CHECK(worse == std::vector<std::string>{"bar energy_error", "cloth max_penetration_m"});
  // precompute_ms is a time, which has its place among samples or none.
  CHECK(other ==
        std::vector<std::string>{"bar precompute_bytes", "bar max_penetration_m", "cloth energy_error"});
  const std::string text = comparison_text(c, false, false);
  CHECK_THAT(text, Contains("Another final state\n  bar\n"));
  CHECK_THAT(text, Contains("Only in A\n  ball\n"));
  CHECK_THAT(text, Contains("Invalid in B\n  newt\n"));
  CHECK_THAT(text, Contains("unknown"));
  b.rows[0].values[3].second = 1.0e-5 + 0.9e-9;
  a.rows[0].values[3].second = 1e-10;
  b.rows[0].values[3].second = 9e-10;  // nine times rounding is rounding
  for (const ValueChange& v : compare(a, b).values)
    CHECK((v.value != "max_penetration_m" || v.id != "bar" || !v.worse));
}

TEST_CASE("compare: rows without samples have their values only") {
  SuiteResult a = result_of(), b = result_of();
  for (SuiteResult* result : {&a, &b})
    for (SuiteRow& row : result->rows) row.samples.clear();
  CHECK_THAT(comparison_text(compare(a, b), false, false), Contains("No samples to compare."));
  b.rows[0].values[1].second = 9e6;
  const std::string text = comparison_text(compare(a, b), false, false);
  CHECK(text.rfind("Other values that differ\n", 0) == 0);
  CHECK_THAT(text, Contains("bar  precompute_bytes  4500000  9000000  2.000"));
}

TEST_CASE("compare: what makes ratios meaningless is said first") {
  const SuiteResult a = result_of();
  SuiteResult b = result_of();
  b.machine.cpu = "Another";
  b.threads = 1;
  b.machine.compiler = "clang++ 16";
  b.load = {0.3, "other programs took 30 %"};
  const std::string text = comparison_text(compare(a, b), false, false);
  CHECK(text.rfind("Mind\n  different machines: ratios say nothing about the code", 0) == 0);
  CHECK_THAT(text, Contains("different numbers of threads: A has 2, B 1"));
  CHECK_THAT(text, Contains("different compilers"));
  CHECK_THAT(text, Contains("B: other programs took 30 %"));
  SuiteResult other = result_of();
  other.suite = "memory";
  CHECK_THROWS_WITH(compare(a, other), Contains("A holds the suite 'table3', B 'memory'"));
  other = result_of();
  for (SuiteRow& row : other.rows) row.id += "x";
  CHECK_THROWS_WITH(compare(a, other), Contains("no row of A stands in B"));
}

TEST_CASE("compare: the command writes files and fails above a ratio") {
  const test::TemporaryFolder folder;
  SuiteResult slow = result_of();
  slow.rows[0].samples[1].second = {5.0, 5.1, 5.05};
  const std::string a = folder / "a.json", b = folder / "b.json";
  write_file_atomically(a, suite_json(result_of()));
  write_file_atomically(b, suite_json(slow));
  CHECK(run_command({a, a, "--fail-above", "1.01"}).empty());
  CHECK(run_command({a, b, "--json", folder / "c.json", "--markdown", folder / "c.md"}).empty());
  CHECK_THAT(read_file(folder / "c.json"), Contains("\"change\": \"slower\""));
  CHECK_THAT(read_file(folder / "c.md"), Contains("| bar | detect_ms | 2.015 | 5.05 |"));
  CHECK(run_command({a, b, "--fail-above", "2.6"}).empty());
  CHECK_THAT(run_command({a, b, "--fail-above", "2"}), Contains("worst: bar detect_ms, 2.50"));
  CHECK_THAT(run_command({a, b, "--fail-above", "0.5"}), Contains("give a ratio from 1 to 1000"));
  write_file_atomically(b, "{");
  CHECK_THAT(run_command({a, b}), Contains("b.json:"));
  CHECK_THAT(run_command({a, folder / "none.json"}), Contains("none.json"));
  for (SuiteRow& row : slow.rows) row.samples.resize(1), row.samples[0].second.resize(1);
  write_file_atomically(b, suite_json(slow));
  CHECK_THAT(run_command({a, b, "--fail-above", "1.1"}), Contains("no sample has two repeats"));
}
