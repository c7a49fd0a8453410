// `sinew bench`: what it prints and writes.
#include <filesystem>

#include <json/json.h>

#include "engine/common/atomic_file.hpp"
#include "tests/apps/run_program.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using test::ProgramResult;
using test::run_sinew;

TEST_CASE("bench list names every study once") {
  const test::TemporaryFolder folder;
  const ProgramResult result = run_sinew(folder.path(), {"bench", "list"});
  CHECK(result.status == 0);
  const std::size_t at = result.out.find("twist ");
  REQUIRE(at != std::string::npos);
  CHECK(result.out.find("\ntwist ", at + 1) == std::string::npos);
}

TEST_CASE("bench twist: table, JSON and Markdown say the same") {
  const test::TemporaryFolder folder;
  const ProgramResult result =
      run_sinew(folder.path(), {"bench", "twist", "--size", "small", "--material", "arap", "--young", "1e5",
                                "--iterations", "30", "--json", "t.json", "--markdown", "t.md"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.err.empty());  // no progress line where stderr is a file
  Json::Value root;
  Json::CharReaderBuilder builder;
  std::string errors;
  const std::string text = read_file(folder / "t.json");
  const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
  REQUIRE(reader->parse(text.data(), text.data() + text.size(), &root, &errors));
  CHECK(root["study"].asString() == "twist");
  CHECK(root["threads"].asInt() >= 1);
  CHECK(root["machine"]["cores"].asInt() >= 1);
  REQUIRE(root["cases"].size() == 1);
  const Json::Value& one = root["cases"][0];
  CHECK(one["material"].asString() == "arap");
  CHECK(one["young_Pa"].asDouble() == 1e5);
  CHECK(one["vertices"].asInt() == 1323);
  CHECK(one["energy_best_Js2"].asDouble() < one["energy_first_Js2"].asDouble());
  REQUIRE(one["methods"].size() == 5);
  const std::string table = read_file(folder / "t.md");
  for (const Json::Value& method : one["methods"]) {
    const std::string name = method["method"].asString();
    INFO(name);
    CHECK(result.out.find(name) != std::string::npos);
    CHECK(table.find("| " + name + " |") != std::string::npos);
    const Json::Value& error = method["error"];
    CHECK(method["iteration"].size() == error.size());
    CHECK(method["ms"].size() == error.size());
    CHECK(error[0].asDouble() == 1.0);
    const int at = method["iterations_to_1e-3"].asInt();
    if (name == "jacobi") {
      CHECK(at == -1);  // 30 sweeps are not enough
    } else {
      REQUIRE(at > 0);
      REQUIRE(at <= 30);  // the first twenty are all kept
      if (at <= 20) {
        CHECK(error[at].asDouble() <= 1e-3);
        CHECK(error[at - 1].asDouble() > 1e-3);
      }
    }
  }
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) <= 4);
}

TEST_CASE("bench friction: table, JSON and Markdown say the same", "[slow]") {
  const test::TemporaryFolder folder;
  const ProgramResult result =
      run_sinew(folder.path(), {"bench", "friction", "--methods", "exact-mass-fixed,newton", "--young", "1e5",
                                "--json", "f.json", "--markdown", "f.md"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.err.empty());
  Json::Value root;
  Json::CharReaderBuilder builder;
  std::string errors;
  const std::string text = read_file(folder / "f.json"), table = read_file(folder / "f.md");
  const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
  REQUIRE(reader->parse(text.data(), text.data() + text.size(), &root, &errors));
  CHECK(root["study"].asString() == "friction");
  CHECK(root["published_error_mass"].asDouble() == 0.1);
  REQUIRE(root["cases"].size() == 2);
  for (const Json::Value& c : root["cases"]) {
    CHECK(c["young_Pa"].asDouble() == 1e5);
    CHECK(c["time_step_s"].asDouble() == 0.01);
    CHECK(result.out.find(c["method"].asString()) != std::string::npos);
    CHECK(table.find("| " + c["method"].asString() + " | 1e+05 | 0.01 |") != std::string::npos);
  }
  const Json::Value &mass = root["cases"][0], &newton = root["cases"][1];
  CHECK_FALSE(mass["seen"]["below_that"].asBool());
  CHECK(mass["seen"]["error_in_mu"].asDouble() > 0.01);
  CHECK(newton["method"].asString() == "newton");
  CHECK(newton["seen"]["below_that"].asBool());
  CHECK(newton["at_rest"]["below_that"].asBool());
  CHECK(newton["unconverged_frames"].asDouble() == 0.0);
}
