// All commands in any order while the scene runs: nothing breaks, and the recording is the same to the bit.
#include <random>

#include "tests/viewer/session/session_scene.hpp"

using namespace sinew;
using namespace sinew::test;
using namespace sinew::viewer;

namespace {
/// Does one thing, chosen at random.
void do_anything(Session& session, std::mt19937& random, std::vector<int>& held) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto part = [&] { return static_cast<double>(random() % 1000) / 1000.0; };
  const auto place = [&] { return Vec3d{0.2 * part() - 0.1, 0.2 * part() - 0.1, 0.25 * part() + 0.02}; };
  const int any = held.empty() ? 0 : held[static_cast<std::size_t>(below(static_cast<int>(held.size())))];
  switch (below(18)) {
    case 0:
    case 1: {
      BodyPoint point;
      point.body = below(10) == 0 ? "nobody" : "cube";
      point.nearest_to = place();
      held.push_back(session.grab(point, place(), below(2) == 0 ? 0.0 : 1e-3 * part()));
      break;
    }
    case 2:
    case 3:
    case 4:
      session.move_grab(any, place(), 0.1 * part());
      break;
    case 5:
      session.set_grab_compliance(any, 1e-3 * part());
      break;
    case 6:
      session.release_grab(any);
      break;
    case 7:
      session.release_all();
      break;
    case 8:
    case 9:
      session.move_obstacle(static_cast<std::size_t>(1 + below(3)),
                            {Mat3d::identity(), {0.15 + 0.1 * part(), 0.1 * part(), 0.08}}, 0.2 * part());
      break;
    case 10:
      session.set_parameter("bodies.cube.friction", std::to_string(part() - 0.1));
      break;
    case 11:
      session.set_parameter("bodies.cube.material.young_modulus", std::to_string(5e4 + 1e5 * part()));
      break;
    case 12:
      session.revert_parameters();
      break;
    case 13:
      session.step(below(4));
      break;
    case 14:
    case 15:
      session.play();
      break;
    case 16:
      session.want_nodes(below(2) == 0);
      session.want_values(below(2) == 0 ? std::nullopt
                                        : std::optional(static_cast<SurfaceQuantity>(below(4))));
      break;
    default:
      if (below(4) == 0) session.reset();
  }
}
}  // namespace

TEST_CASE("session: whatever is done in whatever order is replayed to the bit", "[session]") {
  TemporaryFolder folder;
  write_text(folder / "scene.json", falling_cube());
  std::shared_ptr<const ViewState> original;
  {
    Session session(paused());
    session.set_speed(0.0);
    session.open(folder / "scene.json");
    wait_for_steps(session, 0);
    std::mt19937 random(7);
    std::vector<int> held;
    for (int i = 0; i < 600; ++i) {
      do_anything(session, random, held);
      if (i % 3 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const auto state = session.latest();
      REQUIRE(state->points.size() == 1);
      REQUIRE(state->points[0].size() > 50);
    }
    session.pause();
    wait_for_status(session, [](const Status& s) { return !s.playing; });
    session.set_parameter("simulation.iterations", "7");  // of requests the newest is the last to come
    const long last =
        wait_for(session, [](const ViewState& s) { return s.scene->settings.iterations == 7; })->steps;
    session.step(25);  // however few frames there was time for until then
    original = wait_for_steps(session, last + 25);
    session.save_recording(folder / "all.log");
    wait_for_message(session, Message::Kind::info, "all.log");
  }
  CHECK(original->steps >= 25);
  CHECK(original->scene->generation >= 2);
  Session session(paused());
  session.set_speed(0.0);
  session.replay(folder / "all.log");
  wait_for_steps(session, 0);
  session.play();
  const Status status = wait_for_status(session, [](const Status& s) { return !s.replay_result.empty(); });
  CHECK(status.replay_result.find("the same to the bit") != std::string::npos);
  CHECK(wait_for_steps(session, original->steps)->points == original->points);
}
