// Obstacles that are moved from outside, frame by frame.
#include <cmath>
#include <limits>

#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "host/cholesky.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

constexpr double kTop = 0.02;  // half height of the tray [m]

ObstacleSpec tray() {
  ObstacleSpec spec;
  spec.name = "tray";
  spec.shape = BoxShape{{0.5, 0.5, kTop}};
  spec.friction = 0.8;
  return spec;
}

Model block_on(const ObstacleSpec& obstacle, double friction = 0.8) {
  BodySpec body;
  body.name = "block";
  body.mesh = test::block(2, 2, 2, 0.05);
  body.transform.translation = {-0.05, -0.05, kTop};
  body.friction = friction;
  ModelBuilder builder;
  return builder.add(body).add(obstacle).build();
}

Pose at(const Vec3d& translation, const Vec3d& rotation = {}) {
  return {rotation_from_vector(rotation), translation};
}

/// A triangle on edge, far from everything.
ObstacleSpec blade() {
  MeshShape shape;
  shape.mesh.points = {{0, -0.5, -0.5}, {0, 0.5, -0.5}, {0, 0, 0.5}};
  shape.mesh.triangles = {{0, 1, 2}};
  ObstacleSpec spec;
  spec.name = "blade";
  spec.shape = shape;
  spec.pose.translation = {3, 0, 0};
  return spec;
}

}  // namespace

TEST_CASE("moved obstacles: poses set frame by frame are the same motion, to the bit") {
  ObstacleSpec moving = tray();
  moving.motion.velocity = {0.1, 0, 0.02};
  moving.motion.spin = {0, 0, 0.7};
  for (const ObstacleSpec& base : {tray(), blade()}) {
    ObstacleSpec moved = base;
    moved.motion = moving.motion;
    moved.pose.translation = {};
    ObstacleSpec still = base;
    still.pose.translation = {};
    if (base.name == "blade") moved.pose.translation = still.pose.translation = {-0.053, 0, 0.1};
    Simulation by_motion(block_on(moved)), by_hand(block_on(still));
    std::size_t active = 0;
    for (int n = 1; n <= 25; ++n) {
      by_motion.step();
      by_hand.set_obstacle_pose(0, by_motion.obstacle_pose(0));
      CHECK_FALSE(by_hand.obstacle_pose(0).translation == by_motion.obstacle_pose(0).translation);
      by_hand.step();
      CHECK(by_hand.state_hash() == by_motion.state_hash());
      CHECK(by_hand.obstacle_pose(0).translation == by_motion.obstacle_pose(0).translation);
      CHECK(by_hand.obstacle_wrench(0).torque == by_motion.obstacle_wrench(0).torque);
      active += by_hand.statistics().active_contacts;
    }
    CHECK(active > 10);
    CHECK(by_hand.obstacle_moved(0));
    CHECK_FALSE(by_motion.obstacle_moved(0));
  }
}

TEST_CASE("moved obstacles: they carry what lies on them, stay, and tell their load") {
  Simulation simulation(block_on(tray()));
  const std::uint64_t factored = factorizations_made();
  const double weight = simulation.model().body_mass(0) * 9.81;
  for (int n = 0; n < 30; ++n) simulation.step();
  const Vec3d rest = simulation.positions(0)[0];
  for (int n = 1; n <= 50; ++n) {  // 0.2 m in half a second
    simulation.set_obstacle_pose(0, at({0.004 * n, 0, 0}));
    simulation.step();
  }
  for (int n = 0; n < 60; ++n) simulation.step();
  CHECK(simulation.obstacle_pose(0).translation == Vec3d{0.004 * 50, 0, 0});
  CHECK(simulation.positions(0)[0].x - rest.x == Approx(0.2).margin(1e-3));
  const Wrench load = simulation.obstacle_wrench(0);
  CHECK(load.force.z == Approx(-weight).epsilon(1e-3));
  CHECK(std::abs(load.torque.y) < 1e-3 * weight);  // about the origin moved along, below the block
  CHECK(simulation.statistics().max_penetration_m < 1e-6);
  // Jerked away by more than the block is wide: friction cannot follow.
  simulation.set_obstacle_pose(0, at({0.2, 0, -0.5}));
  simulation.step();
  CHECK(simulation.statistics().active_contacts == 0);
  // Through the place of the block in one frame: it is taken along.
  simulation.set_obstacle_pose(0, at({0.2, 0, 0.3}));
  simulation.step();
  CHECK(simulation.statistics().max_penetration_m < 1e-5);
  for (const Vec3d& x : simulation.positions(0)) CHECK(x.z > 0.3);
  CHECK(factorizations_made() == factored);
}

TEST_CASE("moved obstacles: a set pose ends the obstacle's own motion until reset") {
  ObstacleSpec obstacle = tray();
  obstacle.motion.velocity = {0, 0, -1.0};
  Simulation simulation(block_on(obstacle));
  simulation.step();
  CHECK(simulation.obstacle_pose(0).translation.z == Approx(-0.01));
  simulation.set_obstacle_pose(0, at({0, 0, -0.02}, {0, 0, 0.1}));
  CHECK(simulation.obstacle_pose(0).translation.z == Approx(-0.01));  // the frame is still to come
  simulation.step();
  simulation.step();
  CHECK(simulation.obstacle_pose(0).translation == Vec3d{0, 0, -0.02});
  CHECK(simulation.obstacle_pose(0).rotation.column(0).y == Approx(std::sin(0.1)));
  simulation.reset();
  CHECK_FALSE(simulation.obstacle_moved(0));
  CHECK(simulation.obstacle_pose(0).translation == Vec3d{});
  simulation.step();
  CHECK(simulation.obstacle_pose(0).translation.z == Approx(-0.01));
}

TEST_CASE("moved obstacles: part of snapshots, also on the way") {
  Simulation simulation(block_on(tray()));
  for (int n = 0; n < 5; ++n) simulation.step();
  const Snapshot before = simulation.save();
  simulation.set_obstacle_pose(0, at({0.003, 0, 0.001}, {0, 0.01, 0}));
  const Snapshot pending = simulation.save();
  simulation.step();
  simulation.step();
  const std::uint64_t hash = simulation.state_hash();
  Simulation other(block_on(tray()));
  other.restore(pending);
  other.step();
  other.step();
  CHECK(other.state_hash() == hash);
  CHECK(other.obstacle_pose(0).translation == Vec3d{0.003, 0, 0.001});
  other.restore(before);
  CHECK_FALSE(other.obstacle_moved(0));
  CHECK(other.obstacle_pose(0).translation == Vec3d{});
}

TEST_CASE("moved obstacles: they stay where they are in a changed model") {
  Simulation old(block_on(tray()));
  old.step();
  old.set_obstacle_pose(0, at({0, 0, -0.01}));
  old.step();
  old.set_obstacle_pose(0, at({0, 0, -0.015}));
  ObstacleSpec wider = tray();
  wider.shape = BoxShape{{0.7, 0.7, kTop}};
  Simulation next(block_on(wider, 0.3), {}, &old);
  next.continue_from(old);
  CHECK(next.obstacle_moved(0));
  CHECK(next.obstacle_pose(0).translation == Vec3d{0, 0, -0.01});
  next.step();
  CHECK(next.obstacle_pose(0).translation == Vec3d{0, 0, -0.015});
}

TEST_CASE("moved obstacles: crossings are counted where they are") {
  SimulationSettings settings;
  settings.contact.enabled = false;
  Simulation simulation(block_on(blade()), settings);
  CHECK(simulation.count_intersections() == 0);
  simulation.set_obstacle_pose(0, at({0.01, 0, 0.1}));
  CHECK(simulation.count_intersections() == 0);
  simulation.step();
  CHECK(simulation.count_intersections() > 0);
}

TEST_CASE("moved obstacles: what is no pose is refused and changes nothing") {
  Simulation simulation(block_on(tray()));
  Pose mirrored;
  mirrored.rotation = {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  Pose stretched;
  stretched.rotation = 1.01 * Mat3d::identity();
  for (const Pose& bad : {mirrored, stretched, at({0, std::numeric_limits<double>::quiet_NaN(), 0})})
    CHECK_THROWS_WITH(simulation.set_obstacle_pose(0, bad),
                      "obstacle 'tray': its pose is no rigid pose; give a rotation and a finite place");
  CHECK_THROWS_AS(simulation.set_obstacle_pose(1, {}), ModelError);
  CHECK_THROWS_AS(simulation.obstacle_moved(1), ModelError);
  CHECK_FALSE(simulation.obstacle_moved(0));
}
