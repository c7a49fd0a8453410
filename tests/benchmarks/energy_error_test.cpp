// Energy error of frames as users run them, against Newton's method on the same frame.
#include <algorithm>

#include <sinew/simulation.hpp>

#include "benchmarks/frame_error.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

struct Errors {
  double worst = 0.0;  ///< of all frames
  double last = 0.0;   ///< of the last one
};

/// A bar whose ends start at once to turn against each other by 1.57 rad/s each.
Errors errors_of(Index vertices, MaterialKind kind, double young_modulus, int history, int frames) {
  const Model model = bench::twisting_bar(vertices, Material{kind, young_modulus, 0.45, 0.0, 0.0}, 1.57);
  SimulationSettings settings;
  settings.history = history;
  settings.solver.cache = false;
  Simulation simulation(model, settings);
  Errors errors;
  Executor executor(2);
  executor.run([&] {
    bench::FrameError reference(model, settings.time_step);
    for (int frame = 0; frame < frames; ++frame) {
      const std::vector<Vec3d> start = simulation.positions(0), velocity = simulation.velocities(0);
      simulation.step();
      reference.set_frame(start, velocity, simulation.positions(0));
      errors.last = reference.error(simulation.positions(0));
      errors.worst = std::max(errors.worst, errors.last);
    }
  });
  return errors;
}

}  // namespace

TEST_CASE("five iterations leave less than a hundredth of the energy, from the first frame on", "[slow]") {
  for (const double young_modulus : {1e6, 1e9}) {
    INFO("E " << young_modulus);
    const Errors errors = errors_of(5390, MaterialKind::arap, young_modulus, 10, 6);
    CHECK(errors.worst < 1e-2);
    CHECK(errors.last < 1e-4);
  }
}

TEST_CASE("pairs of earlier frames make the next frame exact", "[slow]") {
  for (const double young_modulus : {1e6, 1e9}) {
    INFO("E " << young_modulus);
    const Errors kept = errors_of(1300, MaterialKind::stable_neo_hookean, young_modulus, 10, 25);
    CHECK(kept.last < 1e-2);
    // Two pairs hold less than the five iterations of one frame.
    CHECK(errors_of(1300, MaterialKind::stable_neo_hookean, young_modulus, 2, 25).last > 10.0 * kept.last);
  }
}
