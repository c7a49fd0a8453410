#include "benchmarks/suite_result.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <sinew/errors.hpp>

#include "benchmarks/suite_files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using namespace sinew::bench;

namespace {

SuiteResult example() {
  SuiteResult result = begin_suite("table3", 2);
  result.load = {0.25, "busy"};
  SuiteRow row;
  row.id = "bar/5.3/defaults";
  row.labels = {{"scene", "A \"bar\""}, {"column", "defaults"}};
  row.values = {{"vertices", 5290}, {"energy_error", NAN}};
  row.samples = {{"frame_median_ms", {3.0, 1.0, 8.0}}, {"local_ms", {0.1}}};
  row.hash = "0123456789abcdef";
  row.valid = false;
  row.warnings = {"elements 40 % more than published"};
  SuiteRow cloth;
  cloth.id = "cloth";
  result.rows = {row, cloth};
  result.advice = {"less"};
  result.failures = {"newt: no mesh"};
  return result;
}

void expect_error(const std::string& text, const std::string& message) {
  INFO(text);
  CHECK_THROWS_WITH(parse_suite(text, "a.json"), Catch::Matchers::Contains(message));
}

}  // namespace

TEST_CASE("suite result: what is written is read again") {
  const SuiteResult a = example(), b = parse_suite(suite_json(a), "a.json");
  CHECK(b.suite == "table3");
  CHECK(b.command == a.command);
  CHECK(b.command.find('/') != 0);  // the folder of the program is no part of it
  CHECK(b.date.size() == 10);
  CHECK(b.version == a.version);
  CHECK(b.threads == 2);
  CHECK(b.machine.cpu == a.machine.cpu);
  CHECK(b.machine.cores == a.machine.cores);
  CHECK(b.machine.memory_bytes == a.machine.memory_bytes);
  CHECK(b.load.others_share == 0.25);
  CHECK(b.load.warning == "busy");
  CHECK(b.advice == a.advice);
  CHECK(b.failures == a.failures);
  REQUIRE(b.rows.size() == 2);
  const SuiteRow& row = *b.row("bar/5.3/defaults");
  CHECK(row.labels == a.rows[0].labels);
  CHECK(row.label("column") == "defaults");
  CHECK(row.label("colour").empty());
  CHECK(row.value("vertices") == 5290);
  CHECK(row.values[1].first == "energy_error");
  CHECK(std::isnan(row.value("energy_error")));
  CHECK(row.samples == a.rows[0].samples);
  CHECK(row.median("frame_median_ms") == 3.0);
  CHECK(std::isnan(row.median("contact_ms")));
  CHECK(row.hash == a.rows[0].hash);
  CHECK_FALSE(row.valid);
  CHECK(row.warnings == a.rows[0].warnings);
  CHECK(b.rows[1].valid);
  CHECK(b.row("none") == nullptr);
}

TEST_CASE("suite result: an id stands once") {
  SuiteResult result = example();
  result.rows[1].id = result.rows[0].id;
  CHECK_THROWS_AS(suite_json(result), Error);
  expect_error(R"({"format": "sinew-bench-1", "suite": "a", "rows": [{"id": "x"},
{"id": "x"}]})",
               "a.json:2: rows.1.id 'x' stands in an earlier row");
}

TEST_CASE("suite result: a faulty file gives one line with place and reason") {
  expect_error("{", "a.json:");
  expect_error("[1]", "an object { ... } is needed");
  expect_error(R"({"study": "twist"})", "a.json:1: the file lacks 'format': it is no result of a suite");
  expect_error(R"({"format": "sinew-bench-9"})", "this program reads 'sinew-bench-1'");
  expect_error(R"({"format": "sinew-bench-1", "suite": "a"})", "lacks 'rows'");
  expect_error(R"({"format": "sinew-bench-1", "suite": 3, "rows": []})",
               "suite is the number 3; a text is needed");
  expect_error(R"({"format": "sinew-bench-1", "suite": "a", "rows": [{}]})", "rows.0 lacks 'id'");
  expect_error(R"({"format": "sinew-bench-1", "suite": "a", "rows": [{"id": "x", "values": {"ms": "3"}}]})",
               "rows.0.values.ms is the text '3'; a number or null is needed");
  expect_error(R"({"format": "sinew-bench-1", "suite": "a", "rows": [{"id": "x", "samples": {"ms": 3}}]})",
               "rows.0.samples.ms is the number 3; a list of numbers is needed");
  CHECK_THROWS_AS(read_suite("/no/such/file.json"), IoError);
}

TEST_CASE("suite result: median of the repeats") {
  CHECK(median_of({4.0, 1.0}) == 2.5);
  CHECK(median_of({NAN, 7.0}) == 7.0);
  CHECK(std::isnan(median_of({})));
}

TEST_CASE("machine load: others' share is what the program itself did not use") {
  const auto before = parse_core_times("cpu  100 0 0 900 0 0 0 0 50 0", 100.0);
  const auto after = parse_core_times("cpu  400 10 60 1100 200 10 10 10 90 0", 100.0);
  REQUIRE(before);
  REQUIRE(after);
  CHECK(before->busy == Approx(1.0));
  CHECK(before->all == Approx(10.0));
  CHECK(after->busy == Approx(5.0));  // guests stand within user time, waiting for a disk is idle time
  CHECK(after->all == Approx(18.0));
  const MachineLoad quiet = load_between(before, after, 3.9);
  CHECK(quiet.others_share == Approx(0.1 / 8.0));
  CHECK(quiet.warning.empty());
  const MachineLoad busy = load_between(before, after, 2.0);
  CHECK(busy.others_share == Approx(0.25));
  CHECK_THAT(busy.warning, Catch::Matchers::Contains("25 %"));
  CHECK(load_between(before, after, 5.0).others_share == 0.0);  // clocks of different grain
  const MachineLoad unknown = load_between(std::nullopt, after, 1.0);
  CHECK(std::isnan(unknown.others_share));
  CHECK_FALSE(unknown.warning.empty());
  CHECK_FALSE(parse_core_times("cpu0 1 2 3 4 5 6 7 8", 100.0));
  CHECK_FALSE(parse_core_times("cpu  1 2 3 4", 100.0));
}

TEST_CASE("suite files: the folder of a machine") {
  CHECK(machine_folder({"Intel(R) Core(TM) i9-13900KF @ 3.00GHz", 24, 0, "", ""}) ==
        "intel-core-i9-13900kf-24core");
  CHECK(
      machine_folder({"AMD Ryzen 9 7950X 16-Core Processor", 32, 0, "", ""}).rfind("amd-ryzen-9-7950x", 0) ==
      0);
  CHECK(machine_folder({"", 1, 0, "", ""}) == "unknown-1core");
  CHECK(generation_of(25, 17) == "Zen 4");
  CHECK(generation_of(25, 1) == "Zen 3");
  CHECK(generation_of(23, 49) == "Zen 2");
  CHECK(generation_of(6, 85).empty());
}

TEST_CASE("suite files: a result is saved beside those of other machines") {
  const test::TemporaryFolder folder;
  const std::string results = folder / "results";
  CLI::App app;
  SuiteFiles files;
  files.add_options(app);
  app.parse("--save --results-folder " + results + " --markdown " + (folder / "t.md"));
  files.open("table3-small");
  const std::string path = results + "/" + machine_folder(machine_info()) + "/table3-small.json";
  CHECK_FALSE(std::filesystem::exists(path));
  files.write(example(), "text\n");
  CHECK(read_suite(path).rows.size() == 2);
  std::ifstream markdown(folder / "t.md");
  std::string text;
  std::getline(markdown, text);
  CHECK(text == "text");
}
