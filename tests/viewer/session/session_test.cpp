// Sessions: time, parameters, files that change, and ends.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/viewer/session/session_scene.hpp"
#include "viewer/session/recorded_run.hpp"

using namespace sinew;
using namespace sinew::test;
using namespace sinew::viewer;

namespace {
struct Opened {
  TemporaryFolder folder;
  Session session;
  explicit Opened(const std::string& text = falling_cube(), Session::Options options = paused())
      : session(std::move(options)) {
    write_text(file(), text);
    session.open(file());
    wait_for(session, [](const ViewState&) { return true; });
  }
  std::string file() const { return folder / "scene.json"; }
};
}  // namespace

TEST_CASE("session: pause, single steps, reset, play, speed", "[session]") {
  Opened opened;
  Session& session = opened.session;
  const auto first = session.latest();
  CHECK(first->steps == 0);
  CHECK_FALSE(wait_for_status(session, [](const Status&) { return true; }).playing);
  session.step();
  CHECK(wait_for_steps(session, 1)->time == Approx(0.01));
  session.step(4);
  const auto fifth = wait_for_steps(session, 5);
  CHECK(fifth->frame == 5);
  CHECK(fifth->center_of_mass[0].z < first->center_of_mass[0].z);
  CHECK(fifth->number > first->number);
  CHECK(fifth->points[0].size() == first->points[0].size());

  session.reset();
  const auto back = wait_for(session, [](const ViewState& s) { return s.frame == 0; });
  CHECK(back->steps == 5);
  CHECK(back->time == 0.0);
  CHECK(back->points[0] == first->points[0]);
  CHECK(first->resets == 0);
  CHECK(back->resets == 1);
  CHECK(back->opened == 1);

  session.set_speed(0.0);
  session.play();
  CHECK(wait_for_status(session, [](const Status& s) { return s.playing; }).speed == 0.0);
  wait_for(session, [](const ViewState& s) { return s.frame > 20; });
  session.pause();
  wait_for_status(session, [](const Status& s) { return !s.playing && s.achieved_speed == 0.0; });
  const long stopped = session.latest()->steps;
  session.step(2);
  wait_for_steps(session, stopped + 2);
  CHECK(session.latest()->steps == stopped + 2);
}

TEST_CASE("session: slow motion computes fewer frames in the same time", "[session]") {
  Opened opened;
  Session& session = opened.session;
  session.set_speed(0.1);
  session.play();
  // Ten frames a second: the speed that is achieved comes out of the clock, however busy the machine is.
  wait_for(session, [](const ViewState& s) { return s.steps >= 5; });
  const Status status = session.status();
  CHECK(status.achieved_speed <= 0.12);
  CHECK(status.steps_per_second <= 12.0);
  session.set_speed(-1.0);
  wait_for_message(session, Message::Kind::error, "speed -1");
  CHECK(session.status().speed == 0.1);
}

TEST_CASE("session: a changed parameter takes effect and loses nothing", "[session]") {
  Opened opened;
  Session& session = opened.session;
  session.step(20);
  const auto before = wait_for_steps(session, 20);
  const int number = session.grab(highest_point(*before, 0), at(*before, 0, highest_point(*before, 0)), 1e-4);
  session.set_parameter("simulation.gravity", "[0, 0, 20]");
  const auto after = wait_for(session, [](const ViewState& s) { return s.scene->generation == 2; });
  CHECK(after->opened == 1);
  CHECK(after->steps == 20);
  CHECK(after->time == Approx(before->time));
  CHECK(after->points[0] == before->points[0]);
  REQUIRE(after->grabs.size() == 1);
  CHECK(after->grabs[0].number == number);
  CHECK(after->scene->model.gravity().z == 20.0);
  CHECK(after->scene->overrides == std::vector<std::string>{"simulation.gravity=[0, 0, 20]"});
  CHECK(after->scene->sizes.factorizations == 0);
  CHECK(wait_for_status(session, [](const Status& s) { return s.scene_changed; }).scene_changed);
  session.release_all();
  session.step(30);
  CHECK(wait_for_steps(session, 50)->center_of_mass[0].z > before->center_of_mass[0].z + 0.3);

  // The same again replaces the old value, another one is added; what cannot be is refused and forgotten.
  session.set_parameter("simulation.gravity", "[0, 0, 0]");
  session.set_parameter("bodies.cube.friction", "0.25");
  const auto both = wait_for(session, [](const ViewState& s) { return s.scene->overrides.size() == 2; });
  CHECK(both->scene->overrides ==
        std::vector<std::string>{"simulation.gravity=[0, 0, 0]", "bodies.cube.friction=0.25"});
  session.set_parameter("bodies.cube.friction", "-3");
  wait_for_message(session, Message::Kind::error, "bodies.cube.friction");
  CHECK(session.latest()->scene->model.body(0).friction == 0.25);
  session.set_parameter("bodies.cube.friction", "0.75");
  wait_for(session, [](const ViewState& s) { return s.scene->model.body(0).friction == 0.75; });
  session.revert_parameters();
  const auto reverted = wait_for(session, [](const ViewState& s) { return s.scene->overrides.empty(); });
  CHECK(reverted->scene->model.gravity().z == Approx(-9.81));
  CHECK(reverted->steps == 50);
  wait_for_status(session, [](const Status& s) { return !s.scene_changed; });
}

TEST_CASE("session: a scene that is broken while it runs is told and survived", "[session]") {
  Session::Options options = paused();
  options.watch = true;
  Opened opened(falling_cube(), options);
  Session& session = opened.session;
  session.step(3);
  wait_for_steps(session, 3);
  write_text(opened.file(), "{\n  \"bodies\": [\n  oops\n}\n");
  const std::string told = wait_for_message(session, Message::Kind::error, opened.file() + ":3");
  CHECK(told.find('\n') == std::string::npos);
  session.step(2);
  const auto survived = wait_for_steps(session, 5);
  CHECK(survived->scene->generation == 1);

  std::string mended = falling_cube();
  mended.insert(1, R"("simulation": {"gravity": [0, 0, -1]},)");
  write_text(opened.file(), mended);
  const auto fresh = wait_for(session, [](const ViewState& s) { return s.scene->generation == 2; });
  CHECK(fresh->steps == 0);
  CHECK(fresh->opened == 2);
  CHECK(fresh->scene->model.gravity().z == -1.0);
  std::uint64_t number = 0;
  for (const Message& message : session.messages()) CHECK(message.number == ++number);
  CHECK(number >= 3);  // opened, broken, reloaded
}

TEST_CASE("session: a scene that is not there is told, and opened once it is", "[session]") {
  TemporaryFolder folder;
  Session::Options options = paused();
  options.watch = true;
  Session session(options);
  session.open(folder / "late.json");
  wait_for_message(session, Message::Kind::error, "late.json");
  CHECK(session.latest() == nullptr);
  session.step();  // nothing to step: no error
  write_text(folder / "late.json", falling_cube());
  CHECK(wait_for(session, [](const ViewState&) { return true; })->scene->path == folder / "late.json");
}

TEST_CASE("session: a scene that cannot be opened leaves the one that runs to its file", "[session]") {
  Session::Options options = paused();
  options.watch = true;
  Opened opened(falling_cube(), options);
  Session& session = opened.session;
  session.step(3);
  wait_for_steps(session, 3);
  const std::string other = opened.folder / "other.json";
  write_text(other, "{oops");
  session.open(other);
  wait_for_message(session, Message::Kind::error, other);
  write_text(other, falling_cube(3));  // it is not asked for again
  session.reload();
  const auto fresh = wait_for(session, [](const ViewState& s) { return s.opened == 2; });
  CHECK(fresh->scene->path == opened.file());
  wait_for_message(session, Message::Kind::info, opened.file() + " reloaded");
  std::string changed = falling_cube();
  changed.insert(1, R"("simulation": {"gravity": [0, 0, -1]},)");
  write_text(opened.file(), changed);
  const auto watched = wait_for(session, [](const ViewState& s) { return s.opened == 3; });
  CHECK(watched->scene->path == opened.file());
  CHECK(watched->scene->model.gravity().z == -1.0);
  session.open(other);
  CHECK(wait_for(session, [](const ViewState& s) { return s.opened == 4; })->scene->path == other);
  wait_for_message(session, Message::Kind::info, other + " opened");
}

TEST_CASE("session: the changed scene is written, reads back, and is no reason to reload", "[session]") {
  Session::Options options = paused();
  options.watch = true;
  Opened opened(falling_cube(), options);
  Session& session = opened.session;
  session.set_parameter("bodies.cube.friction", "0.125");
  wait_for(session, [](const ViewState& s) { return s.scene->generation == 2; });
  session.save_scene(opened.folder / "other.json");
  wait_for_message(session, Message::Kind::info, "other.json");
  CHECK(load_scene(opened.folder / "other.json").model.body(0).friction == 0.125);
  CHECK(session.status().scene_changed);
  session.save_scene(opened.file());
  wait_for_status(session, [](const Status& s) { return !s.scene_changed; });
  std::this_thread::sleep_for(std::chrono::milliseconds(700));  // the watch has looked twice
  CHECK(session.latest()->scene->generation == 2);
  session.save_scene("/nowhere/scene.json");
  wait_for_message(session, Message::Kind::error, "/nowhere/scene.json");
}

TEST_CASE("session: a frame that cannot be computed pauses on the last good one", "[session]") {
  Opened opened;
  Session& session = opened.session;
  const auto first = session.latest();
  const int number = session.grab(highest_point(*first, 0), {1e200, 0, 0}, 0.0);
  session.play();
  const auto state = wait_for(session, [](const ViewState& s) { return s.diverged; });
  CHECK(state->frame == 0);
  CHECK(state->points[0] == first->points[0]);
  wait_for_message(session, Message::Kind::error, "frame 1");
  wait_for_status(session, [](const Status& s) { return !s.playing; });
  session.release_grab(number);
  session.step();
  CHECK_FALSE(wait_for_steps(session, 1)->diverged);
}

TEST_CASE("session: values of the bodies come when they are wanted", "[session]") {
  Opened opened;
  Session& session = opened.session;
  CHECK(session.latest()->values.empty());
  session.want_values(SurfaceQuantity::speed);
  session.step(3);
  const auto state = wait_for(session, [](const ViewState& s) { return s.steps == 3 && !s.values.empty(); });
  CHECK(state->quantity == SurfaceQuantity::speed);
  REQUIRE(state->values[0].size() == state->points[0].size());
  for (const double speed : state->values[0]) CHECK(speed == Approx(3 * 0.01 * 9.81));  // implicit Euler
  CHECK(state->node_values.empty());
  session.want_nodes(true);
  session.want_values(SurfaceQuantity::displacement);
  const auto moved = wait_for(session, [](const ViewState& s) { return !s.node_values.empty(); });
  CHECK(moved->node_values[0].size() == moved->nodes[0].size());
  session.want_values(std::nullopt);
  const auto none = wait_for(session, [](const ViewState& s) { return s.values.empty(); });
  CHECK_FALSE(none->quantity.has_value());
}

TEST_CASE("session: a slider that is dragged ends where it was left", "[session]") {
  Opened opened;
  Session& session = opened.session;
  session.set_speed(0.0);
  session.play();
  for (int i = 1; i <= 200; ++i) {
    session.set_parameter("bodies.cube.friction", i % 10 == 5 ? "-1" : std::to_string(0.001 * i));
    session.set_parameter("simulation.iterations", std::to_string(i));
    if (i % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const auto last = wait_for(session, [](const ViewState& s) { return s.scene->settings.iterations == 200; });
  CHECK(last->scene->model.body(0).friction == 0.2);
  CHECK(last->scene->overrides.size() == 2);
  CHECK(session.latest()->scene->generation > 2);  // some of the way was seen
}

TEST_CASE("session: nodes come when they are wanted", "[session]") {
  Opened opened;
  Session& session = opened.session;
  CHECK(session.latest()->nodes.empty());
  session.want_nodes(true);
  const auto with = wait_for(session, [](const ViewState& s) { return !s.nodes.empty(); });
  CHECK(with->nodes[0].size() == with->scene->model.body(0).mesh.nodes.size());
  CHECK(with->steps == 0);
  session.want_nodes(false);
  wait_for(session, [](const ViewState& s) { return s.nodes.empty(); });
}

TEST_CASE("session: a state that is held stays as it is", "[session]") {
  Opened opened;
  const auto held = opened.session.latest();
  const std::vector<Vec3d> copy = held->points[0];
  opened.session.step(30);
  wait_for_steps(opened.session, 30);
  CHECK(held->points[0] == copy);
  CHECK(held->steps == 0);
}

TEST_CASE("session: commands wait for a frame that takes long, calls do not", "[session]") {
  // A cube that is pulled apart, with so many iterations that a frame takes about half a second.
  std::string text = falling_cube(10);
  text.insert(1, R"("simulation": {"iterations": 800, "history": 0},)");
  Opened opened(text);
  Session& session = opened.session;
  const auto before = session.latest();
  const BodyPoint point = highest_point(*before, 0);
  const int pulled = session.grab(point, {0.02, 0, 0.2}, 0.0);
  session.move_grab(pulled, {0.0, 0, 0.25}, 0.05);
  session.step(20);
  wait_for_steps(session, 2);
  // While the third frame is computed, a hundred calls: all of them are over before the frame is.
  int number = 0;
  for (int i = 0; i < 100; ++i) {
    number = session.grab(point, at(*before, 0, point), 1e-3);
    session.move_grab(number, {0, 0, 0.2}, 0.01);
    if (i < 99) session.release_grab(number);
    CHECK(session.latest()->steps == 2);
    CHECK(session.status().speed == 1.0);
  }
  session.pause();
  const auto after = wait_for(session, [](const ViewState& s) { return s.grabs.size() == 2; });
  CHECK(after->grabs[1].number == number);
  CHECK(after->steps <= 3);
  CHECK(after->statistics.ms.frame > 50.0);
}

TEST_CASE("session: files that are to be written when the end is asked for are written", "[session]") {
  std::string text = falling_cube(10);
  text.insert(1, R"("simulation": {"iterations": 800, "history": 0},)");
  Opened opened(text);
  Session& session = opened.session;
  session.grab(highest_point(*session.latest(), 0), {0.02, 0, 0.25}, 0.0);
  session.step(20);
  wait_for_steps(session, 1);
  session.save_recording(opened.folder / "last.log");  // during the second frame
  session.save_scene(opened.folder / "last.json");
  session.reset();  // too late
  CHECK(session.end(60.0));
  CHECK(read_recording(opened.folder / "last.log").steps == 2);
  CHECK(load_scene(opened.folder / "last.json").model.body_count() == 1);
}

TEST_CASE("session: ends while it loads, while it computes, and before it began", "[session]") {
  TemporaryFolder folder;
  write_text(folder / "scene.json", falling_cube());
  write_text(folder / "large.json",
             R"({"bodies": [{"name": "a", "mesh": {"generate": "ball", "vertices": 3000}},
    {"name": "b", "mesh": {"generate": "block", "vertices": 3000}},
    {"name": "c", "mesh": {"generate": "torus", "vertices": 3000}}],
    "simulation": {"solver": {"cache": false}}})");
  { const Session never(paused()); }
  for (const double wait : {0.0, 0.01, 0.1}) {
    Session session(paused());
    session.open(folder / "large.json");
    std::this_thread::sleep_for(std::chrono::duration<double>(wait));
    CHECK(session.end(60.0));
    CHECK(session.end(0.0));
  }
  {
    Session session(paused());
    session.set_speed(0.0);
    session.open(folder / "large.json");
    session.open(folder / "scene.json");  // the newest wins
    wait_for(session, [](const ViewState&) { return true; });
    session.play();
    CHECK(wait_for(session, [](const ViewState& s) { return s.steps > 3; })->scene->name == "scene");
    CHECK(session.end(60.0));
    CHECK(session.latest()->scene->name == "scene");
  }
}

TEST_CASE("session: a frame that takes longer than the end may is left to itself", "[session]") {
  std::string text = falling_cube(10);
  text.insert(1, R"("simulation": {"iterations": 3000, "history": 0},)");
  std::shared_ptr<const ViewState> state;
  {
    Opened opened(text);
    Session& session = opened.session;
    state = session.latest();
    session.grab(highest_point(*state, 0), {0.02, 0, 0.3}, 0.0);
    session.step(3);
    state = wait_for_steps(session, 1);
    CHECK_FALSE(session.end(0.0));
  }
  // The session is gone, but what its thread uses is not, until that ends.
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (state->scene.use_count() > 1 && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(state->scene.use_count() == 1);
}
