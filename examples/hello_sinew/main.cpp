// A soft block settles on a floor: build a model in code, step it, read forces, save and restore.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include <sinew/sinew.hpp>

int main() try {
  sinew::BodySpec block;
  block.name = "block";
  block.mesh =
      sinew::generate_mesh("block", {{"size_x", 0.2}, {"size_y", 0.2}, {"size_z", 0.2}, {"cell", 0.04}}).mesh;
  block.material = {.young_modulus = 1e5, .poisson_ratio = 0.4};  // [Pa], [1]
  block.density = 1000.0;                                         // [kg/m^3]
  double lowest = block.mesh.nodes[0].z;
  for (const sinew::Vec3d& node : block.mesh.nodes) lowest = std::min(lowest, node.z);
  block.transform.translation = {0.0, 0.0, 0.001 - lowest};  // [m], a millimetre above the floor

  sinew::ObstacleSpec floor;
  floor.name = "floor";
  floor.shape = sinew::HalfSpaceShape{};

  const sinew::Model model = sinew::ModelBuilder().add(block).add(floor).build();
  sinew::SimulationSettings settings;
  settings.time_step = 0.01;  // [s]
  sinew::Simulation simulation(model, settings);
  for (int frame = 0; frame < 100; ++frame) simulation.step();

  // Where it is.
  double height = 0.0;
  for (const sinew::Vec3d& node : simulation.positions(0)) height = std::max(height, node.z);
  std::printf("t = %.2f s: top of the block at %.4f m\n", simulation.time(), height);

  // What it presses with: the normal forces of all contact points against its weight.
  double pressed = 0.0;
  for (const sinew::ContactForce& contact : simulation.contact_forces()) pressed += contact.normal_force;
  const double weight = model.body_mass(0) * 9.81;
  std::printf("weight %.4f N, contact force %.4f N\n", weight, pressed);

  // How the last frame went.
  const sinew::StepStatistics& statistics = simulation.statistics();
  std::printf("%zu contacts, %d iterations, deepest penetration %.1e m, frame %.2f ms\n", statistics.contacts,
              statistics.iterations, statistics.max_penetration_m, statistics.ms.frame);

  // Save, go on, restore, go on again: the same bits.
  const sinew::Snapshot snapshot = simulation.save();
  for (int frame = 0; frame < 10; ++frame) simulation.step();
  const auto hash = simulation.state_hash();
  simulation.restore(snapshot);
  for (int frame = 0; frame < 10; ++frame) simulation.step();
  const bool same = simulation.state_hash() == hash;
  std::printf("after restoring: %s\n", same ? "same bits" : "DIFFERENT BITS");

  return same && std::abs(pressed - weight) < 0.01 * weight ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "hello_sinew: %s\n", error.what());
  return 1;
}
