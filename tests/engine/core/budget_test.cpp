// Frames that end early: by the clock, or after a given number of iterations.
#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

/// A soft block falls onto a bar and a floor: contacts come and go, some are found late.
Model falling_block() {
  BodySpec body;
  body.name = "block";
  body.mesh = test::block(4, 4, 4, 0.05);
  body.transform.translation = {0, 0, 0.12};
  body.material.young_modulus = 2e4;
  body.velocity = {0, 0, -3};
  ObstacleSpec floor, bar;
  floor.name = "floor";
  floor.shape = HalfSpaceShape{};
  bar.name = "bar";
  bar.shape = BoxShape{{0.01, 0.5, 0.01}};
  bar.pose.translation = {0.1, 0.1, 0.1};
  ModelBuilder builder;
  return builder.add(body).add(floor).add(bar).build();
}

SimulationSettings many_iterations() {
  SimulationSettings settings;
  settings.iterations = 30;
  return settings;
}

}  // namespace

TEST_CASE("budget: what the clock has cut is repeated by number of iterations, to the bit") {
  SimulationSettings limited = many_iterations();
  for (const double budget_ms : {1e-3, 2.0, 6.0}) {
    limited.budget_ms = budget_ms;
    Simulation by_clock(falling_block(), limited), by_number(falling_block(), many_iterations()),
        under_both(falling_block(), limited);
    for (int n = 0; n < 30; ++n) {
      const StepStatistics a = by_clock.step();
      CHECK(a.iterations >= 1);
      CHECK(a.iterations <= 35);
      if (budget_ms == 1e-3) {
        CHECK(a.cut);
        CHECK(a.iterations == 1);
      }
      by_number.step(a.iterations);
      CHECK(by_number.state_hash() == by_clock.state_hash());
      CHECK(by_number.statistics().iterations == a.iterations);
      CHECK(by_number.statistics().cut == a.cut);
      under_both.step(a.iterations);  // the clock does not count
      CHECK(under_both.state_hash() == by_clock.state_hash());
      // Contact is closed all the same.
      CHECK(a.max_penetration_m < 1e-6);
    }
  }
}

TEST_CASE("budget: a number that is not reached changes nothing, nor does time enough") {
  SimulationSettings generous = many_iterations();
  generous.budget_ms = 1e6;
  Simulation plain(falling_block(), many_iterations()), by_number(falling_block(), many_iterations()),
      in_time(falling_block(), generous);
  for (int n = 0; n < 30; ++n) {
    plain.step();
    CHECK_FALSE(plain.statistics().cut);
    by_number.step(plain.statistics().iterations);
    CHECK_FALSE(by_number.statistics().cut);
    CHECK(by_number.state_hash() == plain.state_hash());
    in_time.step();
    CHECK_FALSE(in_time.statistics().cut);
    CHECK(in_time.state_hash() == plain.state_hash());
  }
  // Snapshots know nothing of budgets.
  in_time.restore(plain.save());
  in_time.step();
  plain.step();
  CHECK(in_time.state_hash() == plain.state_hash());
}

TEST_CASE("budget: values out of range are refused") {
  SimulationSettings settings;
  settings.budget_ms = -1.0;
  CHECK_THROWS_AS(Simulation(falling_block(), settings), ModelError);
  Simulation simulation(falling_block());
  CHECK_THROWS_AS(simulation.step(0), ModelError);
  CHECK(simulation.frame() == 0);
}
