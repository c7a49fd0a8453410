// Scenes of assets/ whole on a device against the host: same places to a stated distance, same verdicts on
// what sticks and what slips.
#include <cmath>

#include <sinew/scene.hpp>

#include "tests/support/devices.hpp"
#include "tests/support/test_data.hpp"

using namespace sinew;

namespace {

struct Compared {
  const char* scene;
  int frames;
  bool touches;  ///< contacts with forces at the end
};

// Until contacts press, stick and slip; of the knives, which multiply rounding most, the frame after the
// first touch.
const Compared kScenes[] = {{"slope", 40, true},
                            {"rollers", 40, true},
                            {"knives", 11, true},
                            {"twist", 12, false},
                            {"gripper", 40, true}};

struct Outcome {
  std::vector<Vec3d> position;
  double normal = 0.0, stuck = 0.0;  ///< [N] of all contacts, and of those that stick
  double sticking() const { return normal > 0.0 ? stuck / normal : 0.0; }
};

Outcome run(const Compared& compared, Backend backend, int stages = 0) {
  Scene scene = load_scene(test::test_scenes() + "/" + compared.scene + ".json");
  scene.settings.backend = backend;
  scene.settings.solver.stages = stages;
  scene.settings.solver.cache = false;
  Simulation simulation(scene.model, scene.settings);
  for (int k = 0; k < compared.frames; ++k) simulation.step();
  Outcome outcome;
  for (std::size_t b = 0; b < scene.model.body_count(); ++b)
    for (const Vec3d& x : simulation.positions(b)) outcome.position.push_back(x);
  for (const ContactForce& c : simulation.contact_forces()) {
    outcome.normal += c.normal_force;
    if (c.state == ContactState::stick) outcome.stuck += c.normal_force;
  }
  return outcome;
}

double farthest(const Outcome& a, const Outcome& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i)
    most = test::worse(most, norm(a.position[i] - b.position[i]));
  return most;
}

/// Frames that are not solved to the end, and Newton's choices on contacts, multiply the last digits from
/// frame to frame (sharp knives by 1e10 within eight frames). The host shows by how much: its global step in
/// two stages has other last digits than with the number it takes by itself.
void check_scenes(Backend backend) {
  for (const Compared& compared : kScenes) {
    INFO(compared.scene);
    const Outcome expected = run(compared, Backend::cpu), got = run(compared, backend);
    const Outcome otherwise = run(compared, Backend::cpu, 2);
    CHECK(farthest(got, expected) < 1e-9 + 10.0 * farthest(otherwise, expected));
    CHECK((expected.normal > 0.0) == compared.touches);
    const double own = std::abs(otherwise.sticking() - expected.sticking());
    CHECK(std::abs(got.sticking() - expected.sticking()) <= 1e-6 + 10.0 * own);
    CHECK(std::abs(got.sticking() - expected.sticking()) < 0.05);
  }
}

}  // namespace

TEST_CASE("emulated: scenes end as on the host, and stick or slip alike", "[scene]") {
  check_scenes(Backend::emulated);
}

TEST_CASE("cuda: scenes end as on the host, and stick or slip alike", "[gpu]") {
  test::on_cuda([](Device&) { check_scenes(Backend::cuda); });
}
