// A changed model that goes on from the moment of another simulation, and what it shares with it.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "host/cholesky.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

BodySpec block(const std::string& name, const Vec3d& corner, double young_modulus = 1e5) {
  BodySpec body;
  body.name = name;
  body.mesh = test::block(2, 2, 2, 0.05);
  body.transform.translation = corner;
  body.material.young_modulus = young_modulus;
  return body;
}

ObstacleSpec floor() {
  ObstacleSpec spec;
  spec.name = "floor";
  spec.shape = HalfSpaceShape{};
  return spec;
}

struct Change {
  double soft = 1e5;       // Young's modulus of "soft"
  double gravity = -9.81;  // [m/s^2]
  bool soft_first = true;  // order of the bodies
  bool with_stiff = true;  // whether "stiff" is there
  bool second_hook = false;
};

/// Two blocks on a floor, one on the other; the upper one hangs on a soft grab of the model.
Model blocks(const Change& change = {}) {
  ModelBuilder builder;
  builder.gravity({0, 0, change.gravity});
  if (!change.soft_first) builder.add(block("stiff", {0.02, 0, 0.12}, 1e6));
  builder.add(block("soft", {0, 0, 0.001}, change.soft));
  if (change.soft_first && change.with_stiff) builder.add(block("stiff", {0.02, 0, 0.12}, 1e6));
  builder.add(floor());
  if (change.second_hook) builder.add(GrabSpec{"second", {"soft", 26}, {}, 1e-2});
  builder.add(GrabSpec{"hook", {"soft", 0}, {}, 1e-3});
  return builder.build();
}

void run(Simulation& simulation, int frames) {
  for (int i = 0; i < frames; ++i) simulation.step();
}

/// Both go on alike.
void check_same_bits(Simulation& a, Simulation& b, int frames) {
  for (int i = 0; i < frames; ++i) {
    a.step();
    b.step();
    CHECK(a.state_hash() == b.state_hash());
    CHECK(a.time() == b.time());
  }
}

}  // namespace

TEST_CASE("continue_from: an equal model goes on with the same bits, shared preparation or not") {
  for (const Backend backend : {Backend::cpu, Backend::emulated}) {
    SimulationSettings settings;
    settings.backend = backend;
    Simulation old(blocks(), settings);
    const HandleId grab = old.add_handle(GrabSpec{"", {"stiff", 26}, {{0.0}, {{0.15, 0.1, 0.3}}}, 1e-4});
    run(old, 12);
    CHECK(old.statistics().active_contacts >= 8);
    Simulation shared(blocks(), settings, &old), fresh(blocks(), settings);
    shared.continue_from(old);
    fresh.continue_from(old);
    CHECK(shared.frame() == 12);
    CHECK(shared.state_hash() == old.state_hash());
    CHECK(shared.save().bytes == old.save().bytes);
    CHECK(fresh.save().bytes == old.save().bytes);
    CHECK(shared.statistics().energy.total() == Approx(old.statistics().energy.total()));
    old.set_target(grab, {0.1, 0.1, 0.3});
    shared.set_target(grab, {0.1, 0.1, 0.3});
    check_same_bits(old, shared, 6);
    fresh.set_target(grab, {0.1, 0.1, 0.3});
    run(fresh, 6);
    CHECK(fresh.state_hash() == old.state_hash());
  }
}

TEST_CASE("preparation: equal bodies are taken over from another simulation, others are announced") {
  Simulation old(blocks());
  CHECK(old.sizes().factorizations == 2);
  CHECK(old.sizes().taken_over == 0);
  std::vector<std::string> told;
  const PrepareProgress progress = [&](std::size_t done, std::size_t total, const std::string& body) {
    told.push_back(std::to_string(done) + "/" + std::to_string(total) + " " + body);
  };
  const std::uint64_t before = factorizations_made();
  {
    Simulation same(blocks({.gravity = -1.0}), {}, &old, progress);
    CHECK(told.empty());
    CHECK(same.sizes().factorizations == 0);
    CHECK(same.sizes().taken_over == 2);
    CHECK(same.sizes().distinct_bodies == 2);
    CHECK(factorizations_made() == before);
  }
  Simulation softer(blocks({.soft = 5e4}), {}, &old, progress);
  CHECK(told == std::vector<std::string>{"0/1 soft"});
  CHECK(softer.sizes().factorizations == 1);
  CHECK(softer.sizes().taken_over == 1);
  CHECK(factorizations_made() == before + 1);
  Simulation alone(blocks({.soft = 5e4}));
  check_same_bits(softer, alone, 8);

  SimulationSettings other;
  other.time_step = 0.005;
  told.clear();
  CHECK(Simulation(blocks(), other, &old, progress).sizes().taken_over == 0);
  CHECK(told == std::vector<std::string>{"0/2 soft", "1/2 stiff"});
  const PrepareProgress give_up = [](std::size_t, std::size_t, const std::string&) {
    throw std::runtime_error("enough");
  };
  CHECK_THROWS_WITH(Simulation(blocks(), other, nullptr, give_up), "enough");
}

TEST_CASE("preparation: the other simulation may be at work meanwhile, and may go first") {
  auto old = std::make_unique<Simulation>(blocks());
  std::thread worker([&] { run(*old, 30); });
  Simulation next(blocks({.gravity = -2.0}), {}, old.get());
  worker.join();
  Simulation alone(blocks({.gravity = -2.0}));
  old.reset();
  check_same_bits(next, alone, 8);
}

TEST_CASE("continue_from: bodies are found by name, new ones start, forces follow") {
  Simulation old(blocks());
  run(old, 20);
  Simulation turned(blocks({.soft_first = false}), {}, &old);
  turned.continue_from(old);
  CHECK(turned.positions(0) == old.positions(1));
  CHECK(turned.positions(1) == old.positions(0));
  CHECK(turned.velocities(1) == old.velocities(0));
  // Forces of the last frame can still be read.
  CHECK(turned.contact_forces().size() == old.contact_forces().size());
  CHECK(turned.obstacle_wrench(0).force.z == Approx(old.obstacle_wrench(0).force.z));
  CHECK(turned.body_contact_wrench(0).force.z == Approx(old.body_contact_wrench(1).force.z));
  CHECK(old.obstacle_wrench(0).force.z < -1.0);
  CHECK(turned.statistics().active_contacts == old.statistics().active_contacts);
  // Support of the floor is known from the first frame on: without it the block would sink for a frame.
  const auto lowest = [](const Simulation& s, std::size_t b) {
    double z = 1.0;
    for (const Vec3d& x : s.positions(b)) z = std::min(z, x.z);
    return z;
  };
  const double stood = lowest(old, 0);
  turned.step();
  CHECK(std::abs(lowest(turned, 1) - stood) < 1e-5);

  Simulation fewer(blocks({.with_stiff = false}), {}, &old);
  fewer.continue_from(old);
  CHECK(fewer.positions(0) == old.positions(0));
  run(fewer, 3);
  Simulation back(blocks(), {}, &fewer);
  back.continue_from(fewer);
  CHECK(back.positions(1) == Simulation(blocks()).positions(1));
  CHECK(back.positions(0) == fewer.positions(0));
  CHECK(back.frame() == 23);
  run(back, 3);
}

TEST_CASE("continue_from: a body of as many nodes but other cells starts anew, without its grabs") {
  const auto bar = [](int x, int y, int z) {
    ModelBuilder builder;
    BodySpec body = block("bar", {0, 0, 0.1});
    body.mesh = test::block(x, y, z, 0.05);
    builder.add(body);
    builder.add(block("other", {1, 0, 0.1}));
    return builder.build();
  };
  Simulation old(bar(1, 1, 15));
  old.add_handle(GrabSpec{"", {"bar", 63}, {}, 1e-3});
  const HandleId other = old.add_handle(GrabSpec{"", {"other", 3}, {}, 1e-3});
  run(old, 3);
  Simulation next(bar(3, 3, 3), {}, &old);
  REQUIRE(next.positions(0).size() == old.positions(0).size());
  next.continue_from(old);
  CHECK(next.positions(0) == Simulation(bar(3, 3, 3)).positions(0));
  CHECK(next.positions(1) == old.positions(1));
  CHECK(next.handles() == std::vector<HandleId>{other});
  run(next, 2);
}

TEST_CASE("continue_from: time goes on at the nearest frame of another time step") {
  Simulation old(blocks());
  run(old, 7);
  SimulationSettings finer;
  finer.time_step = 0.004;
  Simulation next(blocks(), finer, &old);
  next.continue_from(old);
  CHECK(next.frame() == 18);
  CHECK(next.time() == Approx(0.072));
  CHECK(next.statistics().time == next.time());
  CHECK(next.positions(0) == old.positions(0));
  run(next, 5);
}

TEST_CASE("continue_from: handles made at run time keep their ids, points and targets") {
  Simulation old(blocks());
  const HandleId first = old.add_handle(GrabSpec{"first", {"stiff", 26}, {}, 0.0});
  const HandleId second = old.add_handle(GrabSpec{"second", {"soft", 2}, {{0.0}, {{0.1, 0, 0.02}}}, 3e-4});
  old.set_compliance(old.handle("hook"), 2e-3);
  run(old, 4);

  // Turned order of bodies, softer, and a handle of the model with the name of one that is there.
  Simulation next(blocks({.soft = 5e4, .soft_first = false, .second_hook = true}), {}, &old);
  next.continue_from(old);
  CHECK(next.handles().size() == 4);
  REQUIRE(next.has_handle(first));
  REQUIRE(next.has_handle(second));
  CHECK(next.handle_name(first) == "first");
  CHECK(next.handle_name(second) == "");
  CHECK(next.handle_origin(second) == old.handle_origin(second));
  for (const HandleId id : {first, second})
    CHECK(next.handle_forces(id)[0].position == old.handle_forces(id)[0].position);
  CHECK_FALSE(next.handle("second") == second);
  next.step();
  CHECK(norm(next.handle_forces(first)[0].position - old.handle_forces(first)[0].position) < 1e-9);
  const HandleForce pull = next.handle_forces(second)[0];
  CHECK(norm(pull.position + 3e-4 * pull.force - Vec3d{0.1, 0, 0.02}) < 1e-9);
  // Set at run time, on a handle of the model.
  const HandleForce hook = next.handle_forces(next.handle("hook"))[0];
  CHECK(norm(hook.position + 2e-3 * hook.force - next.handle_origin(next.handle("hook"))) < 1e-9);
  CHECK_FALSE(next.add_handle(GrabSpec{"third", {"soft", 5}, {}, 0.0}).generation <= second.generation);

  next.remove_handle(next.handle("hook"));
  Simulation fewer(blocks({.with_stiff = false}), {}, &next);
  fewer.continue_from(next);
  CHECK_FALSE(fewer.has_handle(first));
  CHECK(fewer.has_handle(second));
  CHECK_THROWS_AS(fewer.handle("hook"), ModelError);
  fewer.reset();
  CHECK(fewer.handles() == std::vector<HandleId>{fewer.handle("hook")});
}

TEST_CASE("frames with grabs and changed friction factor nothing") {
  Simulation simulation(blocks());
  const std::size_t own = simulation.sizes().factorizations;
  const std::uint64_t before = factorizations_made();
  run(simulation, 3);
  const HandleId grab = simulation.add_handle(GrabSpec{"", {"stiff", 26}, {}, 0.0});
  for (int i = 0; i < 5; ++i) {
    simulation.set_target(grab, {0.1, 0.1 + 0.01 * i, 0.25});
    simulation.set_compliance(grab, 1e-4 * i);
    simulation.set_body_friction(0, 0.1 * i);
    simulation.set_obstacle_friction(0, 0.2 * i);
    simulation.step();
  }
  simulation.remove_handle(grab);
  simulation.reset();
  simulation.step();
  CHECK(simulation.sizes().factorizations == own);
  CHECK(factorizations_made() == before);
}
