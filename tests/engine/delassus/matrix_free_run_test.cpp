// Frames without the matrix of the contacts move as those with it.
#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "engine/delassus/matrix_free.hpp"
#include "tests/engine/delassus/delassus_support.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

struct Run {
  std::vector<Vec3d> position;
  Vec3d force;
  std::uint64_t hash = 0;
  StepStatistics last;
};

/// A block that lands on a floor and slides until it stops.
Run run(DelassusWay way, int threads = 1, double memory = 0.0) {
  ModelBuilder builder;
  BodySpec block = test::block_spec();
  block.velocity = {0.4, 0.1, -0.2};
  block.friction = 0.4;
  builder.add(std::move(block));
  ObstacleSpec floor;
  floor.name = "floor";
  floor.shape = HalfSpaceShape{};
  floor.friction = 0.4;
  builder.add(std::move(floor));
  SimulationSettings settings;
  settings.contact.delassus = way;
  settings.contact.solver = ContactSolver::newton;
  settings.threads = threads;
  if (memory > 0.0) settings.memory_limit_bytes = memory;
  Simulation simulation(builder.build(), settings);
  Run result;
  for (int frame = 0; frame < 30; ++frame) {
    result.last = simulation.step();
    if (way == DelassusWay::cache) CHECK(result.last.contact_converged);
  }
  const auto positions = simulation.positions(0);
  result.position.assign(positions.begin(), positions.end());
  result.force = simulation.obstacle_wrench(0).force;
  result.hash = simulation.state_hash();
  return result;
}

}  // namespace

TEST_CASE("a block lands and slides alike with and without the matrix of its contacts") {
  const Run with = run(DelassusWay::cache), without = run(DelassusWay::matrix_free);
  REQUIRE(with.last.active_contacts > 3);
  REQUIRE(without.position.size() == with.position.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < with.position.size(); ++i)
    worst = std::max(worst, norm(with.position[i] - without.position[i]));
  CHECK(worst < 1e-5);
  CHECK(norm(with.force - without.force) < 5e-4 * norm(with.force));
  CHECK(with.last.compliance_columns == 0);  // of frames before
  CHECK(without.last.contact_products > 0);
  CHECK(run(DelassusWay::matrix_free, 2).hash == without.hash);
}

TEST_CASE("the operator is taken where it is asked for, or where the matrix would not fit") {
  CHECK(wants_operator(DelassusWay::matrix_free, 1, 0.0));
  CHECK_FALSE(wants_operator(DelassusWay::automatic, 1000000, 0.0));
  CHECK_FALSE(wants_operator(DelassusWay::automatic, 1000, 16e6));  // 8 MB of the 8 allowed
  CHECK(wants_operator(DelassusWay::automatic, 1001, 16e6));
  CHECK_FALSE(wants_operator(DelassusWay::cache, 1001, 16e6));
}
