// Recordings: a session that is run again from its log is the same to the bit.
#include "viewer/session/recording.hpp"

#include <functional>
#include <random>

#include <sinew/errors.hpp>

#include "engine/common/atomic_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/viewer/session/live_scene.hpp"
#include "viewer/session/replay.hpp"

using namespace sinew;
using namespace sinew::viewer;
using sinew::test::live_scene;
using sinew::test::on_top;

namespace {

struct Session {
  explicit Session(const std::string& file = "", std::vector<std::string> overrides = {},
                   LiveSettings settings = {})
      : live(live_scene(), settings, std::move(overrides)), recording(live, file) {}
  void apply(const Event& event) {
    live.apply(event);
    recording.add(live, event);
  }
  void step(int frames = 1) {
    for (int i = 0; i < frames; ++i) {
      live.step();
      recording.stepped(live);
      hashes.push_back(live.simulation().state_hash());
    }
  }
  LiveSimulation live;
  Recording recording;
  std::vector<std::uint64_t> hashes;  ///< after each step
};

/// Every kind of event, grabs that overlap, a reset in the middle, events after the last frame.
void play(Session& session) {
  session.step(3);
  session.apply(GrabEvent{1, on_top("cube"), {0.05, 0.05, 0.12}, 0.0});
  for (int i = 0; i < 30; ++i) {
    session.apply(TargetEvent{1, {0.05 + 0.003 * i, 0.05, 0.12 + 0.001 * i}});
    session.step();
  }
  session.apply(GrabEvent{2, {"cube", -1, 5, {0.2, 0.3, 0.5}, {}}, {0.1, 0.2, 0.1}, 1e-4});
  session.step(5);
  session.apply(ParametersEvent{{"bodies.cube.material.young_modulus=3e4", "simulation.iterations=6"}});
  session.step(5);
  session.apply(ComplianceEvent{2, 1e-2});
  session.apply(ObstacleEvent{"pusher", {rotation_from_vector(Vec3d{0, 0, 0.3}), {0.2, 0.05, 0.05}}});
  session.step(10);
  session.apply(ReleaseEvent{1});
  session.step(50);
  session.apply(ResetEvent{});
  session.step(2);
  session.apply(GrabEvent{7, on_top("cube"), {0.05, 0.05, 0.2}, 0.0});
  session.step(8);
  session.apply(ReleaseEvent{7});
}

/// Runs a recording on a simulation that is just opened; the hash after each step.
std::vector<std::uint64_t> replayed(Replay& replay, LiveSimulation& live) {
  std::vector<std::uint64_t> hashes;
  while (replay.step(live)) hashes.push_back(live.simulation().state_hash());
  return hashes;
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const ModelError& error) {
    CHECK(std::string(error.what()).find('\n') == std::string::npos);
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("recording: replayed, every frame is the same to the bit") {
  Session session("", {"bodies.cube.friction=0.4"});
  play(session);
  REQUIRE(session.hashes.size() == 113);
  const std::string text = session.recording.text(session.live);
  const RecordedRun run = parse_recording(text, "log");
  CHECK(run.steps == 113);
  CHECK(run.complete);
  CHECK(run.scene == "live.json");
  CHECK(run.overrides == std::vector<std::string>{"bodies.cube.friction=0.4"});

  for (const int threads : {1, 3}) {
    LiveSimulation live(live_scene(), replay_settings(run, threads), run.overrides);
    Replay replay(run, live);
    CHECK(replayed(replay, live) == session.hashes);
    CHECK(replay.result() == "113 steps, 2 states compared: the same to the bit");
    CHECK(live.simulation().state_hash() == session.live.simulation().state_hash());
    CHECK(live.grabs().empty());
    CHECK_FALSE(replay.step(live));  // it stays at its end
  }

  // On the very simulation that was recorded, restarted.
  session.live.restart();
  Replay replay(run, session.live);
  CHECK(replayed(replay, session.live) == session.hashes);
  CHECK_FALSE(replay.first_difference());
}

TEST_CASE("recording: on a device too every frame is the same to the bit", "[scene]") {
  for (const bool hybrid : {false, true}) {
    Session session("", {}, {Backend::emulated, hybrid, 0});
    play(session);
    const RecordedRun run = parse_recording(session.recording.text(session.live), "log");
    CHECK(run.backend == Backend::emulated);
    CHECK(run.hybrid == hybrid);
    LiveSimulation live(live_scene(), replay_settings(run, 0), run.overrides);
    Replay replay(run, live);
    CHECK(replayed(replay, live) == session.hashes);
    CHECK(replay.result() == "113 steps, 2 states compared: the same to the bit");
  }
}

TEST_CASE("recording: frames that a budget cut are replayed with as many iterations") {
  // Time that no frame keeps to: every frame has one iteration of 50. Then time enough.
  Session session("", {"simulation.iterations=50", "simulation.budget_ms=1e-6"});
  session.apply(GrabEvent{1, on_top("cube"), {0.05, 0.05, 0.2}, 0.0});
  session.step(20);
  session.apply(ParametersEvent{{"simulation.iterations=9", "simulation.budget_ms=1e6"}});
  session.apply(TargetEvent{1, {0.1, 0.05, 0.2}});
  session.step(20);
  const RecordedRun run = parse_recording(session.recording.text(session.live), "log");
  CHECK(run.iterations.size() == 20);
  CHECK(run.iterations.begin()->first == 1);
  CHECK(run.iterations.begin()->second == 1);
  LiveSimulation live(live_scene(), replay_settings(run, 0), run.overrides);
  Replay replay(run, live);
  CHECK(replayed(replay, live) == session.hashes);
  CHECK(replay.result() == "40 steps, 1 state compared: the same to the bit");
  // What the cuts change: without their lines the run is another one.
  RecordedRun whole = run;
  whole.iterations.clear();
  session.live.restart();
  Replay other(whole, session.live);
  CHECK(replayed(other, session.live) != session.hashes);
}

TEST_CASE("recording: the file holds every line at once, and is complete at the end") {
  const sinew::test::TemporaryFolder folder;
  const std::string file = folder / "log.txt";
  Session session(file);
  session.step();
  session.apply(GrabEvent{1, on_top("cube"), {0.05, 0.05, 0.2}, 0.0});
  CHECK(session.recording.events() == 1);
  const RecordedRun half = read_recording(file);
  CHECK_FALSE(half.complete);
  CHECK(half.steps == 1);
  CHECK(half.entries.size() == 1);
  session.step(2);
  session.recording.finish(session.live);
  CHECK(read_file(file) == session.recording.text(session.live));
  CHECK(read_recording(file).complete);
  CHECK(read_recording(file).steps == 3);
  CHECK_THROWS_AS(Recording(session.live, folder / "missing/log.txt"), IoError);
  CHECK_THROWS_AS(read_recording(folder / "none.txt"), IoError);
}

TEST_CASE("replay: says the first state that differs") {
  Session session;
  session.step(99);
  session.step(51);
  session.apply(GrabEvent{1, on_top("cube"), {0.05, 0.05, 0.2}, 0.0});
  session.step(60);
  std::string text = session.recording.text(session.live);
  const std::size_t at = text.find("0.2 compliance");
  REQUIRE(at != std::string::npos);
  text.replace(at, 3, "0.21");
  const RecordedRun run = parse_recording(text, "log");
  LiveSimulation live(live_scene(), replay_settings(run, 0), run.overrides);
  Replay replay(run, live);
  replayed(replay, live);
  REQUIRE(replay.first_difference());
  CHECK(*replay.first_difference() == 200);
  CHECK(replay.result() ==
        "210 steps: the state differs from the recording at step 200, it is the same at step 100");
}

TEST_CASE("replay: another scene or backend is run, but not compared") {
  Session session;
  session.step(3);
  const RecordedRun run = parse_recording(session.recording.text(session.live), "log");
  {
    LiveSimulation live(live_scene(), replay_settings(run, 0), {"simulation.iterations=2"});
    Replay replay(run, live);
    CHECK(replayed(replay, live).size() == 3);
    CHECK_FALSE(replay.first_difference());
    CHECK(replay.result() ==
          "3 steps, not compared: the scene or its settings are not those that were recorded");
  }
  const LiveSettings settings = replay_settings(run, 0, Backend::emulated);
  LiveSimulation live(live_scene(), settings, run.overrides);
  Replay replay(run, live);
  CHECK(replayed(replay, live).size() == 3);
  CHECK(replay.not_compared() == "recorded with backend cpu, run with emulated");
}

TEST_CASE("replay: written by hand") {
  const RecordedRun run = parse_recording(
      "# lift the cube\n\nsinew recording 1\n 0 grab 1 \"cube\" near 0.05 0.05 0.1 target 0.05 0.05 0.15 "
      "compliance 0\n20 release 1\n",
      "lift.txt");
  CHECK(run.steps == 20);
  LiveSimulation live(live_scene(), replay_settings(run, 0), run.overrides);
  Replay replay(run, live);
  CHECK(replayed(replay, live).size() == 20);
  CHECK(live.grabs().empty());
  CHECK(replay.result() == "20 steps, nothing to compare: the recording holds no state");
}

TEST_CASE("replay: an event that cannot be is told with its line") {
  const RecordedRun run = parse_recording("sinew recording 1\n2 release 4\n", "log.txt");
  LiveSimulation live(live_scene(), {});
  Replay replay(run, live);
  CHECK(refusal([&] { replayed(replay, live); }) == "log.txt:2: grab 4: there is none now");
}

TEST_CASE("recording: damaged logs are refused with line and reason") {
  const std::string head = "sinew recording 1\n";
  const std::pair<std::string, std::string> logs[] = {
      {"", "l:1: this is no recording; its first line is 'sinew recording 1'"},
      {"{\"bodies\": []}\n", "l:1: this is no recording; its first line is 'sinew recording 1'"},
      {"sinew recording 2\n", "l:1: recording of format 2, this version reads format 1; record it again"},
      {head + "run 12\n",
       "l:2: expected 16 hexadecimal digits (hash of the scene and its settings), found '12'"},
      {head + "backend gpu\n", "l:2: unknown backend 'gpu', did you mean 'cpu'?"},
      {head + "backend cpu fast\n", "l:2: expected 'hybrid', found 'fast'"},
      {head + "sett \"a=1\"\n", "l:2: unknown word 'sett', did you mean 'set'?"},
      {head + "scene drop.json\n",
       "l:2: expected a text in double quotes (path of the scene), found 'drop.json'"},
      {head + "3 reset\n2 reset\n", "l:3: step 2 comes after step 3; steps may not go back"},
      {head + "3 reset\nset \"a=1\"\n", "l:3: expected the number of a step, found 'set'"},
      {head + "3\n", "l:2: expected an event, found the end of the line"},
      {head + "3 iterations 0\n", "l:2: expected a whole number from 1 on (iterations), found '0'"},
      {head + "0 iterations 3\n", "l:2: no step with that many iterations ends here; remove the line"},
      {head + "3 end 0123456789abcdeg\n",
       "l:2: expected 16 hexadecimal digits (hash of the state), found '0123456789abcdeg'"},
      {head + "3 end 0123456789abcdef\n4 reset\n", "l:3: nothing may follow the line of the end; remove it"},
      {head + "99999999999999999999 reset\n",
       "l:2: expected a whole number from 0 on (step), found '99999999999999999999'"},
      {head + "1 grab 1 \"cube\" tri",
       "l:2: a point of a body is given by 'triangle', 'surface_point' or "
       "'near', not 'tri'"},
  };
  for (const auto& [log, message] : logs) {
    INFO(log);
    CHECK(refusal([&, &text = log] { parse_recording(text, "l"); }) == message);
  }
  // Any cut leaves something that is read, or refused in one line.
  Session session;
  session.step(2);
  session.apply(GrabEvent{1, on_top("cube"), {0.05, 0.05, 0.2}, 0.0});
  session.apply(ParametersEvent{{"name=\"a\""}});
  const std::string text = session.recording.text(session.live);
  for (std::size_t size = 0; size < text.size(); ++size)
    refusal([&] { parse_recording(text.substr(0, size), "l"); });
  // And so does any change of a character.
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string changed = text;
    changed[random() % changed.size()] = static_cast<char>(random() % 256);
    refusal([&] { parse_recording(changed, "l"); });
  }
}
