// Handles that ask for what contact forbids, and for more than a frame can give.
#include <algorithm>
#include <limits>

#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

constexpr double kSize = 0.1;  // [m] of the block
constexpr Index kCorner = 0;   // below

Simulation block_on_floor(double young_modulus, bool floor, int iterations = 5) {
  ModelBuilder builder;
  BodySpec body;
  body.name = "block";
  body.mesh = test::block(2, 2, 2, kSize / 2);
  body.material.young_modulus = young_modulus;
  builder.add(body);
  if (floor) {
    ObstacleSpec plane;
    plane.name = "floor";
    plane.shape = HalfSpaceShape{};
    builder.add(plane);
  }
  SimulationSettings settings;
  settings.iterations = iterations;
  return Simulation(builder.build(), settings);
}

double largest_normal_force(const Simulation& simulation) {
  double most = 0.0;
  for (const ContactForce& f : simulation.contact_forces()) most = std::max(most, f.normal_force);
  return most;
}

}  // namespace

// No force is the answer: contacts give way, and the rest of the body does as if nothing were.
TEST_CASE("no room: a hard grab that holds a corner below the floor") {
  for (const double young_modulus : {1e4, 1e6, 1e8}) {
    INFO("E " << young_modulus);
    Simulation simulation = block_on_floor(young_modulus, true);
    const Vec3d target = simulation.positions(0)[kCorner] - Vec3d{0.0, 0.0, 0.3 * kSize};
    const HandleId grab = simulation.add_handle(GrabSpec{"", {"block", kCorner}, {{0.0}, {target}}, 0.0});
    double early = 0.0;
    for (int n = 0; n < 60; ++n) {
      const StepStatistics& s = simulation.step();
      CHECK(s.complementarity_residual_m > 0.05 * kSize);  // the report says so
      CHECK(s.momentum_error < 1e-6);
      CHECK(s.max_penetration_m == Approx(0.3 * kSize).epsilon(0.02));
      CHECK(norm(simulation.positions(0)[kCorner] - target) < 1e-6);
      if (n < 10) early = std::max(early, largest_normal_force(simulation));
    }
    // The other points stand on the floor, and nothing has built up.
    CHECK(largest_normal_force(simulation) <= 1.1 * early);
    for (const Vec3d& v : simulation.velocities(0)) CHECK(norm(v) < 5.0);
    CHECK(norm(simulation.handle_wrench(grab).force) < 3.0 * young_modulus * kSize * kSize);
    simulation.remove_handle(grab);
    for (int n = 0; n < 40; ++n) simulation.step();
    CHECK(simulation.statistics().contact_converged);
    CHECK(simulation.statistics().max_penetration_m < 1e-4 * kSize);
  }
}

// A point within a triangle: its corners would have to lie below, each of them is held above. Forces grew
// without bound.
TEST_CASE("no room: a hard grab that holds a point of the surface below the floor") {
  for (const double young_modulus : {1e4, 1e6}) {
    INFO("E " << young_modulus);
    Simulation simulation = block_on_floor(young_modulus, true);
    const Vec3d middle{0.3 * kSize, 0.35 * kSize, 0.0}, target = middle - Vec3d{0.0, 0.0, 0.3 * kSize};
    BodyPoint point;
    point.body = "block";
    point.nearest_to = middle;
    const HandleId grab = simulation.add_handle(GrabSpec{"", point, {{0.0}, {target}}, 0.0});
    for (int n = 0; n < 40; ++n) {
      const StepStatistics& s = simulation.step();
      CHECK((!s.contact_converged || s.complementarity_residual_m > 0.02 * kSize));
      CHECK(s.momentum_error < 1e-6);
      CHECK(norm(simulation.handle_wrench(grab).force) < 30.0 * young_modulus * kSize * kSize);
      for (const Vec3d& v : simulation.velocities(0)) CHECK(norm(v) < 20.0);
    }
  }
}

// A step shortened by the line search takes a part of what forces do to the body as a whole.
TEST_CASE("no room: a point that is moved by a size at once keeps momentum") {
  for (const int iterations : {1, 2, 5}) {
    INFO("iterations " << iterations);
    Simulation simulation = block_on_floor(1e5, false, iterations);
    const Vec3d start = simulation.positions(0)[kCorner];
    const HandleId grab = simulation.add_handle(GrabSpec{"", {"block", kCorner}, {{0.0}, {start}}, 0.0});
    int shortened = 0;
    for (int n = 0; n < 20; ++n) {
      simulation.set_target(grab, start + (n % 4) * kSize * Vec3d{1.0, 0.5, -1.0});
      const StepStatistics& s = simulation.step();
      shortened += s.line_search_steps;
      CHECK(s.momentum_error < 1e-9);
    }
    CHECK(shortened > 0);
  }
}
