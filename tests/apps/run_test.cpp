// What a run leaves behind: reports, series, checkpoints; also when it is stopped on the way.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <thread>

#include <json/json.h>

#include <sinew/mesh_io.hpp>

#include "engine/common/atomic_file.hpp"
#include "tests/apps/run_program.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using test::ProgramResult;
using test::run_sinew;

namespace {
// A folder with the small scene.
struct Bench : test::TemporaryFolder {
  Bench() { write_file_atomically(*this / "small.json", test::kSmallScene); }
  ProgramResult run(std::vector<std::string> arguments,
                    const std::vector<std::pair<std::string, std::string>>& environment = {},
                    test::Program::Limits limits = {}) const {
    arguments.insert(arguments.begin(), {"run", "small.json"});
    return run_sinew(path(), arguments, environment, limits);
  }
  Json::Value json(const std::string& name) const {
    Json::Value root;
    std::string errors;
    std::istringstream stream(read_file(*this / name));
    REQUIRE(Json::parseFromStream(Json::CharReaderBuilder(), stream, &root, &errors));
    return root;
  }
  bool has(const std::string& name) const { return std::filesystem::exists(*this / name); }
};

}  // namespace

TEST_CASE("a run prints a table and writes what was asked for", "[scene]") {
  const Bench bench;
  const ProgramResult result = bench.run({"--report", "r.json", "--report-frames", "--export", "out",
                                          "--checkpoint", "c.ckpt", "--set", "simulation.iterations=3"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  for (const char* word : {"stage", "median [ms]", "detect", "delassus", "contact", "frame", "penetration",
                           "energy", "r.json", "c.ckpt", "out/bodies.pvd", "ParaView"})
    CHECK(result.out.find(word) != std::string::npos);
  CHECK(result.err.find("100 %  frame 20/20") != std::string::npos);
  CHECK(std::count(result.err.begin(), result.err.end(), '\r') == 0);

  const Json::Value report = bench.json("r.json");
  CHECK(report["frames"].asInt() == 20);
  CHECK(report["per_frame"].size() == 20);
  CHECK(report["settings"]["iterations"].asInt() == 3);
  CHECK(report["status"].asString() == "complete");
  CHECK(result.out.find(report["state_hash"].asString()) != std::string::npos);
  // The bar has landed: its weight is on the floor at some frame, and it is not through the floor.
  CHECK(report["contacts"]["max"].asInt() > 0);
  CHECK(report["bodies"][0]["bbox_m"]["min"][2].asDouble() > -1e-3);

  // Frames 0, 5, ..., 20 of the scene's own setting.
  for (const char* name :
       {"bodies_000000.vtu", "bodies_000005.vtu", "bodies_000020.vtu", "obstacles_000020.vtu"})
    CHECK(bench.has(std::string("out/") + name));
  CHECK_FALSE(bench.has("out/bodies_000004.vtu"));
  CHECK(read_mesh(bench / "out/bodies_000020.vtu").mesh.nodes.size() == 81);

  const ProgramResult quiet = bench.run({"--quiet"});
  CHECK(quiet.status == 0);
  CHECK(quiet.out.empty());
  CHECK(quiet.err.empty());
}

TEST_CASE("surfaces that cross are counted, frame by frame, and told; bodies that touch are no warning",
          "[scene]") {
  const Bench bench;
  std::string two = test::kSmallScene;
  const std::string material = "\"material\": {\"young_modulus\": 1e5}\n  }";
  const std::size_t at = two.find(material);
  REQUIRE(at != std::string::npos);
  two.insert(at + material.size(), R"(, {"name": "other",
    "mesh": {"generate": "bar", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1, "cells_x": 2, "cells_y": 2, "cells_z": 2},
    "transform": {"translate": [0.03, 0.02, 0.2]}, "velocity": [0, 0, -2]})");
  write_file_atomically(bench / "small.json", two);
  for (const bool contact : {true, false}) {
    std::vector<std::string> arguments{"--report", "r.json", "--report-frames"};
    if (!contact) arguments.insert(arguments.end(), {"--set", "simulation.contact.enabled=false"});
    const ProgramResult result = bench.run(arguments);
    INFO("contact " << contact << "\n" << result.out << result.err);
    REQUIRE(result.status == 0);
    CHECK(result.err.find("warning") == std::string::npos);
    const Json::Value report = bench.json("r.json");
    Json::Int frames = 0, most = 0;
    for (const Json::Value& frame : report["per_frame"]) {
      frames += frame["intersections"].asInt() > 0;
      most = std::max(most, frame["intersections"].asInt());
    }
    CHECK(report["intersecting_frames"].asInt() == frames);
    CHECK(report["intersections_max"].asInt() == most);
    CHECK((frames == 0) == contact);
    CHECK((report["warnings"].toStyledString().find("surfaces cross in") == std::string::npos) == contact);
    CHECK((result.out.find("warning      surfaces cross in " + std::to_string(frames) + " of 20 frames") ==
           std::string::npos) == contact);
  }
}

TEST_CASE("contact that stops early is told; a small residual is no warning of the report", "[scene]") {
  const Bench bench;
  const ProgramResult result = bench.run({"--report", "r.json", "--set", "simulation.contact.max_sweeps=1",
                                          "--set", "simulation.contact.solver=gs"});
  const Json::Value report = bench.json("r.json");
  const int stopped = report["contact_unconverged_frames"].asInt();
  REQUIRE(stopped > 0);
  CHECK(result.out.find("contact      " + std::to_string(stopped) + " of 20 frames stopped at max_sweeps") !=
        std::string::npos);
  const bool told = report["warnings"].toStyledString().find("stopped at max_sweeps") != std::string::npos;
  CHECK(told == (report["complementarity_residual_m"].asDouble() > 1e-5));
}

TEST_CASE("one and two threads end in the same state", "[scene]") {
  const Bench bench;
  REQUIRE(bench.run({"--quiet", "--threads", "1", "--report", "one.json"}).status == 0);
  REQUIRE(bench.run({"--quiet", "--threads", "2", "--report", "two.json"}).status == 0);
  CHECK(bench.json("one.json")["state_hash"] == bench.json("two.json")["state_hash"]);
  CHECK(bench.json("one.json")["threads"].asInt() == 1);
  REQUIRE(bench.run({"--quiet", "--frames", "19", "--report", "less.json"}).status == 0);
  CHECK(bench.json("less.json")["state_hash"] != bench.json("one.json")["state_hash"]);
}

TEST_CASE("a resumed run equals one that was never stopped", "[scene]") {
  const Bench bench;
  REQUIRE(bench.run({"--quiet", "--report", "whole.json", "--export", "whole"}).status == 0);
  REQUIRE(bench.run({"--quiet", "--frames", "12", "--checkpoint", "c.ckpt", "--export", "parts"}).status ==
          0);
  REQUIRE(bench.run({"--quiet", "--resume", "c.ckpt", "--report", "rest.json", "--export", "parts"}).status ==
          0);
  const Json::Value whole = bench.json("whole.json"), rest = bench.json("rest.json");
  CHECK(whole["state_hash"] == rest["state_hash"]);
  CHECK(rest["first_frame"].asInt() == 12);
  CHECK(rest["frames"].asInt() == 20);
  CHECK(rest["time_s"] == whole["time_s"]);
  CHECK(rest["bodies"] == whole["bodies"]);
  for (const char* name : {"bodies.pvd", "bodies_000020.vtu", "contacts_000015.vtu", "obstacles.pvd"})
    CHECK(read_file(bench / (std::string("whole/") + name)) ==
          read_file(bench / (std::string("parts/") + name)));

  const ProgramResult done = bench.run({"--resume", "c.ckpt", "--frames", "12"});
  CHECK(done.status == 2);
  CHECK(done.err.find("frame 12 already") != std::string::npos);
}

TEST_CASE("damaged and foreign checkpoints are refused in one line", "[scene]") {
  const Bench bench;
  REQUIRE(bench.run({"--quiet", "--frames", "3", "--checkpoint", "good"}).status == 0);
  const std::string good = read_file(bench / "good");
  const auto refuse = [&](const std::string& content, const std::string& expected) {
    write_file_atomically(bench / "bad", content);
    const ProgramResult result = bench.run({"--quiet", "--resume", "bad"});
    INFO(result.err);
    CHECK(result.status == 2);
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    CHECK(result.err.find(expected) != std::string::npos);
  };
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 1);
  refuse(flipped, "checksum");
  std::string other_frame = good;
  other_frame[24] = 5;
  refuse(other_frame, "checksum");
  refuse(good.substr(0, good.size() - 1), "damaged");
  refuse(good.substr(0, 20), "no checkpoint");
  refuse(good + "x", "damaged");
  refuse("", "no checkpoint");
  std::string newer = good;
  newer[8] = 2;
  refuse(newer, "format 2");
  const ProgramResult other = bench.run({"--quiet", "--resume", "good", "--set", "bodies.0.density=900"});
  CHECK(other.status == 2);
  CHECK(other.err.find("another scene") != std::string::npos);
}

TEST_CASE("an interrupted run keeps its report and can go on", "[scene]") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Bench bench;
    std::vector<std::string> arguments = {"run",          "small.json", "--report", "r.json",
                                          "--checkpoint", "c.ckpt",     "--frames", "4000"};
    test::Program program(bench.path(), arguments, {}, {});
    REQUIRE(program.wait_for("10 %"));
    program.send(signal);
    const ProgramResult result = program.finish();
    INFO(result.err);
    CHECK(result.status == 130);
    CHECK(result.err.find("finishing this frame") != std::string::npos);
    CHECK(result.err.find("interrupted after frame") != std::string::npos);
    const Json::Value report = bench.json("r.json");
    CHECK(report["status"].asString() == "interrupted");
    const int reached = report["frames"].asInt();
    CHECK(reached >= 400);
    CHECK(reached < 4000);
    const std::string more = std::to_string(reached + 1);
    REQUIRE(bench.run({"--quiet", "--resume", "c.ckpt", "--frames", more, "--report", "more.json"}).status ==
            0);
    CHECK(bench.json("more.json")["first_frame"].asInt() == reached);
  }
}

TEST_CASE("a killed run leaves whole files only", "[scene]") {
  const Bench bench;
  test::Program program(bench.path(),
                        {"run", "small.json", "--frames", "100000", "--export", "out", "--every", "1",
                         "--checkpoint", "c.ckpt", "--checkpoint-every", "1", "--report", "r.json"},
                        {}, {});
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!bench.has("out/bodies_000030.vtu") && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  program.send(SIGKILL);
  CHECK(program.finish().status == 1000 + SIGKILL);
  CHECK_FALSE(bench.has("r.json"));
  std::size_t whole = 0;
  for (const auto& entry : std::filesystem::directory_iterator(bench / "out")) {
    const std::string name = entry.path().filename();
    if (name.find(".tmp.") != std::string::npos) continue;
    const std::string text = read_file(entry.path());
    INFO(name);
    CHECK(text.find("</VTKFile>") != std::string::npos);
    if (name.rfind("bodies_", 0) == 0) {
      CHECK(read_mesh(entry.path()).mesh.nodes.size() == 81);
      ++whole;
    }
  }
  CHECK(whole >= 30);
  // The checkpoint is whole too: it is accepted, and only the frame number is refused.
  const ProgramResult resumed = bench.run({"--resume", "c.ckpt", "--frames", "1"});
  CHECK(resumed.err.find("already") != std::string::npos);
}

TEST_CASE("outputs that fail on the way give one line and keep the rest whole", "[scene]") {
  const Bench bench;
  const ProgramResult full = bench.run({"--quiet", "--report", "/dev/full"});
  INFO(full.err);
  CHECK(full.status == 2);
  CHECK(full.err.rfind("sinew: error: /dev/full: cannot write", 0) == 0);
  CHECK(std::count(full.err.begin(), full.err.end(), '\n') == 1);
  CHECK(std::filesystem::is_character_file("/dev/full"));

  // 81 nodes and 160 cells are more than 8 kB, a report is less: the export fails, the report is still
  // written.
  const ProgramResult limit = bench.run({"--quiet", "--report", "r.json", "--export", "out"}, {}, {8000});
  INFO(limit.err);
  CHECK(limit.status == 2);
  CHECK(std::count(limit.err.begin(), limit.err.end(), '\n') == 1);
  CHECK(limit.err.find("bodies_000000.vtu") != std::string::npos);
  CHECK(std::filesystem::is_empty(bench / "out"));
  CHECK(bench.json("r.json")["status"].asString() == "failed");
}

TEST_CASE("pictures need the renderer module, a run does not", "[scene]") {
  const Bench bench;
  std::filesystem::create_directory(bench / "no_plugins");
  const std::vector<std::pair<std::string, std::string>> none = {{"SINEW_PLUGIN_DIR", bench / "no_plugins"},
                                                                 {"PATH", ""}};
  const ProgramResult result = bench.run({"--png", "pictures", "--report", "r.json"}, none);
  INFO(result.err);
  CHECK(result.status == 2);
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK(result.err.rfind("sinew: error: ", 0) == 0);
  CHECK_FALSE(bench.has("pictures"));
  CHECK_FALSE(bench.has("r.json"));
  CHECK(bench.run({"--quiet"}, none).status == 0);
  CHECK(run_sinew(bench.path(), {"devices"}, none).status == 0);
}

TEST_CASE("pictures and a contact sheet where a renderer is there", "[scene]") {
  const Bench bench;
  if (run_sinew(bench.path(), {"devices"}).out.find("renderer  none") != std::string::npos) return;
  const ProgramResult result =
      bench.run({"--png", "pictures", "--size", "160x90", "--sheet", "sheet.png", "--every", "10"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  for (const char* name :
       {"pictures/frame_000000.png", "pictures/frame_000010.png", "pictures/frame_000020.png", "sheet.png"}) {
    INFO(name);
    REQUIRE(bench.has(name));
    CHECK(read_file(bench / name).substr(1, 3) == "PNG");
  }
  CHECK(read_file(bench / "pictures/frame_000000.png") != read_file(bench / "pictures/frame_000020.png"));
  CHECK_FALSE(bench.has("pictures/frame_000005.png"));
}
