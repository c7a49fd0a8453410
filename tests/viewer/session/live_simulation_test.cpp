// Events on a running scene: what they do, and that what cannot be leaves everything as it was.
#include "viewer/session/live_simulation.hpp"

#include <cmath>

#include <sinew/errors.hpp>

#include "tests/support/catch.hpp"
#include "tests/viewer/session/live_scene.hpp"

using namespace sinew;
using namespace sinew::viewer;
using sinew::test::live_scene;
using sinew::test::on_top;

TEST_CASE("live simulation: a grab is followed, and let go") {
  LiveSimulation live(live_scene(), {});
  live.apply(GrabEvent{1, on_top("cube"), {0.05, 0.05, 0.3}, 0.0});
  REQUIRE(live.grabs().size() == 1);
  const HandleId id = live.grabs().at(1).id;
  for (int i = 0; i < 20; ++i) {
    live.apply(TargetEvent{1, {0.05, 0.05, 0.3 + 0.01 * i}});
    live.step();
    CHECK(std::abs(live.simulation().handle_forces(id)[0].position.z - (0.3 + 0.01 * i)) < 1e-6);
  }
  CHECK(live.steps() == 20);
  CHECK(live.grabs().at(1).target == Vec3d{0.05, 0.05, 0.49});
  live.apply(ComplianceEvent{1, 1e-3});
  CHECK(live.grabs().at(1).compliance == 1e-3);
  live.apply(ReleaseEvent{1});
  CHECK(live.grabs().empty());
  CHECK_FALSE(live.simulation().has_handle(id));
}

TEST_CASE("live simulation: what cannot be is refused and changes nothing") {
  LiveSimulation live(live_scene(), {});
  live.apply(GrabEvent{1, on_top("cube"), {0.05, 0.05, 0.3}, 0.0});
  live.step();
  const std::uint64_t hash = live.simulation().state_hash();
  const double nan = std::nan("");
  const Event bad[] = {GrabEvent{1, on_top("cube"), {}, 0.0},
                       GrabEvent{-1, on_top("cube"), {}, 0.0},
                       GrabEvent{2, on_top("nobody"), {}, 0.0},
                       GrabEvent{2, {"cube", -1, 100000, {1, 0, 0}, {}}, {}, 0.0},
                       GrabEvent{2, on_top("cube"), {nan, 0, 0}, 0.0},
                       GrabEvent{2, on_top("cube"), {}, -1.0},
                       TargetEvent{2, {}},
                       TargetEvent{1, {0, nan, 0}},
                       ComplianceEvent{1, -1.0},
                       ReleaseEvent{2},
                       ObstacleEvent{"nothing", {}},
                       ObstacleEvent{"pusher", {2.0 * Mat3d::identity(), {}}},
                       ParametersEvent{{"simulation.iterations=0"}},
                       ParametersEvent{{"bodies.cube.colour=1"}}};
  for (const Event& event : bad) {
    INFO(event_text(event));
    CHECK_THROWS_AS(live.apply(event), Error);
    CHECK(live.grabs().size() == 1);
    CHECK(live.simulation().handles().size() == 1);
    CHECK(live.overrides().empty());
    CHECK(live.simulation().state_hash() == hash);
  }
  CHECK(live.grabs().at(1).target == Vec3d{0.05, 0.05, 0.3});
}

TEST_CASE(
    "live simulation: an obstacle goes where it is moved, pushes, and stays over a change of parameters") {
  LiveSimulation live(live_scene(), {});
  const std::size_t pusher = live.scene().model.obstacle_index("pusher");
  const auto mean_x = [&] {
    double sum = 0.0;
    for (const Vec3d& x : live.simulation().positions(0)) sum += x.x;
    return sum / static_cast<double>(live.simulation().positions(0).size());
  };
  live.step();
  const double before = mean_x();
  for (int i = 1; i <= 40; ++i) {  // the cube's side is at 0.1 m, the box is 0.05 m wide
    live.apply(ObstacleEvent{"pusher", {Mat3d::identity(), {0.3 - 0.005 * i, 0.05, 0.05}}});
    live.step();
    CHECK(live.simulation().obstacle_pose(pusher).translation.x == Approx(0.3 - 0.005 * i));
  }
  CHECK(mean_x() < before - 0.02);
  live.apply(ParametersEvent{{"bodies.cube.friction=0.1"}});
  live.step();
  CHECK(live.simulation().obstacle_moved(pusher));
  CHECK(live.simulation().obstacle_pose(pusher).translation.x == Approx(0.1));
  live.apply(ResetEvent{});
  live.step();
  CHECK(live.simulation().obstacle_pose(pusher).translation.x == Approx(0.3));
}

TEST_CASE("live simulation: parameters change in the middle, the state and the hand stay") {
  LiveSimulation live(live_scene(), {});
  live.apply(GrabEvent{3, on_top("cube"), {0.05, 0.05, 0.25}, 0.0});
  for (int i = 0; i < 10; ++i) live.step();
  const std::vector<Vec3d> before = live.simulation().positions(0);
  const double mass = live.simulation().model().body_mass(0);

  live.apply(ParametersEvent{{"bodies.cube.density=2000", "simulation.iterations=7"}});
  CHECK(live.simulation().positions(0) == before);
  CHECK(live.simulation().frame() == 10);
  CHECK(live.steps() == 10);
  CHECK(live.simulation().model().body_mass(0) == Approx(2.0 * mass));
  CHECK(live.simulation().settings().iterations == 7);
  CHECK(live.tree().find("simulation")->find("iterations")->number == 7);
  CHECK(live.overrides().size() == 2);
  live.apply(TargetEvent{3, {0.05, 0.05, 0.26}});
  for (int i = 0; i < 200; ++i) live.step();
  const Vec3d force = live.simulation().handle_forces(live.grabs().at(3).id)[0].force;
  CHECK(force.z == Approx(2.0 * mass * 9.81).epsilon(0.02));

  // Back: the equal body comes without a factorisation.
  live.apply(ParametersEvent{{"simulation.iterations=7"}});
  const std::size_t made = live.simulation().sizes().factorizations;
  live.apply(ParametersEvent{{"simulation.iterations=9", "bodies.cube.friction=0.1"}});
  CHECK(live.simulation().sizes().factorizations == 0);
  CHECK(made == 1);
  CHECK(live.grabs().size() == 1);
}

TEST_CASE("live simulation: a grab on a body that is gone is forgotten") {
  LiveSimulation live(live_scene(), {});
  live.apply(GrabEvent{1, on_top("cube"), {0.05, 0.05, 0.25}, 0.0});
  live.step();
  live.apply(ParametersEvent{{"bodies.cube.name=other"}});
  CHECK(live.grabs().empty());
  live.step();
}

TEST_CASE("live simulation: a grab on triangles that are gone is forgotten") {
  LiveSimulation live(
      live_scene(), {},
      {"bodies.cube.mesh.cells_x=1", "bodies.cube.mesh.cells_y=1", "bodies.cube.mesh.cells_z=15"});
  const std::size_t nodes = live.simulation().positions(0).size();
  const auto last = static_cast<Index>(live.scene().model.surface_triangles(0).size() - 1);
  live.apply(GrabEvent{1, {"cube", -1, last, {0.25, 0.25, 0.5}, {}}, {0.05, 0.05, 0.25}, 0.0});
  live.step();
  live.apply(ParametersEvent{{}});  // 3 cells in each direction
  CHECK(live.simulation().positions(0).size() == nodes);
  CHECK(live.scene().model.surface_triangles(0).size() <= static_cast<std::size_t>(last));
  CHECK(live.grabs().empty());
  live.step();
}

TEST_CASE("live simulation: a preparation may outlive what it comes from") {
  Preparation later;
  {
    LiveSimulation live(live_scene(), {});
    later = live.preparation({"simulation.iterations=3"});
  }
  std::vector<std::string> bodies;
  const auto prepared =
      later([&](std::size_t, std::size_t, const std::string& body) { bodies.push_back(body); });
  CHECK(prepared->simulation->settings().iterations == 3);
  const auto give_up = [](std::size_t, std::size_t, const std::string&) { throw Error("newer"); };
  LiveSimulation live(live_scene(), {});
  CHECK_THROWS_AS(live.preparation({"simulation.time_step=0.02"})(give_up), Error);
}

TEST_CASE("live simulation: reset and restart are fresh starts") {
  const auto ten_frames = [](LiveSimulation& live) {
    live.apply(GrabEvent{1, on_top("cube"), {0.05, 0.05, 0.3}, 0.0});
    for (int i = 0; i < 10; ++i) live.step();
    return live.simulation().state_hash();
  };
  LiveSimulation live(live_scene(), {}, {"bodies.cube.friction=0.3"});
  const std::uint64_t first = ten_frames(live);
  live.apply(ResetEvent{});
  CHECK(live.grabs().empty());
  CHECK(live.simulation().frame() == 0);
  CHECK(live.steps() == 10);
  CHECK(ten_frames(live) == first);

  live.apply(ParametersEvent{{"bodies.cube.density=500"}});
  live.restart();
  CHECK(live.steps() == 0);
  CHECK(live.simulation().frame() == 0);
  CHECK(live.overrides() == std::vector<std::string>{"bodies.cube.friction=0.3"});
  CHECK(ten_frames(live) == first);
}
