// What is taken in the hand follows the hand, whatever it weighs, and hangs from it as far as its compliance
// says.
#include <cmath>

#include "tests/viewer/session/session_scene.hpp"

using namespace sinew;
using namespace sinew::test;
using namespace sinew::viewer;

namespace {
/// Two cubes in two hands.
struct Hands {
  TemporaryFolder folder;
  Session session{paused()};
  BodyPoint point[2];
  Vec3d start[2];
  int number[2] = {-1, -1};

  Hands(const std::string& gravity, double light_compliance, double heavy_compliance) {
    write_text(folder / "cubes.json", two_cubes(gravity));
    session.open(folder / "cubes.json");
    const auto state = wait_for_steps(session, 0);
    const double compliance[2] = {light_compliance, heavy_compliance};
    for (std::size_t b = 0; b < 2; ++b) {
      point[b] = highest_point(*state, b);
      start[b] = at(*state, b, point[b]);
      number[b] = session.grab(point[b], start[b], compliance[b]);
    }
  }
};
}  // namespace

TEST_CASE("session: 1 g and 10 kg follow a hand at 0.5 m/s within 1 mm", "[session]") {
  Hands hands("[0, 0, -9.81]", 0.0, 0.0);
  const Vec3d velocity{0.3, 0.0, 0.4};  // 0.5 m/s
  const auto first = hands.session.latest();
  const double h = first->scene->settings.time_step;
  for (long step = 1; step <= 60; ++step) {
    const Vec3d way = (static_cast<double>(step) * h) * velocity;
    for (std::size_t b = 0; b < 2; ++b) hands.session.move_grab(hands.number[b], hands.start[b] + way, h);
    hands.session.step();
    const auto state = wait_for_steps(hands.session, step);
    REQUIRE(state->grabs.size() == 2);
    for (std::size_t b = 0; b < 2; ++b) {
      CHECK(norm(state->grabs[b].target - (hands.start[b] + way)) < 1e-12);
      CHECK(norm(state->grabs[b].point - state->grabs[b].target) < 1e-3);
      CHECK(norm(at(*state, b, hands.point[b]) - (hands.start[b] + way)) < 1e-3);
    }
  }
  // All of both moved along, not only the points in the hand.
  const auto last = hands.session.latest();
  for (std::size_t b = 0; b < 2; ++b) CHECK(norm(last->center_of_mass[b] - first->center_of_mass[b]) > 0.2);
}

TEST_CASE("session: with compliance c both hang c m g below the hand", "[session]") {
  const double mass[2] = {1e-3, 10.0}, compliance[2] = {1.0, 1e-4};
  Hands hands("[0, 0, -9.81]", compliance[0], compliance[1]);
  hands.session.step(600);
  const auto state = wait_for_steps(hands.session, 600);
  REQUIRE(state->grabs.size() == 2);
  for (std::size_t b = 0; b < 2; ++b) {
    const double weight = state->scene->model.body_mass(b) * 9.81;
    CHECK(state->scene->model.body_mass(b) == Approx(mass[b]).epsilon(1e-3));
    const Vec3d below = state->grabs[b].target - state->grabs[b].point;
    CHECK(below.z == Approx(compliance[b] * weight).epsilon(0.01));
    CHECK(std::hypot(below.x, below.y) < 0.01 * below.z);
    CHECK(state->grabs[b].force.z == Approx(weight).epsilon(0.01));
    CHECK(state->grabs[b].body == b);
    CHECK(state->grabs[b].compliance == compliance[b]);
  }
}

TEST_CASE("session: a hand that is seen rarely moves evenly in between", "[session]") {
  Hands hands("[0, 0, 0]", 0.0, 0.0);
  hands.session.move_grab(hands.number[0], hands.start[0] + Vec3d{0.05, 0, 0}, 0.05);
  for (long step = 1; step <= 6; ++step) {
    hands.session.step();
    const auto state = wait_for_steps(hands.session, step);
    CHECK(state->grabs[0].target.x - hands.start[0].x ==
          Approx(0.01 * static_cast<double>(std::min(step, 5L))).margin(1e-12));
  }
}

TEST_CASE("session: what is let go flies on, and what was held is held no more", "[session]") {
  Hands hands("[0, 0, 0]", 0.0, 0.0);
  hands.session.set_grab_compliance(hands.number[1], 2e-5);
  hands.session.release_grab(hands.number[0]);
  hands.session.move_grab(hands.number[0], {5, 5, 5}, 0.0);  // too late: no error
  hands.session.step();
  auto state = wait_for_steps(hands.session, 1);
  REQUIRE(state->grabs.size() == 1);
  CHECK(state->grabs[0].number == hands.number[1]);
  CHECK(state->grabs[0].compliance == 2e-5);
  CHECK(norm(at(*state, 0, hands.point[0]) - hands.start[0]) < 1e-9);
  hands.session.release_all();
  CHECK(wait_for(hands.session, [](const ViewState& s) { return s.grabs.empty(); })->steps == 1);
  for (const Message& message : hands.session.messages()) CHECK(message.kind == Message::Kind::info);
}

TEST_CASE("session: a place in space is held at the surface next to it, a wrong one is refused",
          "[session]") {
  Hands hands("[0, 0, 0]", 0.0, 0.0);
  BodyPoint point;
  point.body = "heavy";
  point.nearest_to = Vec3d{1.01, 0.02, 0.3};
  const int number = hands.session.grab(point, {1.01, 0.02, 0.05}, 0.0);
  const auto state = wait_for(hands.session, [](const ViewState& s) { return s.grabs.size() == 3; });
  CHECK(state->grabs.back().number == number);
  CHECK(norm(state->grabs.back().point - Vec3d{1.01, 0.02, 0.05}) < 1e-9);
  point.nearest_to.reset();
  point.triangle = 1000000;
  hands.session.grab(point, {}, 0.0);
  wait_for_message(hands.session, Message::Kind::error, "1000000");
  point.body = "nobody";
  hands.session.grab(point, {}, 0.0);
  wait_for_message(hands.session, Message::Kind::error, "nobody");
  CHECK(hands.session.latest()->grabs.size() == 3);
}

TEST_CASE("session: a body that has moved on since it was seen is taken without a throw", "[session]") {
  TemporaryFolder folder;
  std::string text = falling_cube();
  text.insert(text.find("\"density\""), "\"velocity\": [2, 0, 0], ");
  text.insert(1, R"("simulation": {"gravity": [0, 0, 0]},)");
  write_text(folder / "scene.json", text);
  Session session(paused());
  session.open(folder / "scene.json");
  const auto seen = wait_for_steps(session, 0);
  const BodyPoint top = highest_point(*seen, 0);
  session.step(6);  // 12 cm
  wait_for_steps(session, 6);
  session.grab(top, at(*seen, 0, top), 0.0);
  double before = at(*session.latest(), 0, top).x;
  for (long step = 7; step <= 16; ++step) {
    session.step();
    const double now = at(*wait_for_steps(session, step), 0, top).x;
    CHECK(std::abs(now - before) / 0.01 < 2.0);  // [m/s] no faster than it was
    before = now;
  }
  CHECK(before == Approx(at(*seen, 0, top).x).margin(1e-9));
}

TEST_CASE("session: an obstacle goes where it is dragged, and pushes", "[session]") {
  TemporaryFolder folder;
  write_text(folder / "scene.json", falling_cube());
  Session session(paused());
  session.open(folder / "scene.json");
  const auto first = wait_for_steps(session, 0);
  CHECK(norm(first->obstacle_pose[1].translation - Vec3d{0.2, 0, 0.05}) < 1e-12);
  // 10 cm towards the cube in 20 frames; the ball meets it half way.
  session.move_obstacle(1, {Mat3d::identity(), {0.06, 0, 0.05}}, 0.2);
  session.step(10);
  CHECK(wait_for_steps(session, 10)->obstacle_pose[1].translation.x == Approx(0.13));
  session.step(15);
  const auto last = wait_for_steps(session, 25);
  CHECK(last->obstacle_pose[1].translation == Vec3d{0.06, 0, 0.05});
  CHECK(last->center_of_mass[0].x < first->center_of_mass[0].x - 0.02);
  session.reset();
  for (int i = 0; i < 3; ++i) session.move_obstacle(0, {Mat3d::identity(), {0, 0, 1}}, 0.0);
  session.step();
  const auto fixed = wait_for(session, [](const ViewState& s) { return s.frame == 1; });
  CHECK(fixed->obstacle_pose[0].translation == Vec3d{});
  std::size_t refusals = 0;
  for (const Message& message : session.messages())
    refusals += message.text.find("'floor'") < message.text.size();
  CHECK(refusals == 1);
  session.reset();
  const auto back = wait_for(session, [](const ViewState& s) { return s.resets == 2; });
  CHECK(norm(back->obstacle_pose[1].translation - Vec3d{0.2, 0, 0.05}) < 1e-12);
}
