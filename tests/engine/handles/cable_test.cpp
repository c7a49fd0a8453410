// Cables against statics.
#include <cmath>

#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

constexpr double kGravity = 9.81;
constexpr Index kTop = 22;  // middle of the upper face

ModelBuilder with_block(double young_modulus = 1e6) {
  BodySpec body;
  body.name = "block";
  body.mesh = test::block(2, 2, 2, 0.05);
  body.material.young_modulus = young_modulus;
  body.material.rayleigh_alpha = 8.0;
  ModelBuilder builder;
  builder.add(body);
  return builder;
}

SimulationSettings careful() {
  SimulationSettings settings;
  settings.iterations = 20;
  return settings;
}

void run(Simulation& simulation, int frames) {
  for (int i = 0; i < frames; ++i) simulation.step();
}

}  // namespace

TEST_CASE("cable: a body that hangs between two anchors, tension against statics") {
  Simulation simulation(with_block().build(), careful());
  CableSpec spec;
  spec.name = "cable";
  spec.points = {Vec3d{-0.25, 0.05, 0.3}, BodyPoint{"block", kTop}, Vec3d{0.35, 0.05, 0.3}};
  spec.length = {{0.0}, {0.75}};
  const HandleId cable = simulation.add_handle(spec);
  run(simulation, 500);
  const double weight = kGravity * simulation.model().body_mass(0), tension = simulation.cable_tension(cable);
  CHECK(std::abs(simulation.cable_length(cable) - 0.75) < 1e-8);
  // Without friction the body hangs in the middle: both segments have one slope, 2 T sin a = weight.
  const Vec3d x = simulation.positions(0)[kTop];
  CHECK(std::abs(x.x - 0.05) < 1e-4);
  const double sine = std::sqrt(1.0 - 0.8 * 0.8);  // 0.6 m between the anchors
  CHECK(std::abs(2.0 * tension * sine - weight) < 1e-3 * weight);
  CHECK(norm(simulation.handle_wrench(cable).force - Vec3d{0, 0, weight}) < 1e-3 * weight);
  CHECK(std::abs(x.z - (0.3 - 0.375 * sine)) < 1e-4);
}

TEST_CASE("cable: a compliant one is longer by tension times compliance") {
  Simulation simulation(with_block().build(), careful());
  CableSpec spec;
  spec.points = {Vec3d{0.05, 0.05, 0.4}, BodyPoint{"block", kTop}};
  spec.length = {{0.0}, {0.3}};
  spec.compliance = 1e-3;
  const HandleId cable = simulation.add_handle(spec);
  run(simulation, 400);
  const double weight = kGravity * simulation.model().body_mass(0);
  CHECK(std::abs(simulation.cable_tension(cable) - weight) < 1e-4 * weight);
  CHECK(std::abs(simulation.cable_length(cable) - 0.3 - 1e-3 * weight) < 1e-6);
}

TEST_CASE("cable: slack has no tension, until it is taut") {
  Simulation simulation(with_block().build(), careful());
  CableSpec spec;
  spec.points = {Vec3d{0.05, 0.05, 0.2}, BodyPoint{"block", kTop}};
  spec.length = {{0.0}, {0.3}};  // 0.1 m now: 0.2 m to fall
  const HandleId cable = simulation.add_handle(spec);
  int slack = 0;
  while (slack < 100) {
    simulation.step();
    if (simulation.cable_length(cable) > 0.3 - 1e-6) break;
    CHECK(simulation.cable_tension(cable) == 0.0);
    ++slack;
  }
  CHECK(slack > 15);  // sqrt(2 0.2 / g) = 0.2 s
  CHECK(slack < 30);
  run(simulation, 300);
  const double weight = kGravity * simulation.model().body_mass(0);
  CHECK(std::abs(simulation.cable_tension(cable) - weight) < 1e-3 * weight);

  // The same as a rod: it holds its length from the first frame on.
  Simulation rod(with_block().build(), careful());
  spec.length = {{0.0}, {0.1}};
  spec.two_sided = true;
  const HandleId id = rod.add_handle(spec);
  run(rod, 5);
  CHECK(std::abs(rod.cable_length(id) - 0.1) < 1e-8);
  rod.set_length(id, 0.12);  // pushes
  rod.step();
  CHECK(std::abs(rod.cable_length(id) - 0.12) < 1e-6);
  CHECK(rod.cable_tension(id) < 0.0);
}

TEST_CASE("cable: a given tension") {
  ModelBuilder builder = with_block();
  builder.gravity({});
  builder.add(HoldSpec{"foot", "block", {Region::Box{{-1, -1, -1}, {1, 1, 1e-6}}}, {}, {}, 0.0});
  Simulation simulation(builder.build(), careful());
  CableSpec spec;
  spec.points = {Vec3d{-0.3, 0.05, 0.5}, BodyPoint{"block", kTop}, Vec3d{0.4, 0.05, 0.5}};
  spec.tension = {{0.0, 1.0}, {0.0, 12.0}};
  const HandleId cable = simulation.add_handle(spec);
  run(simulation, 400);
  CHECK(simulation.cable_tension(cable) == 12.0);
  const Vec3d x = simulation.positions(0)[kTop];
  const Vec3d pull = 12.0 * (normalized(Vec3d{-0.3, 0.05, 0.5} - x) + normalized(Vec3d{0.4, 0.05, 0.5} - x));
  CHECK(norm(simulation.handle_wrench(cable).force - pull) < 1e-6);
  CHECK(norm(simulation.handle_wrench(simulation.handle("foot")).force + pull) < 1e-3 * norm(pull));
  simulation.set_tension(cable, 0.0);
  run(simulation, 200);
  CHECK(norm(simulation.handle_wrench(simulation.handle("foot")).force) < 1e-3);
}

TEST_CASE("cable: forces on two bodies and the anchors are in balance") {
  ModelBuilder builder = with_block();
  BodySpec other = builder.build().body(0);
  other.name = "other";
  other.transform.translation = {0.3, 0.0, -0.1};
  other.density = 2000.0;
  builder.add(other);
  CableSpec spec;
  spec.name = "cable";  // over a beam, a body at either end, the light one held
  spec.points = {BodyPoint{"block", kTop}, Vec3d{0.05, 0.05, 0.5}, Vec3d{0.35, 0.05, 0.5},
                 BodyPoint{"other", kTop}};
  builder.add(spec);
  builder.add(HoldSpec{"foot", "block", {Region::Box{{-1, -1, -1}, {1, 1, 1e-6}}}, {}, {}, 0.0});
  Simulation simulation(builder.build(), careful());
  run(simulation, 500);
  const double light = kGravity * simulation.model().body_mass(0);
  const double heavy = kGravity * simulation.model().body_mass(1);
  const HandleId cable = simulation.handle("cable");
  CHECK(std::abs(simulation.cable_tension(cable) - heavy) < 1e-3 * heavy);
  CHECK(std::abs(simulation.handle_wrench(simulation.handle("foot")).force.z + (heavy - light)) <
        2e-3 * heavy);
  CHECK(std::abs(simulation.cable_length(cable) - 1.2) < 1e-6);
}

// A compressed finger would buckle, were it not for its cable: what the turning of the cable does to the
// forces is most of the stiffness that is left.
TEST_CASE("cable: a finger that its cable bends comes to rest in every frame") {
  BodySpec body;
  body.name = "finger";
  body.mesh = test::block(2, 2, 12, 0.16 / 12);
  body.material.young_modulus = 2e6;
  body.material.poisson_ratio = 0.4;
  body.material.rayleigh_beta = 0.02;
  body.density = 1000.0;
  ModelBuilder builder;
  builder.add(body);
  builder.add(HoldSpec{"base", "finger", {Region::Box{{-1, -1, 0.145}, {1, 1, 1}}}, {}, {}, 0.0});
  SimulationSettings settings;
  settings.iterations = 10;
  Simulation simulation(builder.build(), settings);
  CableSpec spec;
  for (const double z : {0.155, 0.115, 0.075, 0.035, 0.005})
    spec.points.push_back(BodyPoint{.body = "finger", .nearest_to = Vec3d{0.0133, 0.0, z}});
  spec.length = {{0.1, 0.5}, {0.150, 0.11}};
  const HandleId cable = simulation.add_handle(spec);
  double residual = 0.0;
  for (int k = 0; k < 120; ++k) {
    const StepStatistics& statistics = simulation.step();
    if (k >= 60) residual = std::max(residual, statistics.residual);
  }
  INFO("residual " << residual << " tension " << simulation.cable_tension(cable));
  CHECK(residual < 1e-3);  // 0.5 without the cable's part
  CHECK(std::abs(simulation.cable_length(cable) - 0.11) < 1e-8);
  CHECK(simulation.cable_tension(cable) > 50.0);
  const std::vector<Vec3d> before = simulation.positions(0);
  simulation.step();
  double moved = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i)
    moved = std::max(moved, norm(simulation.positions(0)[i] - before[i]));
  CHECK(moved < 1e-5);
}
