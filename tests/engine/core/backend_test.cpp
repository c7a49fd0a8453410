// Frames with the global step on a device against frames on the host.
#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "tests/support/devices.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;

namespace {

BodySpec block(const std::string& name, const Vec3d& at) {
  BodySpec body;
  body.name = name;
  body.mesh = test::block(2, 2, 2, 0.05);
  body.material.kind = MaterialKind::stable_neo_hookean;
  body.material.young_modulus = 1e5;
  body.transform.translation = at;
  return body;
}

/// Two blocks on each other on a plane that is steep for one coefficient of friction and not for another.
Model slope(double friction) {
  ModelBuilder builder;
  builder.add(block("lower", {0.0, 0.0, 0.001}));
  builder.add(block("upper", {0.01, 0.0, 0.103}));
  builder.add(ObstacleSpec{"floor", HalfSpaceShape{}, {}, {}, friction, {}});
  builder.gravity({9.81 * 0.3, 0.0, -9.81 * 0.95});
  return builder.build();
}

Model drape() {
  ModelBuilder builder;
  BodySpec sheet = test::sheet_body("sheet", test::sheet(10, 10, 0.05), MaterialKind::neo_hookean);
  sheet.transform.translation = {-0.25, -0.25, 0.26};
  builder.add(sheet);
  builder.add(ObstacleSpec{"ball", SphereShape{0.25}, {}, {}, 0.4, {}});
  return builder.build();
}

// Solves differ by 1e-13, and contact stops at 1e-10 m a frame: 30 frames make of that what stands here.
constexpr double kPositions = 2e-6;  // [m]
constexpr double kForces = 5e-3;     // [1]
constexpr double kNoticed = 1e-3;    // [N]

struct Outcome {
  std::vector<Vec3d> position;
  std::vector<ContactForce> contact;
};

Outcome run(const Model& model, Backend backend, int threads = 0,
            SolverPrecision precision = SolverPrecision::full) {
  SimulationSettings settings;
  settings.backend = backend;
  settings.threads = threads;
  settings.solver.precision = precision;
  settings.solver.cache = false;
  Simulation simulation(model, settings);
  CHECK((simulation.backend_name() == "cpu") == (backend == Backend::cpu));
  for (int k = 0; k < 30; ++k) simulation.step();
  Outcome outcome;
  for (std::size_t b = 0; b < model.body_count(); ++b)
    for (const Vec3d& x : simulation.positions(b)) outcome.position.push_back(x);
  outcome.contact = simulation.contact_forces();
  return outcome;
}

/// Positions to `tolerance` [m], the same contacts with the same verdicts.
void compare(const Outcome& got, const Outcome& expected, double tolerance) {
  double worst = 0.0;
  for (std::size_t i = 0; i < expected.position.size(); ++i)
    worst = std::max(worst, norm(got.position[i] - expected.position[i]));
  CHECK(worst < tolerance);
  REQUIRE(got.contact.size() == expected.contact.size());
  for (std::size_t c = 0; c < expected.contact.size(); ++c) {
    CHECK(got.contact[c].surface_point == expected.contact[c].surface_point);
    if (std::max(got.contact[c].normal_force, expected.contact[c].normal_force) > kNoticed)
      CHECK(got.contact[c].state == expected.contact[c].state);
    CHECK(got.contact[c].normal_force ==
          Approx(expected.contact[c].normal_force).epsilon(kForces).margin(kNoticed));
  }
}

void check_frames(Backend backend) {
  for (const double friction : {0.1, 0.6}) {  // tan a = 0.316
    const Model model = slope(friction);
    compare(run(model, backend), run(model, Backend::cpu), kPositions);
  }
  const Model model = drape();
  compare(run(model, backend), run(model, Backend::cpu), kPositions);
}

}  // namespace

TEST_CASE("emulated: frames end where those of the host end, with the same verdicts", "[scene]") {
  check_frames(Backend::emulated);
}

TEST_CASE("cuda: frames end where those of the host end, with the same verdicts", "[gpu]") {
  test::on_cuda([](Device&) { check_frames(Backend::cuda); });
}

TEST_CASE("emulated: the same bits for any number of threads, floats near the host's", "[scene]") {
  const Model model = slope(0.6);
  const Outcome one = run(model, Backend::emulated, 1), four = run(model, Backend::emulated, 4);
  CHECK(test::same_bits(one.position, four.position));
  const Outcome mixed = run(model, Backend::emulated, 1, SolverPrecision::mixed);
  const Outcome host = run(model, Backend::cpu, 1, SolverPrecision::mixed);
  double worst = 0.0;
  for (std::size_t i = 0; i < host.position.size(); ++i)
    worst = std::max(worst, norm(mixed.position[i] - host.position[i]));
  CHECK(worst < 5e-5);
}

TEST_CASE("backend: what a device cannot do, and snapshots of another one, say so") {
  SimulationSettings settings;
  settings.backend = Backend::emulated;
  settings.solver.global = GlobalSolver::triangular;
  try {
    Simulation simulation(slope(0.5), settings);
    FAIL("substitution has no form for devices");
  } catch (const BackendError& error) {
    CHECK(std::string(error.what()).find("only solver.global 'staged' runs there") != std::string::npos);
  }
  settings.solver.global = GlobalSolver::automatic;
  Simulation emulated(slope(0.5), settings);
  CHECK(emulated.backend_name() == "the emulated device");
  settings.backend = Backend::cpu;
  Simulation host(slope(0.5), settings);
  CHECK(host.backend_name() == "cpu");
  CHECK_THROWS_AS(host.restore(emulated.save()), Error);
}
