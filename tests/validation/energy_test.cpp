// Free bodies: energy, momentum, spin.
#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/sheets.hpp"
#include "tests/validation/bodies.hpp"

using namespace sinew;

namespace {

constexpr double kTurn = 6.283185307179586;

/// Node positions stretched and sheared about the centre of the block.
std::vector<Vec3d> deformed(const std::vector<Vec3d>& x, double size) {
  std::vector<Vec3d> y;
  for (const Vec3d& p : x) y.push_back(test::deformed(p, size));
  return y;
}

}  // namespace

namespace {

/// Lets go of a stretched body that drifts: energy against the start, momentum against its own size.
void check_vibration(const BodySpec& body) {
  ModelBuilder builder;
  SimulationSettings settings = test::converged();
  settings.time_step = 0.002;  // a period of the slowest mode takes 40 frames
  Simulation simulation(builder.gravity({}).add(body).build(), settings);
  const std::vector<Vec3d> rest = simulation.positions(0);
  simulation.set_state(0, deformed(rest, 0.25), std::vector<Vec3d>(rest.size(), Vec3d{0.3, -0.2, 0.1}));
  const Vec3d momentum = simulation.linear_momentum();
  const double drift = 0.5 * squared_norm(momentum) / simulation.model().body_mass(0);
  const double start = simulation.statistics().energy.total() - drift;
  double before = simulation.statistics().energy.total(), rise = 0.0, swing = 0.0, lost = 0.0;
  for (int n = 0; n < 300; ++n) {
    const StepStatistics& s = simulation.step();
    rise = std::max(rise, (s.energy.total() - before) / start);
    before = s.energy.total();
    swing = std::max(swing, (s.energy.kinetic - drift) / start);
    lost = std::max(lost, norm(simulation.linear_momentum() - momentum) / norm(momentum));
  }
  CHECK(swing > 0.3);                     // it vibrates
  CHECK((before - drift) / start < 0.9);  // and implicit Euler damps
  CHECK(rise < 1e-12);
  CHECK(lost < 1e-10);
}

}  // namespace

// Implicit Euler at its minimum: E(n+1) <= E(n) where the energy is convex along the step: here the body is
// not crushed. Rounding: sums of about 100 energies and 1e-13 left by the iterations.
TEST_CASE("energy of a free, undamped, vibrating body never rises; momentum holds", "[scene]") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    INFO(to_string(kind));
    check_vibration(test::block_body(kind));
  }
}

TEST_CASE("energy of a free, undamped, vibrating sheet never rises; momentum holds", "[scene]") {
  for (const MaterialKind kind : kTriangleMaterialKinds) {
    for (const BendingModel model : {BendingModel::isometric, BendingModel::laplace_beltrami}) {
      INFO(to_string(kind) << ", " << to_string(model));
      BodySpec body = test::sheet_body("sheet", test::sheet(6, 4, 0.05), kind);
      body.material = {kind, 1e5, 0.3, 0.0, 0.0};
      body.sheet->thickness = 2e-3;
      body.sheet->bending.model = model;
      check_vibration(body);
    }
  }
}

namespace {

/// Spins a stretched body about z; damped runs against the undamped one.
void check_spin(BodySpec body) {
  // Implicit Euler itself takes about (omega h)^2 of the spin per frame, so the undamped run is the
  // yardstick.
  body.angular_velocity = {0.0, 0.0, kTurn};
  const auto run = [&](double beta, double& vibration) {
    body.material.rayleigh_beta = beta;
    ModelBuilder builder;
    SimulationSettings settings = test::converged(1e-9);
    settings.time_step = 0.002;
    Simulation simulation(builder.gravity({}).add(body).build(), settings);
    const std::vector<Vec3d> v = simulation.velocities(0);
    simulation.set_state(0, deformed(simulation.positions(0), 0.02), v);
    std::vector<double> spin;
    double low = 1e300, high = 0.0;
    for (int n = 1; n <= 1500; ++n) {  // three turns
      const StepStatistics& s = simulation.step();
      if (n > 5 && n <= 60) low = std::min(low, s.energy.elastic), high = std::max(high, s.energy.elastic);
      if (n % 500 == 0) spin.push_back(simulation.angular_momentum().z);
    }
    vibration = high - low;
    return spin;
  };
  double undamped_vibration, vibration;
  const std::vector<double> undamped = run(0.0, undamped_vibration);
  for (const double beta : {1e-3, 3e-3}) {
    const std::vector<double> damped = run(beta, vibration);
    for (std::size_t i = 0; i < damped.size(); ++i)
      CHECK(damped[i] / undamped[i] == Approx(1.0).margin(1e-3));  // found: 5e-4
    CHECK(vibration < 0.5 * undamped_vibration);                   // and the damping does damp
  }
}

}  // namespace

TEST_CASE("a spinning body with stiffness damping keeps spinning like an undamped one", "[slow]") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    INFO(to_string(kind));
    BodySpec body = test::block_body(kind);
    body.material.young_modulus = 1e6;
    check_spin(body);
  }
  for (const MaterialKind kind : kTriangleMaterialKinds) {
    INFO(to_string(kind) << ", sheet");
    BodySpec body = test::sheet_body("sheet", test::sheet(6, 4, 0.05), kind);
    body.material = {kind, 1e6, 0.4, 0.0, 0.0};
    check_spin(body);
  }
}
