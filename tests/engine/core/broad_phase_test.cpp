// Frames whose pairs are found on a device end where those do whose pairs are found on the host: to the bit.
#include <sinew/simulation.hpp>

#include <algorithm>

#include "tests/support/devices.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;

namespace {

/// A tilted sheet falls over a wire onto the floor and meets itself; two blocks fall on it.
Model heap() {
  ModelBuilder builder;
  BodySpec sheet = test::sheet_body("sheet", test::sheet(10, 10, 0.028), MaterialKind::neo_hookean);
  sheet.material.young_modulus = 2e4;
  sheet.sheet->thickness = 2e-3;
  sheet.transform.rotation = rotation_from_vector(Vec3d{0.0, 1.2, 0.0});
  sheet.transform.translation = {-0.03, -0.14, 0.33};
  builder.add(sheet);
  BodySpec block;
  block.mesh = test::block(2, 2, 2, 0.02);
  block.material.kind = MaterialKind::stable_neo_hookean;
  block.material.young_modulus = 1e5;
  for (const double z : {0.4, 0.443}) {
    block.name = "block at " + std::to_string(z);
    block.transform.translation = {-0.02, -0.02, z};
    block.velocity = {0, 0, -2.0};
    builder.add(block);
  }
  builder.add(ObstacleSpec{"floor", HalfSpaceShape{}, {}, {}, 0.4, {}});
  MeshShape wire;
  wire.mesh.points = {{-0.2, 0.0, 0.04}, {0.2, 0.01, 0.04}};
  wire.edges = {{0, 1}};
  wire.thickness = 2e-3;
  builder.add(ObstacleSpec{"wire", wire, {}, {}, 0.4, {}});
  return builder.build();
}

struct Outcome {
  std::vector<Vec3d> position;
  std::size_t self = 0, bodies = 0, obstacles = 0;  ///< contacts that press, summed over frames
};

Outcome run(Backend backend, BroadPhase phase, int frames) {
  SimulationSettings settings;
  settings.backend = backend;
  settings.contact.broad_phase = phase;
  settings.solver.cache = false;
  Simulation simulation(heap(), settings);
  CHECK(simulation.warnings().empty());
  Outcome outcome;
  for (int k = 0; k < frames; ++k) {
    simulation.step();
    for (const ContactForce& c : simulation.contact_forces()) {
      outcome.self += c.body == c.other_body;
      outcome.bodies += c.other_body >= 0 && c.body != c.other_body;
      outcome.obstacles += c.obstacle == 1;
    }
  }
  for (std::size_t b = 0; b < 3; ++b)
    for (const Vec3d& x : simulation.positions(b)) outcome.position.push_back(x);
  return outcome;
}

void check_frames(Backend backend, int frames) {
  const Outcome host = run(backend, BroadPhase::host, frames),
                device = run(backend, BroadPhase::device, frames);
  CHECK(test::same_bits(host.position, device.position));
  CHECK(host.self > 20);
  CHECK(host.bodies > 20);
  CHECK(host.obstacles > 20);
}

}  // namespace

TEST_CASE("emulated: frames with pairs from the device have the bits of those with pairs from the host",
          "[scene]") {
  check_frames(Backend::emulated, 16);
}

TEST_CASE("cuda: frames with pairs from the device have the bits of those with pairs from the host",
          "[gpu]") {
  test::on_cuda([](Device&) { check_frames(Backend::cuda, 40); });
}

TEST_CASE("a broad phase on a device without one is the host's, and says so") {
  SimulationSettings settings;
  settings.contact.broad_phase = BroadPhase::device;
  settings.solver.cache = false;
  const Simulation simulation(heap(), settings);
  REQUIRE(simulation.warnings().size() == 1);
  CHECK(simulation.warnings()[0].find("needs --backend cuda") != std::string::npos);
}
