// Stopping distance, weight, load, and Euler's belt.
#include "tests/validation/contact_closed_forms.hpp"
#include <utility>

#include "tests/support/catch.hpp"

using namespace sinew;

TEST_CASE("a sliding block stops where implicit Euler says", "[scene][slow]") {
  for (const double mu : {0.2, 0.5})
    for (const double speed : {1.0, 2.0}) {
      INFO("mu " << mu << ", " << speed << " m/s");
      CHECK(test::stopping_distance(speed, mu, 0.01) ==
            Approx(test::expected_distance(speed, mu, 0.01)).epsilon(0.01));
    }
  // A tenth of the step, where the two formulas differ less than the bound: v h / 2 is 0.5 % of the way.
  CHECK(test::stopping_distance(1.0, 0.5, 0.001) ==
        Approx(test::expected_distance(1.0, 0.5, 0.001)).epsilon(0.002));
}

TEST_CASE("a block stops on a plank that slides along", "[scene][slow]") {
  const test::RideResult found = test::ride(2.0, 0.5, 0.01);
  CHECK(found.way == Approx(found.expected_way).epsilon(0.01));
  CHECK(found.block_speed == Approx(found.expected_speed).epsilon(1e-3));
  CHECK(found.plank_speed == Approx(found.expected_speed).epsilon(1e-3));
}

TEST_CASE("the floor carries the weight of a block at rest", "[scene]") {
  Simulation s = test::block_on_floor(0.5);
  test::run(s, 2.0);
  const double weight = test::kGravity * s.model().body_mass(0);
  const Vec3d force = s.obstacle_wrench(0).force;
  CHECK(-force.z == Approx(weight).epsilon(1e-4));
  CHECK(std::abs(force.x) < 1e-5 * weight);
  CHECK(std::abs(force.y) < 1e-5 * weight);
}

TEST_CASE("static friction equals the load up to mu N", "[scene]") {
  for (const double load : {1.0, 5.0, 9.5}) {  // mu N = 9.81 N
    INFO(load << " N");
    ForceSpec push;
    push.name = "push";
    push.body = "block";
    push.force = {{0.0}, {{load, 0.0, 0.0}}};
    Simulation s = test::block_on_floor(0.5, 0.01, &push);
    test::run(s, 3.0);
    CHECK(s.obstacle_wrench(0).force.x == Approx(load).epsilon(1e-3));
    CHECK(s.statistics().max_creep_m_s < 1e-6);
  }
}

TEST_CASE("a belt on a drum: T2 / T1 = exp(mu phi)", "[scene][slow]") {
  const test::BeltResult found = test::belt(0.3, 0.5 * test::kPi, 20);
  CHECK(found.pull / found.load == Approx(std::exp(0.15 * test::kPi)).epsilon(0.03));
  CHECK(std::abs(found.change) < 1e-2);
}

TEST_CASE("a belt on a drum, less and more friction", "[slow]") {
  for (const auto& [mu, wrap] : {std::pair{0.1, 0.5}, {0.5, 0.5}, {0.1, 1.0}, {0.3, 1.0}, {0.5, 1.0}}) {
    INFO("mu " << mu << ", wrap " << wrap << " pi");
    const test::BeltResult found = test::belt(mu, wrap * test::kPi, 20);
    CHECK(found.pull / found.load == Approx(std::exp(mu * wrap * test::kPi)).epsilon(0.03));
    CHECK(std::abs(found.change) < 1e-2);
  }
}
