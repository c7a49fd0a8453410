// Handles against statics and momentum.
#include <cmath>

#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

constexpr double kGravity = 9.81;

/// nx x ny x nz cubes of 0.05 m.
BodySpec block(const std::string& name, Index nx, Index ny, Index nz, const Vec3d& corner,
               double young_modulus = 1e6) {
  BodySpec body;
  body.name = name;
  body.mesh = test::block(nx, ny, nz, 0.05);
  body.transform.translation = corner;
  body.material.young_modulus = young_modulus;
  body.material.rayleigh_alpha = 8.0;
  return body;
}

Region slab(double low, double high) {
  return {Region::Box{{low, -10, -10}, {high, 10, 10}}};
}

void run(Simulation& simulation, int frames) {
  for (int i = 0; i < frames; ++i) simulation.step();
}

/// Torque of a body's weight about a point.
Vec3d weight_torque(const Simulation& simulation, std::size_t body, const Vec3d& about) {
  Vec3d torque{};
  const std::vector<Vec3d> x = simulation.positions(body);
  const std::vector<double> mass = simulation.node_masses(body);
  for (std::size_t i = 0; i < x.size(); ++i)
    torque += cross(x[i] - about, Vec3d{0.0, 0.0, -kGravity * mass[i]});
  return torque;
}

SimulationSettings careful() {
  SimulationSettings settings;
  settings.iterations = 20;
  return settings;
}

constexpr Index kTop = 22;  // middle of the upper face of 2 x 2 x 2 cubes

}  // namespace

TEST_CASE("grab: a hanging block stretches it by weight times compliance") {
  ModelBuilder builder;
  builder.add(block("block", 2, 2, 2, {}));
  Simulation simulation(builder.build(), careful());
  const double weight = kGravity * simulation.model().body_mass(0);
  const HandleId grab = simulation.add_handle(GrabSpec{"hook", {"block", kTop}, {}, 1e-3});
  const Vec3d target = simulation.handle_origin(grab);
  run(simulation, 400);
  const HandleForce f = simulation.handle_forces(grab)[0];
  CHECK(norm(f.force - Vec3d{0.0, 0.0, weight}) < 1e-4 * weight);
  CHECK(norm(f.position - (target - Vec3d{0.0, 0.0, 1e-3 * weight})) < 1e-6);
  CHECK(norm(simulation.handle_wrench(grab).torque) < 1e-6);
  CHECK(simulation.statistics().momentum_error < 1e-6);
}

TEST_CASE("grab: a hard one is at its target after one frame") {
  for (const double young_modulus : {1e4, 1e6, 1e8}) {
    ModelBuilder builder;
    builder.add(block("block", 2, 2, 2, {}, young_modulus));
    Simulation simulation(builder.build());
    const HandleId grab = simulation.add_handle(GrabSpec{"", {"block", kTop}, {}, 0.0});
    simulation.step();
    Vec3d target{0.05, 0.05, 0.1};
    CHECK(norm(simulation.positions(0)[kTop] - target) < 1e-9);
    for (int i = 0; i < 60; ++i) {  // 0.6 m at 1 m/s, then back at once
      target += i < 59 ? Vec3d{0.006, 0.008, 0.0} : Vec3d{-0.05, 0.0, 0.02};
      simulation.set_target(grab, target);
      simulation.step();
      CHECK(norm(simulation.positions(0)[kTop] - target) < 1e-9);
    }
    run(simulation, 200);
    // Nothing has exploded: the block hangs still below the target.
    for (const Vec3d& x : simulation.positions(0)) CHECK(norm(x - target) < 0.25);
    CHECK(simulation.statistics().energy.kinetic < 1e-2);
    CHECK(std::abs(simulation.volume(0) - 1e-3) < 1e-4);
  }
}

TEST_CASE("attachment: force and torque on the frame against statics") {
  ModelBuilder builder;
  builder.add(block("bar", 8, 2, 2, {}, 3e6));
  AttachmentSpec spec{"link", "bar", slab(-1.0, 1e-6), {}, {}, 0.0};
  spec.frame.translation = {-0.1, 0.05, 0.0};
  builder.add(spec);
  Simulation simulation(builder.build(), careful());
  run(simulation, 300);
  const HandleId link = simulation.handle("link");
  const double weight = kGravity * simulation.model().body_mass(0);
  const Wrench load = simulation.frame_wrench(link);
  const Vec3d torque = weight_torque(simulation, 0, spec.frame.translation);
  CHECK(norm(load.force - Vec3d{0.0, 0.0, -weight}) < 1e-3 * weight);
  CHECK(norm(load.torque - torque) < 1e-3 * norm(torque));
  CHECK(norm(torque) > 0.2 * weight);  // 0.3 m from the frame

  // The same bar with pinned nodes hangs alike.
  ModelBuilder other;
  other.add(block("bar", 8, 2, 2, {}, 3e6));
  other.add(PinSpec{"pin", "bar", slab(-1.0, 1e-6), {}, {}});
  Simulation pinned(other.build(), careful());
  run(pinned, 300);
  CHECK(norm(pinned.pin_reaction(0).force + load.force) < 1e-3 * weight);
  for (std::size_t i = 0; i < pinned.positions(0).size(); ++i)
    CHECK(norm(pinned.positions(0)[i] - simulation.positions(0)[i]) < 1e-5);
}

TEST_CASE("attachment: points follow the frame, by set_frame and by a motion") {
  ModelBuilder builder;
  builder.gravity({});
  builder.add(block("bar", 4, 2, 2, {}));
  Simulation simulation(builder.build());
  const HandleId link = simulation.add_handle(AttachmentSpec{"link", "bar", slab(-1.0, 1e-6), {}, {}, 0.0});
  Pose pose;
  for (int i = 1; i <= 50; ++i) {
    pose = {rotation_from_vector(Vec3d{0.0, 0.0, 0.03 * i}), {0.0, 0.0, 0.004 * i}};
    simulation.set_frame(link, pose);
    simulation.step();
  }
  const std::vector<Vec3d> start = builder.build().body(0).nodes();
  for (std::size_t i = 0; i < start.size(); ++i)
    if (start[i].x < 1e-6) CHECK(norm(simulation.positions(0)[i] - pose.apply(start[i])) < 1e-9);

  Motion spin;
  spin.velocity = {0.0, 0.1, 0.0};
  spin.spin = {0.0, 2.0, 0.0};
  Simulation moved(builder.build());
  run(moved, 10);  // the motion counts from the moment the handle is made
  const HandleId hold = moved.add_handle(HoldSpec{"", "bar", slab(-1.0, 1e-6), spin, Vec3d{}, 0.0});
  run(moved, 25);
  const Mat3d turn = rotation_from_vector(Vec3d{0.0, 0.5, 0.0});
  CHECK(norm(moved.handle_origin(hold) - Vec3d{0.0, 0.025, 0.0}) < 0.01);
  const std::vector<HandleForce> points = moved.handle_forces(hold);
  std::size_t k = 0;
  for (const Vec3d& x : start)
    if (x.x < 1e-6) CHECK(norm(points[k++].position - points[0].position - turn * (x - start[0])) < 1e-9);
  CHECK(k == 9);
}

TEST_CASE("weld: carries the weight, and acts alike on both bodies") {
  ModelBuilder builder;
  builder.add(block("wall", 2, 2, 2, {}));
  builder.add(block("bar", 4, 2, 2, {0.1, 0.01, 0.0}));
  builder.add(PinSpec{"pin", "wall", slab(-1.0, 1e-6), {}, {}});
  builder.add(WeldSpec{"weld", "bar", slab(0.1 - 1e-6, 0.1 + 1e-6), "wall", 0.0});
  Simulation simulation(builder.build(), careful());
  run(simulation, 300);
  const double bar = kGravity * simulation.model().body_mass(1);
  const double both = bar + kGravity * simulation.model().body_mass(0);
  const Wrench weld = simulation.handle_wrench(simulation.handle("weld"));
  CHECK(norm(weld.force - Vec3d{0.0, 0.0, bar}) < 1e-3 * bar);
  CHECK(norm(simulation.pin_reaction(0).force - Vec3d{0.0, 0.0, both}) < 1e-3 * both);
  const Vec3d torque = weight_torque(simulation, 1, simulation.handle_origin(simulation.handle("weld")));
  CHECK(norm(weld.torque + torque) < 1e-3 * norm(torque));
}

TEST_CASE("weld: momentum of two bodies is kept, in and off contact") {
  for (const double gap : {0.0, 0.01}) {
    ModelBuilder builder;
    builder.gravity({});
    for (int i = 0; i < 2; ++i) {
      BodySpec body = block(i == 0 ? "a" : "b", 2, 2, 2, {i * (0.1 + gap), 0.013 * i, 0.0}, 1e5);
      body.material.rayleigh_alpha = 0.0;
      body.velocity = {0.0, i == 0 ? 1.0 : -0.5, 0.2};
      builder.add(body);
    }
    builder.add(WeldSpec{"weld", "a", slab(0.1 - 1e-6, 0.1 + 1e-6), "b", 0.0});
    SimulationSettings settings = careful();
    settings.contact.enabled = false;
    settings.time_step = 1e-3;
    Simulation simulation(builder.build(), settings);
    const Vec3d linear = simulation.linear_momentum();
    for (int i = 0; i < 40; ++i) {
      const Vec3d before = simulation.angular_momentum();
      simulation.step();
      CHECK(norm(simulation.linear_momentum() - linear) < 1e-9 * norm(linear));
      // Implicit Euler damps rotation; a weld whose forces met off each other would add a torque.
      CHECK(norm(simulation.angular_momentum() - before) < 5e-4 * norm(before));
    }
    for (const HandleForce& f : simulation.handle_forces(simulation.handle("weld")))
      CHECK(is_finite(f.force));
    CHECK(simulation.statistics().momentum_error < 1e-9);
  }
}

TEST_CASE("handles: one that was never stepped leaves no trace, one that is gone lets go") {
  ModelBuilder builder;
  builder.add(block("block", 2, 2, 2, {}));
  const Model model = builder.build();
  Simulation a(model), b(model);
  const HandleId grab = a.add_handle(GrabSpec{"", {"block", kTop}, {}, 0.0});
  a.remove_handle(grab);
  run(a, 20);
  run(b, 20);
  CHECK(a.state_hash() == b.state_hash());

  const HandleId hold = a.add_handle(HoldSpec{"", "block", slab(-1.0, 1e-6), {}, {}, 0.0});
  run(a, 50);
  a.remove_handle(hold);
  const Vec3d before = a.linear_momentum();
  const double mass = a.model().body_mass(0);
  a.step();
  // Mass damping alpha is part of the implicit step.
  const Vec3d expected = (before + Vec3d{0.0, 0.0, -kGravity * mass * 0.01}) / (1.0 + 0.01 * 8.0);
  CHECK(norm(a.linear_momentum() - expected) < 1e-6 * mass);
}

TEST_CASE("handles: same bits after restore, reset and on any number of threads") {
  ModelBuilder builder;
  builder.add(block("a", 2, 2, 2, {}, 1e5));
  builder.add(block("b", 2, 2, 2, {0.1, 0.01, 0.0}, 1e5));
  builder.add(WeldSpec{"weld", "a", slab(0.1 - 1e-6, 0.1 + 1e-6), "b", 1e-5});
  Motion motion;
  motion.velocity = {0.0, 0.3, 0.2};
  builder.add(HoldSpec{"hold", "a", slab(-1.0, 1e-6), motion, {}, 0.0});
  const Model model = builder.build();
  SimulationSettings settings;
  settings.threads = 1;
  Simulation one(model, settings);
  settings.threads = 4;
  Simulation four(model, settings);
  run(one, 15);
  run(four, 15);
  CHECK(one.state_hash() == four.state_hash());
  const Snapshot saved = one.save();
  run(one, 10);
  const std::uint64_t hash = one.state_hash();
  const Snapshot end = one.save();
  one.restore(saved);
  run(one, 10);
  CHECK(one.state_hash() == hash);
  CHECK(one.save().bytes == end.bytes);
  one.remove_handle(one.handle("weld"));
  run(one, 3);
  one.reset();
  run(one, 25);
  CHECK(one.state_hash() == hash);
}

TEST_CASE("handles: contradicting and redundant ones") {
  ModelBuilder builder;
  builder.add(block("fine", 4, 4, 4, {}, 1e5));
  BodySpec coarse = block("coarse", 1, 1, 1, {0.2, 0.0, 0.0}, 1e5);
  coarse.transform.scale = {4.0, 4.0, 4.0};
  builder.add(coarse);
  builder.add(PinSpec{"pin", "fine", slab(-1.0, 1e-6), {}, {}});
  builder.add(WeldSpec{"weld", "fine", slab(0.2 - 1e-6, 1.0), "coarse", 0.0});  // 25 nodes on one face
  builder.add(HoldSpec{"pinned", "fine", slab(-1.0, 0.06), {}, {}, 0.0});       // some nodes are pinned
  SimulationSettings settings = careful();
  settings.contact.enabled = false;
  Simulation simulation(builder.build(), settings);
  run(simulation, 300);
  const double weight = kGravity * simulation.model().body_mass(1);
  const Wrench weld = simulation.handle_wrench(simulation.handle("weld"));
  CHECK(norm(weld.force + Vec3d{0.0, 0.0, weight}) < 1e-3 * weight);
  for (const HandleForce& f : simulation.handle_forces(simulation.handle("weld")))
    CHECK(norm(f.force) < 10.0 * weight);

  ModelBuilder single;
  single.gravity({});
  single.add(block("block", 2, 2, 2, {}));
  Simulation two(single.build());
  const Vec3d x = two.positions(0)[kTop];
  const HandleId a = two.add_handle(GrabSpec{"", {"block", kTop}, {{0.0}, {x + Vec3d{0.02, 0.0, 0.0}}}, 0.0});
  const HandleId b = two.add_handle(GrabSpec{"", {"block", kTop}, {{0.0}, {x + Vec3d{0.0, 0.04, 0.0}}}, 0.0});
  run(two, 5);
  CHECK(norm(two.positions(0)[kTop] - (x + Vec3d{0.01, 0.02, 0.0})) < 1e-9);
  CHECK(norm(two.handle_forces(a)[0].force - two.handle_forces(b)[0].force) < 1e-6);
}
