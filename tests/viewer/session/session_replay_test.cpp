// What was done in a session is done again by its recording, to the bit.
#include <fstream>
#include <sstream>

#include "tests/viewer/session/session_scene.hpp"

using namespace sinew;
using namespace sinew::test;
using namespace sinew::viewer;

namespace {
/// Grabs, drags, moves the ball, changes a parameter, resets, drags again: 90 steps.
std::shared_ptr<const ViewState> play_about(Session& session) {
  long steps = 0;
  const auto go = [&](int frames) {
    session.step(frames);
    steps += frames;
    return wait_for_steps(session, steps);
  };
  auto state = wait_for_steps(session, 0);
  const BodyPoint top = highest_point(*state, 0);
  const int first = session.grab(top, at(*state, 0, top), 0.0);
  session.move_grab(first, {0.03, 0.01, 0.2}, 0.07);
  go(10);
  BodyPoint side;
  side.body = "cube";
  side.nearest_to = Vec3d{0.2, 0, 0.1};
  session.grab(side, {0.1, 0, 0.15}, 1e-3);
  session.set_grab_compliance(first, 2e-4);
  session.move_obstacle(1, {Mat3d::identity(), {0.1, 0.02, 0.06}}, 0.15);
  go(20);
  session.set_parameter("bodies.cube.material.young_modulus", "4e4");
  wait_for(session, [](const ViewState& s) { return s.scene->generation == 2; });
  session.release_grab(first);
  go(30);
  session.reset();
  const int last = session.grab(top, {0, 0, 0.2}, 0.0);
  go(20);
  session.release_grab(last);
  return go(10);
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The recording, played in a session of its own, ends in the original's state.
void check_replay(const std::string& recording, const ViewState& original) {
  Session session(paused());
  session.set_speed(0.0);
  session.replay(recording);
  wait_for_steps(session, 0);
  session.play();
  const Status status = wait_for_status(session, [](const Status& s) { return !s.replay_result.empty(); });
  CHECK(status.replay_result.find("the same to the bit") != std::string::npos);
  CHECK(wait_for_steps(session, original.steps)->points == original.points);
}
}  // namespace

TEST_CASE("session: the replay of a recording is the same to the bit", "[session]") {
  TemporaryFolder folder;
  write_text(folder / "scene.json", falling_cube());
  Session::Options options = paused();
  options.record_file = folder / "kept.log";
  std::shared_ptr<const ViewState> original;
  {
    Session session(options);
    session.open(folder / "scene.json");
    original = play_about(session);
    CHECK(original->frame == 30);
    session.save_recording(folder / "saved.log");
    wait_for_message(session, Message::Kind::info, "saved.log");
    CHECK(session.end(60.0));
  }
  CHECK(text_of(folder / "kept.log") == text_of(folder / "saved.log"));

  for (const double speed : {0.0, 20.0}) {
    Session session(paused());
    session.set_speed(speed);
    session.replay(folder / "saved.log");
    wait_for_steps(session, 0);
    CHECK(session.status().replaying);
    CHECK(session.status().replay_steps == 90);
    session.play();
    const Status status = wait_for_status(session, [](const Status& s) { return !s.replay_result.empty(); });
    CHECK_FALSE(status.replaying);
    CHECK_FALSE(status.playing);
    CHECK(status.replay_result.find("the same to the bit") != std::string::npos);
    const auto again = wait_for_steps(session, 90);
    CHECK(again->frame == 30);
    CHECK(again->resets == 1);
    CHECK(again->points == original->points);
    CHECK(again->obstacle_pose[1].translation == original->obstacle_pose[1].translation);
    CHECK(again->scene->model.body(0).material.young_modulus == 4e4);
    // A recording of the replay is the recording.
    session.save_recording(folder / "again.log");
    wait_for_message(session, Message::Kind::info, "again.log");
    CHECK(text_of(folder / "again.log") == text_of(folder / "saved.log"));
  }
}

TEST_CASE("session: a hand during a replay takes over from there", "[session]") {
  TemporaryFolder folder;
  write_text(folder / "scene.json", falling_cube());
  {
    Session session(paused());
    session.open(folder / "scene.json");
    play_about(session);
    session.save_recording(folder / "first.log");
    wait_for_message(session, Message::Kind::info, "first.log");
  }
  std::shared_ptr<const ViewState> original;
  {
    Session session(paused());
    session.replay(folder / "first.log");
    wait_for_steps(session, 0);
    session.step(40);
    const auto state = wait_for_steps(session, 40);
    REQUIRE(state->grabs.size() == 1);
    const BodyPoint top = highest_point(*state, 0);
    const int number = session.grab(top, {0, 0, 0.3}, 0.0);
    CHECK(number > state->grabs[0].number);
    session.move_grab(state->grabs[0].number, {0.2, 0, 0.2}, 0.02);
    const Status left = wait_for_status(session, [](const Status& s) { return !s.replaying; });
    CHECK(left.replay_result == "left after step 40 of 90");
    session.step(15);
    original = wait_for_steps(session, 55);
    CHECK(original->grabs.size() == 2);
    session.save_recording(folder / "second.log");
    wait_for_message(session, Message::Kind::info, "second.log");
  }
  Session session(paused());
  session.set_speed(0.0);
  session.replay(folder / "second.log");
  wait_for_steps(session, 0);
  session.play();
  const Status status = wait_for_status(session, [](const Status& s) { return !s.replay_result.empty(); });
  CHECK(status.replay_result.find("the same to the bit") != std::string::npos);
  CHECK(wait_for_steps(session, 55)->points == original->points);
}

TEST_CASE("session: parameters changed during a replay keep those that were replayed", "[session]") {
  TemporaryFolder folder;
  write_text(folder / "scene.json", falling_cube());
  {
    Session session(paused());
    session.open(folder / "scene.json");
    play_about(session);
    session.save_recording(folder / "first.log");
    wait_for_message(session, Message::Kind::info, "first.log");
  }
  Session session(paused());
  session.replay(folder / "first.log");
  wait_for_steps(session, 0);
  session.step(40);  // past the change of the modulus
  CHECK(wait_for_steps(session, 40)->scene->overrides.size() == 1);
  // A scene that is not there does not end the replay.
  session.open(folder / "missing.json");
  wait_for_message(session, Message::Kind::error, "missing.json");
  session.step(10);
  wait_for_steps(session, 50);
  CHECK(session.status().replaying);
  session.set_parameter("bodies.cube.friction", "0.25");
  const auto changed = wait_for(session, [](const ViewState& s) { return s.scene->overrides.size() == 2; });
  CHECK(changed->scene->model.body(0).friction == 0.25);
  CHECK(changed->scene->model.body(0).material.young_modulus == 4e4);
  CHECK(wait_for_status(session, [](const Status& s) { return !s.replaying; }).replay_result ==
        "left after step 50 of 90");
}

TEST_CASE("session: a frame that could not be computed is replayed to the bit", "[session]") {
  TemporaryFolder folder;
  write_text(folder / "scene.json", falling_cube());
  std::shared_ptr<const ViewState> original;
  {
    Session session(paused());
    session.open(folder / "scene.json");
    const auto first = wait_for_steps(session, 0);
    const BodyPoint top = highest_point(*first, 0);
    const int held = session.grab(top, at(*first, 0, top), 0.0);
    session.move_grab(held, {0.05, 0.03, 0.2}, 0.3);
    session.step(12);
    wait_for_steps(session, 12);
    session.release_grab(held);
    const int absurd = session.grab(top, {1e200, 0, 0}, 0.0);
    session.step();
    const auto failed = wait_for(session, [](const ViewState& s) { return s.diverged; });
    CHECK(failed->steps == 12);
    session.release_grab(absurd);
    session.step(20);
    original = wait_for_steps(session, 32);
    session.save_recording(folder / "failed.log");
    wait_for_message(session, Message::Kind::info, "failed.log");
  }
  CHECK(text_of(folder / "failed.log").find("\n12 failed\n") != std::string::npos);
  check_replay(folder / "failed.log", *original);
}

TEST_CASE("session: frames that a budget cut short are replayed to the bit", "[session]") {
  TemporaryFolder folder;
  std::string text = falling_cube(6);
  text.insert(1, R"("simulation": {"iterations": 200, "history": 0, "budget_ms": 0.5},)");
  write_text(folder / "scene.json", text);
  std::shared_ptr<const ViewState> original;
  {
    Session session(paused());
    session.open(folder / "scene.json");
    const auto first = wait_for_steps(session, 0);
    const BodyPoint top = highest_point(*first, 0);
    session.move_grab(session.grab(top, at(*first, 0, top), 0.0), {0.05, 0, 0.2}, 0.2);
    session.step(40);
    original = wait_for_steps(session, 40);
    session.save_recording(folder / "cut.log");
    wait_for_message(session, Message::Kind::info, "cut.log");
  }
  CHECK(text_of(folder / "cut.log").find(" iterations ") != std::string::npos);
  check_replay(folder / "cut.log", *original);
}

TEST_CASE("session: a recording that differs or cannot be read is told", "[session]") {
  TemporaryFolder folder;
  write_text(folder / "scene.json", falling_cube());
  Session session(paused());
  session.set_speed(0.0);
  session.open(folder / "scene.json");
  wait_for_steps(session, 0);
  session.step(5);
  wait_for_steps(session, 5);
  session.save_recording(folder / "five.log");
  wait_for_message(session, Message::Kind::info, "five.log");

  std::string text = text_of(folder / "five.log");
  const std::size_t digit = text.size() - 2;  // of the last hash
  text[digit] = text[digit] == '0' ? '1' : '0';
  write_text(folder / "other.log", text);
  session.replay(folder / "other.log");
  wait_for_status(session, [](const Status& s) { return s.replaying; });
  session.play();
  wait_for_message(session, Message::Kind::warning, "differs");

  write_text(folder / "broken.log", "sinew recording 1\n0 fly away\n");
  session.replay(folder / "broken.log");
  wait_for_message(session, Message::Kind::error, "broken.log:2");
  write_text(folder / "nameless.log", "sinew recording 1\n3 reset\n");
  session.replay(folder / "nameless.log");
  const std::string nameless = wait_for_message(session, Message::Kind::error, "names no scene");
  CHECK(nameless.find("sinew run SCENE --replay " + (folder / "nameless.log")) != std::string::npos);
  session.replay(folder / "missing.log");
  wait_for_message(session, Message::Kind::error, "missing.log");
  CHECK(session.latest()->steps == 5);
}

TEST_CASE("session: every scene gets a recording of its own", "[session]") {
  TemporaryFolder folder;
  write_text(folder / "scene.json", falling_cube());
  Session::Options options = paused();
  options.record_file = folder / "kept.log";
  Session session(options);
  session.open(folder / "scene.json");
  wait_for_steps(session, 0);
  session.step(2);
  wait_for_steps(session, 2);
  write_text(folder / "kept-2.log", "of another day");
  session.reload();
  wait_for_message(session, Message::Kind::info, "reloaded");
  session.save_recording(folder / "kept-3.log");
  wait_for_message(session, Message::Kind::info, "is being recorded");
  session.step(3);
  wait_for_steps(session, 3);
  CHECK(session.end(60.0));
  CHECK(text_of(folder / "kept.log").find("\n2 end ") != std::string::npos);
  CHECK(text_of(folder / "kept-2.log") == "of another day");
  CHECK(text_of(folder / "kept-3.log").find("\n3 end ") != std::string::npos);

  options.record_file = "/nowhere/kept.log";
  Session other(options);
  other.open(folder / "scene.json");
  wait_for_message(other, Message::Kind::error, "/nowhere/kept.log");
  wait_for_steps(other, 0);
}
