// Cloth that meets itself, and cloth on blades: nothing cuts through anything.
#include <algorithm>

#include <sinew/sinew.hpp>

#include "tests/reference/brute_intersections.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

Scene load(const std::string& name) {
  return load_scene(std::string(SINEW_SOURCE_DIR) + "/assets/scenes/" + name + ".json");
}

}  // namespace

TEST_CASE("twisted_cloth: three turns without a crossing", "[long]") {
  const Scene scene = load("twisted_cloth");
  Simulation simulation(scene.model, scene.settings);
  const std::vector<Triangle>& triangles = scene.model.surface_triangles(0);
  std::size_t most = 0;
  for (int frame = 1; frame <= 300; ++frame) {
    most = std::max(most, simulation.step().active_contacts);
    INFO("frame " << frame);
    REQUIRE(simulation.count_intersections() == 0);
    if (frame % 20 == 0) REQUIRE(test::brute_intersections(simulation.positions(0), triangles) == 0);
  }
  CHECK(most > 300);
}

TEST_CASE("knives: the cloth hangs over the blades", "[slow]") {
  const Scene scene = load("knives");
  Simulation simulation(scene.model, scene.settings);
  std::size_t crossings = 0;
  for (int frame = 0; frame < 200; ++frame) {
    simulation.step();
    crossings += simulation.count_intersections();
  }
  CHECK(crossings == 0);
  double low = 1.0, high = 0.0;
  for (const Vec3d& x : simulation.positions(0)) {
    low = std::min(low, x.z);
    high = std::max(high, x.z);
  }
  CHECK(high > 0.403);  // the blades are 0.4 m high
  CHECK(low < 0.3);
  CHECK(low > 0.02);
}
