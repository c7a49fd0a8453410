// What friction holds must not creep: not in a minute, not in half an hour.
#include "tests/validation/contact_hold.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

void check_wall(double force, double seconds) {
  INFO(force << " N");
  Simulation s = test::pressed_block(force, 1.0);
  CHECK(s.model().body_mass(0) == Approx(1.0).epsilon(1e-12));
  test::watch(s, 3.0);
  const test::Hold hold = test::watch(s, seconds);
  CHECK(hold.creep < 1e-6);
  CHECK(hold.fastest < 1e-6);
  CHECK(std::abs(hold.fallen) < 1e-7);
}

void check_pinch(double seconds) {
  test::PinchedCube cube;
  for (int n = 0; n < 4; ++n) {
    cube.set_margin(1.05);
    test::watch(cube.simulation(), 0.5);
  }
  CHECK(cube.margin() == Approx(1.05).epsilon(1e-4));
  test::watch(cube.simulation(), 3.0);
  const test::Hold hold = test::watch(cube.simulation(), seconds);
  CHECK(hold.creep < 1e-6);
  CHECK(hold.fastest < 1e-6);
  CHECK(std::abs(hold.fallen) < 1e-7);
  CHECK(cube.margin() == Approx(1.05).epsilon(1e-4));
  cube.set_margin(0.95);
  CHECK(test::watch(cube.simulation(), 1.0).fallen > 0.1);
}

constexpr double kLeast = test::kGravity;  // [N] holds 1 kg at mu = 1

}  // namespace

TEST_CASE("a block pressed to a wall holds for a minute", "[scene][slow]") {
  check_wall(20.0, 60.0);
  check_wall(1.05 * kLeast, 60.0);
}

TEST_CASE("pressed with 0.95 times the least force it falls with g / 20") {
  Simulation s = test::pressed_block(0.95 * kLeast, 1.0);
  const double h = s.settings().time_step;
  // Implicit Euler falls 1/2 a t (t + h).
  CHECK(test::watch(s, 2.0).fallen == Approx(0.5 * 0.05 * test::kGravity * 2.0 * (2.0 + h)).epsilon(0.01));
}

TEST_CASE("a soft cube between two plates holds for a minute at 1.05 times the least force", "[scene][slow]") {
  check_pinch(60.0);
}

TEST_CASE("both hold for half an hour", "[slow][long]") {
  check_wall(1.05 * kLeast, 1800.0);
  check_pinch(1800.0);
}
