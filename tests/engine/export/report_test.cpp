#include <sinew/report.hpp>

#include <cmath>
#include <numeric>
#include <sstream>

#include <fmt/format.h>
#include <json/json.h>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/small_model.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;

namespace {
Json::Value parse(const std::string& text) {
  Json::Value root;
  std::string errors;
  std::istringstream stream(text);
  REQUIRE(Json::parseFromStream(Json::CharReaderBuilder(), stream, &root, &errors));
  return root;
}

RunReport::Settings settings(bool per_frame) {
  RunReport::Settings s;
  s.scene_name = "small";
  s.scene_file = "small.json";
  s.threads = 2;
  s.machine.cpu = "test processor";
  s.warnings = {"from the scene"};
  s.per_frame = per_frame;
  return s;
}
}  // namespace

TEST_CASE("order statistics of known numbers") {
  std::vector<double> values(101);
  std::iota(values.rbegin(), values.rend(), 0.0);  // 100 ... 0
  const Distribution d = distribution(values);
  CHECK(d.median == 50.0);
  CHECK(d.p95 == Approx(95.0));
  CHECK(d.p99 == Approx(99.0));
  CHECK(d.max == 100.0);
  CHECK(d.mean == 50.0);
  CHECK(d.sum == 5050.0);
  // Between ranks: linear. Four values: rank 0.5 * 3 = 1.5, 0.95 * 3 = 2.85.
  const Distribution four = distribution({4.0, 1.0, 3.0, 2.0});
  CHECK(four.median == 2.5);
  CHECK(four.p95 == Approx(3.85));
  const Distribution one = distribution({7.0});
  CHECK(one.median == 7.0);
  CHECK(one.p99 == 7.0);
  CHECK(distribution({}).max == 0.0);
}

TEST_CASE("the report has every key of the contract", "[scene]") {
  Simulation simulation(test::small_model());
  RunReport report(simulation, settings(true));
  double worst_penetration = 0.0, longest = 0.0;
  for (int i = 0; i < 4; ++i) {
    const StepStatistics& s = simulation.step();
    worst_penetration = std::max(worst_penetration, s.max_penetration_m);
    longest = std::max(longest, s.ms.frame);
    report.add(simulation, 1.5);
  }
  const std::string text = report.to_json(simulation);
  CHECK(text.find("nan") == std::string::npos);
  CHECK(text.find("inf") == std::string::npos);
  CHECK(text.find("null") == std::string::npos);
  const Json::Value root = parse(text);
  for (const char* key :
       {"version", "machine", "backend", "threads", "scene", "sizes", "precompute", "stages_ms", "contacts",
        "max_penetration_m", "max_creep_m_s", "complementarity_residual_m", "energy_J", "momentum_error",
        "iterations", "bodies", "obstacles", "state_hash", "warnings"}) {
    INFO(key);
    CHECK(root.isMember(key));
  }
  for (const char* key : {"vertices", "elements", "surface_vertices", "nnz_L", "nnz_inverse", "stages"})
    CHECK(root["sizes"].isMember(key));
  CHECK(root["sizes"]["vertices"].asInt() == 16);
  CHECK(root["sizes"]["elements"].asInt() == 10);
  for (const char* stage :
       {"detect", "delassus", "local", "rhs", "free", "contact", "correct", "finish", "frame"})
    for (const char* value : {"median", "p95", "p99", "max"})
      CHECK(root["stages_ms"][stage][value].isDouble());
  CHECK(root["stages_ms"]["frame"]["max"].asDouble() == longest);
  double parts = 0.0;
  for (const std::string& stage : root["stages_ms"].getMemberNames())
    if (stage != "frame") parts += root["stages_ms"][stage]["mean"].asDouble();
  CHECK(root["stages_ms"]["finish"]["mean"].asDouble() > 0.0);
  CHECK(parts <= root["stages_ms"]["frame"]["mean"].asDouble());
  CHECK(root["max_penetration_m"].asDouble() == worst_penetration);
  CHECK(root["frames"].asInt() == 4);
  CHECK(root["first_frame"].asInt() == 0);
  CHECK(root["wall_ms"].asDouble() == 6.0);
  CHECK(root["iterations"].asDouble() == simulation.settings().iterations);
  CHECK(root["backend"].asString() == "cpu");
  CHECK(root["threads"].asInt() == 2);
  CHECK(root["scene"].asString() == "small");
  CHECK(root["machine"]["cpu"].asString() == "test processor");
  CHECK(root["warnings"][0].asString() == "from the scene");
  CHECK(root["status"].asString() == "complete");
  for (const char* when : {"start", "first", "last"})
    for (const char* kind : {"kinetic", "elastic", "gravity"}) CHECK(root["energy_J"][when].isMember(kind));
  CHECK(root["energy_J"]["start"]["kinetic"].asDouble() == 0.0);  // at rest before the first frame
  CHECK(root["energy_J"]["first"]["kinetic"].asDouble() > 0.0);
  CHECK(root["energy_J"]["last"]["kinetic"].asDouble() == simulation.statistics().energy.kinetic);
  CHECK(root["state_hash"].asString() == fmt::format("{:016x}", simulation.state_hash()));

  // The cube in the air falls freely: implicit Euler gives v = -g h n.
  const Json::Value& stiff = root["bodies"][1];
  CHECK(stiff["name"].asString() == "stiff");
  CHECK(stiff["velocity_m_s"][2].asDouble() == Approx(-9.81 * 0.01 * 4).epsilon(1e-9));
  CHECK(stiff["centre_m"][0].asDouble() == Approx(0.55));
  CHECK(stiff["volume_m3"].asDouble() == Approx(1e-3));
  CHECK(stiff["rest_volume_m3"].asDouble() == Approx(1e-3));
  CHECK(stiff["shape_deviation"].asDouble() < 1e-9);
  CHECK(stiff["bbox_m"]["max"][0].asDouble() == Approx(0.6));
  CHECK(root["obstacles"][1]["name"].asString() == "roller");
  CHECK(root["obstacles"][1]["force_N"][2].asDouble() == 0.0);
  CHECK(root["obstacles"][0]["force_N"][2].asDouble() < 0.0);  // the floor carries the other cube

  REQUIRE(root["per_frame"].size() == 4);
  CHECK(root["per_frame"][3]["state_hash"].asString() == root["state_hash"].asString());
  CHECK(root["per_frame"][0]["frame"].asInt() == 1);
  CHECK(root["per_frame"][2]["time_s"].asDouble() == Approx(0.03));
  CHECK(root["per_frame"][1]["bodies"].size() == 2);
  CHECK(root["per_frame"][1]["obstacles"].size() == 2);
}

TEST_CASE("a report without frames is valid", "[scene]") {
  Simulation simulation(test::small_model());
  const RunReport report(simulation, settings(false));
  const Json::Value root = parse(report.to_json(simulation));
  CHECK(root["frames"].asInt() == 0);
  CHECK(root["stages_ms"]["frame"]["median"].asDouble() == 0.0);
  CHECK_FALSE(root.isMember("per_frame"));
}

TEST_CASE("the shape figure does not see rigid motion but sees stretch", "[scene]") {
  ModelBuilder builder;
  builder.gravity({});
  BodySpec body = test::cube("turning", {0.2, 0.1, 0.0});
  body.transform.rotation = rotation_from_vector(Vec3d{0.3, -0.2, 0.9});
  body.velocity = {1.0, 2.0, 3.0};
  builder.add(body);
  Simulation rigid(builder.build());
  rigid.step();
  const BodySummary summary = summarize_body(rigid, 0);
  CHECK(summary.shape_deviation < 1e-9);
  CHECK(summary.velocity.z == Approx(3.0));

  // One face held, gravity along the bar: it gets longer, the figure is of the order of the strain.
  ModelBuilder hanging;
  hanging.gravity({0.0, 0.0, -2000.0});
  hanging.add(test::cube("hanging", {}));
  PinSpec pin;
  pin.name = "top";
  pin.body = "hanging";
  pin.region.shape = Region::HalfSpace{{0.0, 0.0, 0.099}, {0.0, 0.0, -1.0}};
  hanging.add(pin);
  Simulation stretched(hanging.build());
  for (int i = 0; i < 20; ++i) stretched.step();
  CHECK(summarize_body(stretched, 0).shape_deviation > 1e-2);
}

TEST_CASE("a report that cannot be written leaves nothing behind", "[scene]") {
  Simulation simulation(test::small_model());
  const RunReport report(simulation, settings(false));
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(report.write(folder / "none/report.json", simulation), IoError);
  CHECK_THROWS_AS(report.write("/dev/full", simulation), IoError);
  CHECK(std::filesystem::is_character_file("/dev/full"));
  report.write(folder / "report.json", simulation);
  CHECK(parse(read_file(folder / "report.json"))["version"].isString());
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}
