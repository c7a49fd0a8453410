// Energy error of frames as users run them, against Newton's method on the same frame.
#include <cmath>

#include <sinew/mesh_generation.hpp>
#include <sinew/simulation.hpp>

#include "engine/elastic/local_step.hpp"
#include "engine/precompute/body_precompute.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/reference/newton.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {

struct Errors {
  double worst = 0.0;  ///< of all frames
  double last = 0.0;   ///< of the last one
};

/// A bar of about `vertices` at rest, whose ends start at once to turn against each other by 1.57 rad/s each.
/// Error of a frame: (e - e*) / (e(q~) - e*), with the pinned nodes of q~ where they belong.
Errors twisting_bar(double vertices, MaterialKind kind, double young_modulus, int history, int frames) {
  BodySpec spec;
  spec.name = "bar";
  spec.mesh = generate_mesh("bar", {{"vertices", vertices}}).mesh;
  spec.material.kind = kind;
  spec.material.young_modulus = young_modulus;
  spec.material.poisson_ratio = 0.45;
  spec.material.rayleigh_beta = 0.0;
  double half = 0.0;
  for (const Vec3d& x : spec.mesh.nodes) half = std::max(half, x.x);
  const auto at_end = [half](const Vec3d& x) { return std::abs(x.x) > (1.0 - 1e-9) * half; };
  ModelBuilder builder;
  builder.gravity({}).add(spec);
  for (const double side : {-1.0, 1.0}) {
    PinSpec pin;
    pin.name = side < 0.0 ? "left" : "right";
    pin.body = "bar";
    Region::Nodes nodes;
    for (std::size_t i = 0; i < spec.mesh.nodes.size(); ++i)
      if (at_end(spec.mesh.nodes[i]) && side * spec.mesh.nodes[i].x > 0.0)
        nodes.indices.push_back(static_cast<Index>(i));
    pin.region.shape = nodes;
    pin.motion.spin = {side * 1.57, 0.0, 0.0};
    pin.origin = Vec3d{};
    builder.add(pin);
  }
  const Model model = builder.build();
  SimulationSettings settings;
  settings.history = history;
  settings.solver.cache = false;
  Simulation simulation(model, settings);
  const BodyData& data = model.data().bodies[0];
  std::vector<char> pinned;
  for (const Vec3d& x : data.rest_position) pinned.push_back(at_end(x));
  Errors errors;
  Executor executor(2);
  executor.run([&] {
    const auto body = precompute_body(data, pinned, settings.time_step, settings.solver, 0.0);
    const auto internal = [&](const std::vector<Vec3d>& user) {
      std::vector<Vec3d> result;
      for (const Index i : body->to_user) result.push_back(user[i]);
      return result;
    };
    for (int frame = 0; frame < frames; ++frame) {
      const std::vector<Vec3d> start = internal(simulation.positions(0));
      std::vector<Vec3d> predicted = internal(simulation.velocities(0));
      for (std::size_t i = 0; i < start.size(); ++i)
        predicted[i] = start[i] + settings.time_step * predicted[i];
      simulation.step();
      const std::vector<Vec3d> end = internal(simulation.positions(0));
      std::vector<Vec3d> first = predicted, gradient(end.size());
      for (std::size_t i = body->free_count; i < end.size(); ++i) first[i] = end[i];
      const ElasticInput input{settings.time_step, predicted.data(), start.data()};
      ElasticWorkspace workspace;
      begin_elastic_frame(*body, start.data(), workspace);
      const auto merit = [&](const std::vector<Vec3d>& x) {
        return evaluate_elastic(*body, input, x.data(), workspace, gradient.data()).merit;
      };
      const double least = reference::minimise(*body, input, end, {40, 1e-8, 0.0}).merit;
      errors.last = (merit(end) - least) / (merit(first) - least);
      errors.worst = std::max(errors.worst, errors.last);
    }
  });
  return errors;
}

}  // namespace

TEST_CASE("five iterations leave less than a hundredth of the energy, from the first frame on", "[slow]") {
  for (const double young_modulus : {1e6, 1e9}) {
    INFO("E " << young_modulus);
    const Errors errors = twisting_bar(5390, MaterialKind::arap, young_modulus, 10, 6);
    CHECK(errors.worst < 1e-2);
    CHECK(errors.last < 1e-4);
  }
}

TEST_CASE("pairs of earlier frames make the next frame exact", "[slow]") {
  for (const double young_modulus : {1e6, 1e9}) {
    INFO("E " << young_modulus);
    const Errors kept = twisting_bar(1300, MaterialKind::stable_neo_hookean, young_modulus, 10, 25);
    CHECK(kept.last < 1e-2);
    // Two pairs hold less than the five iterations of one frame.
    CHECK(twisting_bar(1300, MaterialKind::stable_neo_hookean, young_modulus, 2, 25).last > 10.0 * kept.last);
  }
}
