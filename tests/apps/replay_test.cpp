// Recordings on the command line: run again, with pictures and meshes, and compared.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include <json/json.h>

#include "engine/common/atomic_file.hpp"
#include "tests/apps/run_program.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "viewer/session/recording.hpp"

using namespace sinew;
using test::ProgramResult;
using test::run_sinew;

namespace {

/// A folder with the small scene and a recording of 30 steps: a grab, other parameters, a reset at step 15.
struct Recorded : test::TemporaryFolder {
  Recorded() {
    write_file_atomically(*this / "small.json", test::kSmallScene);
    viewer::LiveSimulation live(read_scene_text(*this / "small.json"), {}, {"simulation.iterations=4"});
    viewer::Recording recording(live, *this / "log.txt");
    const auto apply = [&](const viewer::Event& event) {
      live.apply(event);
      recording.add(live, event);
    };
    const auto step = [&](int count) {
      for (int i = 0; i < count; ++i) {
        live.step();
        recording.stepped(live);
      }
    };
    BodyPoint point;
    point.body = live.scene().model.body(0).name;
    point.nearest_to = Vec3d{};
    step(5);
    apply(viewer::GrabEvent{1, point, {0.0, 0.0, 0.3}, 1e-4});
    step(5);
    apply(viewer::ParametersEvent{{"simulation.iterations=6"}});
    step(5);
    apply(viewer::ResetEvent{});
    step(15);
    recording.finish(live);
    hash = live.simulation().state_hash();
  }
  ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"run", "small.json", "--replay"});
    return run_sinew(path(), arguments);
  }
  Json::Value report() const {
    Json::Value root;
    std::string errors;
    std::istringstream stream(read_file(*this / "r.json"));
    REQUIRE(Json::parseFromStream(Json::CharReaderBuilder(), stream, &root, &errors));
    return root;
  }
  bool has(const std::string& name) const { return std::filesystem::exists(*this / name); }
  std::uint64_t hash = 0;
};

}  // namespace

TEST_CASE("a recording is run again, exported and compared", "[scene]") {
  const Recorded recorded;
  const ProgramResult result =
      recorded.run({"log.txt", "--report", "r.json", "--report-frames", "--export", "out", "--every", "10"});
  INFO(result.err);
  INFO(result.out);
  REQUIRE(result.status == 0);
  CHECK(result.out.find("log.txt: 30 steps, 1 state compared: the same to the bit") != std::string::npos);
  CHECK(result.err.find("100 %  frame 30/30") != std::string::npos);
  const Json::Value report = recorded.report();
  CHECK(report["frames"].asInt() == 30);
  CHECK(report["per_frame"].size() == 30);
  CHECK(report["per_frame"][15]["frame"].asInt() == 1);  // the simulation's own count, after the reset
  CHECK(report["settings"]["iterations"].asInt() == 6);
  std::ostringstream hash;
  hash << std::hex << recorded.hash;
  CHECK(report["state_hash"].asString().find(hash.str()) != std::string::npos);

  // Files go by the step: the reset does not overwrite, times only grow.
  for (const char* name :
       {"out/bodies_000000.vtu", "out/bodies_000010.vtu", "out/bodies_000020.vtu", "out/bodies_000030.vtu"})
    CHECK(recorded.has(name));
  const std::string index = read_file(recorded / "out/bodies.pvd");
  double last = -1.0;
  int entries = 0;
  for (std::size_t at = index.find("timestep=\""); at != std::string::npos;
       at = index.find("timestep=\"", at + 1)) {
    const double time = std::stod(index.substr(at + 10));
    CHECK(time > last);
    last = time;
    ++entries;
  }
  CHECK(entries == 4);

  // A part of it, and more than it.
  CHECK(recorded.run({"log.txt", "--frames", "12", "--report", "r.json"}).status == 0);
  CHECK(recorded.report()["frames"].asInt() == 12);
  CHECK(recorded.run({"log.txt", "--frames", "35", "--report", "r.json"}).status == 0);
  CHECK(recorded.report()["frames"].asInt() == 35);
}

TEST_CASE("a recording that comes out otherwise is status 1 and one line", "[scene]") {
  const Recorded recorded;
  std::string other = read_file(recorded / "log.txt");
  other.replace(other.find("15 reset"), 8, "16 reset");
  write_file_atomically(recorded / "other.txt", other);
  const ProgramResult result = recorded.run({"other.txt", "--quiet"});
  CHECK(result.status == 1);
  CHECK(result.out.empty());
  CHECK(result.err == "sinew: error: other.txt: 30 steps: the state differs from the recording at step 30\n");

  // Another scene: run, but told.
  std::string scene = read_file(recorded / "small.json");
  write_file_atomically(recorded / "small.json", "// changed\n" + scene);
  CHECK(recorded.run({"log.txt", "--quiet"}).status == 0);
  const std::string stiffness = "\"young_modulus\": 1e5";
  write_file_atomically(recorded / "small.json",
                        scene.replace(scene.find(stiffness), stiffness.size(), "\"young_modulus\": 2e5"));
  const ProgramResult changed = recorded.run({"log.txt", "--quiet"});
  CHECK(changed.status == 1);
  CHECK(changed.err ==
        "sinew: error: log.txt: 30 steps, not compared: the scene or its settings are not those that were "
        "recorded\n");
}

TEST_CASE("a recording on another backend is run and not compared", "[scene]") {
  const Recorded recorded;
  const ProgramResult result = recorded.run({"log.txt", "--backend", "emulated"});
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(result.out.find("30 steps, not compared: recorded with backend cpu, run with emulated") !=
        std::string::npos);
}

TEST_CASE("replay: what does not go together or cannot be read is refused in one line", "[scene]") {
  const Recorded recorded;
  write_file_atomically(recorded / "scene.txt", test::kSmallScene);
  write_file_atomically(recorded / "bad.txt", "sinew recording 1\n3 jump\n");
  write_file_atomically(recorded / "late.txt", "sinew recording 1\n3 release 1\n4 reset\n");
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{"log.txt", "--set", "simulation.iterations=2"}, "--set"},
      {{"log.txt", "--checkpoint", "c.ckpt"}, "--checkpoint"},
      {{"log.txt", "--report", "log.txt"}, "log.txt: --report and --replay name the same file"},
      {{"none.txt"}, "none.txt"},
      {{"scene.txt"}, "scene.txt:1: this is no recording"},
      {{"bad.txt"}, "bad.txt:2: unknown event 'jump'"},
      {{"late.txt", "--quiet"}, "late.txt:2: grab 1: there is none now"}};
  for (const auto& [arguments, part] : cases) {
    INFO(part);
    const ProgramResult result = recorded.run(arguments);
    INFO(result.err);
    CHECK(result.status == 2);
    CHECK(result.err.find(part) != std::string::npos);
    if (part != "late.txt:2: grab 1: there is none now")
      CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  }
}
