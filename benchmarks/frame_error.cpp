#include "benchmarks/frame_error.hpp"

#include <cmath>

#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>

#include "engine/elastic/local_step.hpp"
#include "tests/reference/newton.hpp"

namespace sinew::bench {

namespace {
constexpr double kTimeStep = 0.01;
}

FrameError::FrameError(Index vertices, const Material& material, double angle) {
  BodySpec spec;
  spec.name = "bar";
  spec.mesh = generate_mesh("bar", {{"vertices", static_cast<double>(vertices)}}).mesh;
  spec.material = material;
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
    pin.motion.spin = {side * 0.5 * angle / kTimeStep, 0.0, 0.0};
    pin.origin = Vec3d{};
    builder.add(pin);
  }
  model_ = builder.build();
  const BodyData& data = model_.data().bodies[0];
  std::vector<char> pinned;
  for (const Vec3d& x : data.rest_position) pinned.push_back(at_end(x));
  body_ = precompute_body(data, pinned, kTimeStep, SolverSettings{}, 0.0);
  for (const Index user : body_->to_user) start_.push_back(data.rest_position[user]);
}

double FrameError::merit(const std::vector<Vec3d>& internal) const {
  ElasticWorkspace workspace;
  begin_elastic_frame(*body_, start_.data(), workspace);
  std::vector<Vec3d> gradient(internal.size());
  return evaluate_elastic(*body_, {kTimeStep, start_.data(), start_.data()}, internal.data(), workspace,
                          gradient.data())
      .merit;
}

double FrameError::error(const std::vector<Vec3d>& positions) {
  std::vector<Vec3d> internal;
  for (const Index user : body_->to_user) internal.push_back(positions[user]);
  if (!solved_) {
    std::vector<Vec3d> first = start_;
    for (std::size_t i = body_->free_count; i < first.size(); ++i) first[i] = internal[i];
    first_ = merit(first);
    const reference::NewtonResult exact =
        reference::minimise(*body_, {kTimeStep, start_.data(), start_.data()}, internal, {60, 1e-10, 0.0});
    if (!(exact.merit < first_))
      throw NumericalError("reference solution of the bar is not below the start", 0, "bar", -1);
    least_ = exact.merit;
    solved_ = true;
  }
  return (merit(internal) - least_) / (first_ - least_);
}

}  // namespace sinew::bench
