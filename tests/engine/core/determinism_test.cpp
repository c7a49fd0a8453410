// Same input, same bits: threads, reset, snapshots, instances.
#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

Model two_blocks() {
  ModelBuilder builder;
  for (int i = 0; i < 2; ++i) {
    BodySpec body;
    body.name = i == 0 ? "first" : "second";
    body.mesh = test::block(4, 3, 3, 0.05);
    body.transform.translation = {0.5 * i, 0, 0.02};
    body.transform.rotation = rotation_from_vector(Vec3d{0.05, 0.1 * i, 0});
    body.velocity = {0.5, 0, -1};
    builder.add(body);
  }
  ObstacleSpec floor;
  floor.name = "floor";
  floor.shape = HalfSpaceShape{};
  builder.add(floor);
  ObstacleSpec roller;
  roller.name = "roller";
  roller.shape = CylinderShape{0.1, 0.5};
  roller.pose = {rotation_from_vector(Vec3d{1.5707963267948966, 0, 0}), {0.3, 0, 0.05}};
  roller.motion.spin = {0, -3, 0};
  builder.add(roller);
  return builder.build();
}

std::uint64_t run(Simulation& simulation, int frames) {
  for (int n = 0; n < frames; ++n) simulation.step();
  return simulation.state_hash();
}

SimulationSettings with_threads(int threads) {
  SimulationSettings settings;
  settings.threads = threads;
  return settings;
}

}  // namespace

TEST_CASE("determinism: any number of threads gives the same bits", "[scene]") {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 5}) {
    Simulation simulation(two_blocks(), with_threads(threads));
    const std::uint64_t hash = run(simulation, 60);
    if (first == 0) first = hash;
    CHECK(hash == first);
    CHECK(simulation.statistics().active_contacts > 0);
  }
}

TEST_CASE("determinism: reset equals a fresh start, restore equals an uninterrupted run", "[scene]") {
  Simulation simulation(two_blocks());
  const std::uint64_t start = simulation.state_hash();
  run(simulation, 25);
  const Snapshot snapshot = simulation.save();
  const std::uint64_t end = run(simulation, 35);
  simulation.reset();
  CHECK(simulation.state_hash() == start);
  CHECK(simulation.frame() == 0);
  CHECK(run(simulation, 60) == end);

  Simulation other(two_blocks());
  run(other, 3);
  other.restore(snapshot);
  CHECK(other.frame() == 25);
  CHECK(other.time() == Approx(0.25));
  CHECK(run(other, 35) == end);
}

TEST_CASE("equal bodies share one factor and move alike") {
  Simulation simulation(two_blocks());
  CHECK(simulation.sizes().distinct_bodies == 1);
  ModelBuilder builder;
  for (int i = 0; i < 2; ++i) {
    BodySpec body;
    body.name = i == 0 ? "a" : "b";
    body.mesh = test::block(2, 2, 2, 0.1);
    body.transform.translation = {static_cast<double>(i), 0, 0};
    if (i == 1) body.material.young_modulus *= 2.0;
    builder.add(body);
  }
  CHECK(Simulation(builder.build()).sizes().distinct_bodies == 2);
}

TEST_CASE("snapshots that are damaged or foreign are refused and change nothing") {
  Simulation simulation(two_blocks());
  run(simulation, 2);
  const std::uint64_t before = simulation.state_hash();
  Snapshot good = simulation.save();
  for (const std::size_t at : {std::size_t{3}, good.bytes.size() / 2, good.bytes.size() - 1}) {
    Snapshot bad = good;
    bad.bytes[at] ^= 1;
    CHECK_THROWS_AS(simulation.restore(bad), ModelError);
  }
  Snapshot shorter = good;
  shorter.bytes.resize(shorter.bytes.size() / 2);
  CHECK_THROWS_AS(simulation.restore(shorter), ModelError);
  CHECK_THROWS_AS(simulation.restore(Snapshot{}), ModelError);
  SimulationSettings other;
  other.time_step = 0.005;
  CHECK_THROWS_AS(Simulation(two_blocks(), other).restore(good), ModelError);
  CHECK(simulation.state_hash() == before);
}

TEST_CASE("a memory limit is an error with both numbers") {
  SimulationSettings settings;
  settings.memory_limit_bytes = 1000;
  try {
    Simulation simulation(two_blocks(), settings);
    FAIL("no error");
  } catch (const MemoryError& error) {
    CHECK(std::string(error.what()).find("needs") != std::string::npos);
  }
}
