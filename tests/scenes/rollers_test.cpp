// The main scene, start to end.
#include <sinew/sinew.hpp>

#include "tests/support/catch.hpp"

using namespace sinew;

TEST_CASE("rollers: the ball is pulled through, lies below and has its shape back", "[slow]") {
  const Scene scene = load_scene(SINEW_SOURCE_DIR "/assets/scenes/rollers.json");
  CHECK(scene.warnings.empty());
  Simulation simulation(scene.model, scene.settings);
  double worst = 0.0, squeezed = 1.0;
  const std::vector<Vec3d> start = simulation.positions(0);
  for (long n = 0; n < scene.output.frames; ++n) {
    worst = std::max(worst, simulation.step().max_penetration_m);
    double low = 1.0, high = -1.0;
    for (const Vec3d& x : simulation.positions(0)) low = std::min(low, x.x), high = std::max(high, x.x);
    squeezed = std::min(squeezed, high - low);
  }
  CHECK(worst < 1e-4);
  CHECK(squeezed < 0.3);  // of 0.5 m
  const std::vector<Vec3d> end = simulation.positions(0);
  Vec3d low = end[0], high = end[0];
  for (const Vec3d& x : end) {
    low = component_min(low, x);
    high = component_max(high, x);
  }
  CHECK(high.z < 0.55);  // the gap of the rollers is at 1.1 m
  CHECK(simulation.volume(0) == Approx(simulation.model().body_rest_volume(0)).epsilon(0.01));
  for (int axis = 0; axis < 3; ++axis) CHECK(high[axis] - low[axis] == Approx(0.5).epsilon(0.01));
}
