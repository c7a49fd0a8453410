// Scenes with mesh obstacles, start to end: nothing to warn of, nothing inside anything.
#include <sinew/sinew.hpp>

#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

struct Run {
  double penetration = 0.0;  // [1] of the body's diagonal
  double unmet = 0.0;        // [m] residual of contact solves that stopped at their limit
  std::size_t most_active = 0;
  std::size_t intersections = 0;  // over all frames
  double volume_ratio = 0.0;
  Vec3d low, high;  // [m] at the end
};

Run run(const std::string& name) {
  const Scene scene = load_scene(std::string(SINEW_SOURCE_DIR) + "/assets/scenes/" + name + ".json");
  for (const std::string& warning : scene.warnings) {
    INFO(warning);
    CHECK(false);
  }
  Simulation simulation(scene.model, scene.settings);
  const std::vector<Vec3d> start = simulation.positions(0);
  Run result;
  const auto box = [&](const std::vector<Vec3d>& x) {
    result.low = result.high = x[0];
    for (const Vec3d& p : x) {
      result.low = component_min(result.low, p);
      result.high = component_max(result.high, p);
    }
  };
  box(start);
  const double diagonal = norm(result.high - result.low);
  for (long n = 0; n < scene.output.frames; ++n) {
    const StepStatistics& statistics = simulation.step();
    result.penetration = std::max(result.penetration, statistics.max_penetration_m / diagonal);
    result.most_active = std::max(result.most_active, statistics.active_contacts);
    if (!statistics.contact_converged)
      result.unmet = std::max(result.unmet, statistics.complementarity_residual_m);
    result.intersections += simulation.count_intersections();
  }
  result.volume_ratio = simulation.volume(0) / scene.model.body_rest_volume(0);
  box(simulation.positions(0));
  INFO("penetration " << result.penetration << " contacts " << result.most_active << " intersections "
                      << result.intersections << " volume " << result.volume_ratio << " box " << result.low.x
                      << " " << result.low.y << " " << result.low.z << " to " << result.high.x << " "
                      << result.high.y << " " << result.high.z);
  CHECK(result.penetration < 1e-3);
  CHECK(result.most_active > 5);
  CHECK(result.intersections == 0);
  CHECK(result.unmet < RunReport::kNoticeableResidual);  // what sinew run warns of
  return result;
}

}  // namespace

TEST_CASE("newt: pulled between two posts, behind them it has its shape back", "[slow]") {
  const Run r = run("newt");
  CHECK(r.low.x > 0.46);  // behind the posts
  CHECK(r.volume_ratio == Approx(1.0).epsilon(0.01));
  CHECK(r.high.y - r.low.y == Approx(0.257).epsilon(0.02));  // from foot to foot
}

TEST_CASE("gingerbread: pulled through rocks and balls", "[slow]") {
  const Run r = run("gingerbread");
  CHECK(r.low.y > 1.05);
  CHECK(r.volume_ratio == Approx(1.0).epsilon(0.01));
  CHECK(r.high.x - r.low.x == Approx(0.238).epsilon(0.02));  // from hand to hand
}

TEST_CASE("sharp corner: the cloth stays above the cube", "[slow]") {
  const Run r = run("sharp_corner");
  CHECK(r.high.z > 0.4330);  // the corner is at 0.4330127 m
  CHECK(r.high.z < 0.45);
  CHECK(r.low.z < 0.3);
}

TEST_CASE("gripper: fingers with cables lift a creature and turn it", "[slow]") {
  const Run r = run("gripper");
  CHECK(r.low.z > 0.15);  // lifted by 0.2 m, and still held
  CHECK(r.volume_ratio == Approx(1.0).epsilon(0.01));
}
