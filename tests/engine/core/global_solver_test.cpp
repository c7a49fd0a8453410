// The global step behind its setting: every complete solver gives the same motion, instances move as if
// alone, what is kept on disk gives the same bits.
#include <filesystem>
#include <fstream>

#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/moved.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace sinew;
using test::farthest;
using test::moved;

namespace {

/// A bar held at one end, falling onto a ball; more copies hang beside it where their speeds differ.
Model bars(int copies, Index cells) {
  ModelBuilder builder;
  for (int i = 0; i < copies; ++i) {
    BodySpec body;
    body.name = "bar " + std::to_string(i);
    body.mesh = test::block(3 * cells, cells, cells, 0.1 / cells);
    body.transform.translation = {0, 0.5 * i, 0};
    body.material.young_modulus = 1e5;
    body.velocity = {0, 0, -0.5 * i};
    builder.add(body);
    PinSpec pin;
    pin.name = "pin " + std::to_string(i);
    pin.body = body.name;
    pin.region.shape = Region::HalfSpace{{0.01, 0, 0}, {1, 0, 0}};
    builder.add(pin);
  }
  ObstacleSpec ball;
  ball.name = "ball";
  ball.shape = SphereShape{0.1};
  ball.pose.translation = {0.25, 0.05, -0.12};
  builder.add(ball);
  return builder.build();
}

SimulationSettings with_solver(GlobalSolver solver) {
  SimulationSettings settings;
  settings.solver.global = solver;
  settings.solver.cache = false;
  return settings;
}

}  // namespace

TEST_CASE("every complete solver gives the same motion", "[scene]") {
  const Model model = bars(1, 3);
  // Contact is solved to 1e-9 m: no motion with it is known better.
  const double bound = 1e-8;
  SimulationSettings free_flight = with_solver(GlobalSolver::triangular);
  free_flight.contact.enabled = false;
  const std::vector<Vec3d> untouched = moved(model, free_flight, 25);
  free_flight.solver.global = GlobalSolver::staged;
  // Frames that stop after five iterations amplify rounding: 2e-11 m, or 1e-10 with other instructions.
  CHECK(farthest(moved(model, free_flight, 25), untouched) < 1e-9);
  const std::vector<Vec3d> expected = moved(model, with_solver(GlobalSolver::triangular), 25);
  for (int stages = 0; stages <= SolverSettings::kMostStages; ++stages) {
    SimulationSettings settings = with_solver(GlobalSolver::staged);
    settings.solver.stages = stages;
    CHECK(farthest(moved(model, settings, 25), expected) < bound);
  }
  CHECK(farthest(moved(model, with_solver(GlobalSolver::automatic), 25), expected) < bound);
  CHECK(farthest(moved(model, with_solver(GlobalSolver::sparse_inverse), 25), expected) < bound);
  SimulationSettings pcg = with_solver(GlobalSolver::pcg);
  for (const Preconditioner p : {Preconditioner::block_jacobi, Preconditioner::incomplete_cholesky}) {
    pcg.solver.preconditioner = p;
    CHECK(farthest(moved(model, pcg, 25), expected) < 1e-7);
  }
}

TEST_CASE("an inverse in float moves alike to its rounding, refined to that of double", "[scene]") {
  const Model model = bars(1, 3);
  const std::vector<Vec3d> expected = moved(model, with_solver(GlobalSolver::staged), 25);
  SimulationSettings mixed = with_solver(GlobalSolver::staged);
  mixed.solver.precision = SolverPrecision::mixed;
  const double plain = farthest(moved(model, mixed, 25), expected);
  CHECK(plain > 0.0);
  CHECK(plain < 2e-5);
  mixed.solver.refinement_steps = 2;
  CHECK(farthest(moved(model, mixed, 25), expected) < 1e-8);
}

TEST_CASE("incomplete solutions reach the same frame with more iterations, Chebyshev with fewer", "[scene]") {
  const Model model = bars(1, 2);
  SimulationSettings exact = with_solver(GlobalSolver::staged);
  exact.iterations = 200;
  exact.tolerance = 1e-9;
  exact.contact.enabled = false;
  const std::vector<Vec3d> expected = moved(model, exact, 3);
  int used[2] = {0, 0};
  for (const bool chebyshev : {false, true}) {
    SimulationSettings settings = exact;
    settings.solver.global = chebyshev ? GlobalSolver::chebyshev : GlobalSolver::jacobi;
    settings.history = 0;
    settings.iterations = 5000;
    settings.tolerance = 1e-6;
    Simulation simulation(model, settings);
    for (int n = 0; n < 3; ++n) used[chebyshev] += simulation.step().iterations;
    CHECK(farthest(simulation.positions(0), expected) < 1e-4);
  }
  CHECK(used[1] < used[0] / 2);
}

TEST_CASE("incomplete solutions keep the contact law", "[scene]") {
  for (const GlobalSolver solver : {GlobalSolver::jacobi, GlobalSolver::chebyshev}) {
    Simulation simulation(bars(1, 3), with_solver(solver));
    std::size_t most = 0;
    for (int n = 0; n < 60; ++n) {
      const StepStatistics& s = simulation.step();
      REQUIRE(std::isfinite(s.energy.total()));
      REQUIRE(s.max_penetration_m < 1e-6);
      most = std::max(most, s.active_contacts);
    }
    CHECK(most > 0);
  }
}

TEST_CASE("Chebyshev with contacts goes on as plain sweeps do", "[scene]") {
  const Model model = bars(1, 3);
  SimulationSettings settings = with_solver(GlobalSolver::chebyshev);
  settings.iterations = 400;
  Simulation weighted(model, settings);
  settings.solver.global = GlobalSolver::jacobi;
  settings.history = 0;
  Simulation plain(model, settings);
  for (int n = 0; n < 30; ++n) {
    weighted.step();
    plain.step();
  }
  CHECK(weighted.statistics().active_contacts > 0);
  CHECK(weighted.statistics().residual < 2.0 * plain.statistics().residual + 1e-6);
}

TEST_CASE("instances share one product and move as if alone, bit for bit", "[scene]") {
  SimulationSettings settings = with_solver(GlobalSolver::staged);
  settings.iterations = 20;
  settings.tolerance = 1e-4;  // they stop at different iterations
  const Model together = bars(6, 2);
  Simulation all(together, settings);
  CHECK(all.sizes().distinct_bodies == 1);
  for (int n = 0; n < 20; ++n) all.step();
  for (int i = 0; i < 6; ++i) {
    BodySpec body = together.body(i);
    PinSpec pin = together.pin(i);
    ModelBuilder builder;
    Simulation alone(builder.add(body).add(pin).add(together.obstacle(0)).build(), settings);
    for (int n = 0; n < 20; ++n) alone.step();
    CHECK(alone.positions(0) == all.positions(i));
    CHECK(alone.velocities(0) == all.velocities(i));
  }
}

TEST_CASE("solvers give the same bits for any number of threads", "[scene]") {
  for (int kind = 1; kind <= static_cast<int>(GlobalSolver::chebyshev); ++kind) {
    SimulationSettings settings = with_solver(static_cast<GlobalSolver>(kind));
    std::uint64_t first = 0;
    for (const int threads : {1, 3}) {
      settings.threads = threads;
      Simulation simulation(bars(2, 3), settings);
      for (int n = 0; n < 15; ++n) simulation.step();
      if (threads == 1) first = simulation.state_hash();
      CHECK(simulation.state_hash() == first);
    }
  }
}

TEST_CASE("what was kept on disk gives the same bits, and a damaged entry is made anew", "[scene]") {
  const test::TemporaryFolder folder;
  const Model model = bars(1, 9);  // 2,800 nodes
  SimulationSettings settings;
  settings.solver.cache_folder = folder / "kept";
  std::uint64_t hash = 0;
  for (const std::size_t expected : {0, 1, 1}) {
    Simulation simulation(model, settings);
    CHECK(simulation.sizes().from_cache == expected);
    CHECK(simulation.warnings().empty());
    for (int n = 0; n < 5; ++n) simulation.step();
    if (hash == 0) hash = simulation.state_hash();
    CHECK(simulation.state_hash() == hash);
  }
  int entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(settings.solver.cache_folder)) {
    ++entries;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(entry.file_size() / 2));
    file.put('x');
    file.put('y');
  }
  CHECK(entries == 1);
  for (const std::size_t expected : {0, 1}) {
    Simulation simulation(model, settings);
    CHECK(simulation.sizes().from_cache == expected);
    for (int n = 0; n < 5; ++n) simulation.step();
    CHECK(simulation.state_hash() == hash);
  }
  settings.solver.cache = false;
  CHECK(Simulation(model, settings).sizes().from_cache == 0);
}

TEST_CASE("a cache folder that cannot be made is a remark, not an error", "[scene]") {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "file") << "in the way";
  SimulationSettings settings;
  settings.solver.cache_folder = folder / "file/below";
  Simulation simulation(bars(1, 9), settings);
  REQUIRE(simulation.warnings().size() == 1);
  CHECK(simulation.warnings()[0].find("file") != std::string::npos);
  CHECK(simulation.step().iterations > 0);
}

TEST_CASE("a state goes on under the same solver, whatever its name, and under no other", "[scene]") {
  const Model model = bars(1, 2);
  Simulation named(model, with_solver(GlobalSolver::staged)),
      automatic(model, with_solver(GlobalSolver::automatic));
  SimulationSettings by_factor = with_solver(GlobalSolver::staged);
  by_factor.solver.factor = FactorLibrary::native;
  Simulation native(model, by_factor), other(model, with_solver(GlobalSolver::triangular));
  for (int n = 0; n < 3; ++n) named.step();
  const Snapshot snapshot = named.save();
  named.step();
  for (Simulation* simulation : {&automatic, &native}) {
    simulation->restore(snapshot);
    simulation->step();
    CHECK(simulation->state_hash() == named.state_hash());
  }
  CHECK_THROWS_AS(other.restore(snapshot), ModelError);
}

TEST_CASE("solver settings out of range are refused by name") {
  const Model model = bars(1, 1);
  const auto refused = [&](auto change, const char* field) {
    SimulationSettings settings;
    change(settings.solver);
    try {
      Simulation simulation(model, settings);
      FAIL("no error for " << field);
    } catch (const ModelError& error) {
      CHECK(std::string(error.what()).find(field) != std::string::npos);
    }
  };
  refused([](SolverSettings& s) { s.stages = 7; }, "solver.stages");
  refused([](SolverSettings& s) { s.stages = -1; }, "solver.stages");
  refused([](SolverSettings& s) { s.refinement_steps = 6; }, "solver.refinement_steps");
  refused([](SolverSettings& s) { s.pcg_tolerance = 0.0; }, "solver.pcg_tolerance");
  refused([](SolverSettings& s) { s.pcg_max_iterations = 0; }, "solver.pcg_max_iterations");
}
