#include "benchmarks/frame_error.hpp"

#include <cmath>

#include <sinew/errors.hpp>
#include <sinew/mesh_generation.hpp>

#include "engine/elastic/local_step.hpp"
#include "tests/reference/newton.hpp"

namespace sinew::bench {

Model twisting_bar(Index vertices, const Material& material, double speed) {
  BodySpec spec;
  spec.name = "bar";
  spec.mesh = generate_mesh("bar", {{"vertices", static_cast<double>(vertices)}}).mesh;
  spec.material = material;
  double half = 0.0;
  for (const Vec3d& x : spec.mesh.nodes) half = std::max(half, x.x);
  ModelBuilder builder;
  builder.gravity({}).add(spec);
  for (const double side : {-1.0, 1.0}) {
    PinSpec pin;
    pin.name = side < 0.0 ? "left" : "right";
    pin.body = "bar";
    Region::Nodes nodes;
    for (std::size_t i = 0; i < spec.mesh.nodes.size(); ++i)
      if (side * spec.mesh.nodes[i].x > (1.0 - 1e-9) * half) nodes.indices.push_back(static_cast<Index>(i));
    pin.region.shape = nodes;
    pin.motion.spin = {side * speed, 0.0, 0.0};
    pin.origin = Vec3d{};
    builder.add(pin);
  }
  return builder.build();
}

FrameError::FrameError(const Model& model, double time_step)
    : time_step_(time_step), gravity_(model.data().gravity) {
  const ModelData& data = model.data();
  std::vector<char> pinned(data.bodies[0].rest_position.size(), 0);
  for (const PinData& pin : data.pins)
    for (const Index node : pin.nodes) pinned[node] = 1;
  SolverSettings settings;
  settings.cache = false;
  body_ = precompute_body(data.bodies[0], pinned, time_step, settings, 0.0);
}

std::vector<Vec3d> FrameError::internal(const std::vector<Vec3d>& user) const {
  std::vector<Vec3d> result;
  result.reserve(user.size());
  for (const Index i : body_->to_user) result.push_back(user[i]);
  return result;
}

double FrameError::merit(const std::vector<Vec3d>& internal) const {
  ElasticWorkspace workspace;
  begin_elastic_frame(*body_, start_.data(), workspace);
  std::vector<Vec3d> gradient(internal.size());
  return evaluate_elastic(*body_, {time_step_, predicted_.data(), start_.data()}, internal.data(), workspace,
                          gradient.data())
      .merit;
}

std::vector<Vec3d> FrameError::begin_frame(const std::vector<Vec3d>& start,
                                           const std::vector<Vec3d>& velocity,
                                           const std::vector<Vec3d>& solution) {
  start_ = predicted_ = internal(start);
  const std::vector<Vec3d> v = internal(velocity), end = internal(solution);
  for (std::size_t i = 0; i < v.size(); ++i) predicted_[i] += time_step_ * (v[i] + time_step_ * gravity_);
  std::vector<Vec3d> first = predicted_;
  // Pinned nodes of q~ stand where the frame before would take them; they are no unknowns.
  for (std::size_t i = body_->free_count; i < first.size(); ++i) first[i] = end[i];
  first_ = merit(first);
  return end;
}

void FrameError::require_descent() const {
  if (!(least_ < first_))
    throw NumericalError("the reference solution of a frame is not below its start", 0, "body 0", -1);
}

void FrameError::set_frame(const std::vector<Vec3d>& start, const std::vector<Vec3d>& velocity,
                           const std::vector<Vec3d>& good) {
  const std::vector<Vec3d> end = begin_frame(start, velocity, good);
  least_ =
      reference::minimise(*body_, {time_step_, predicted_.data(), start_.data()}, end, {12, 1e-8, 0.0}).merit;
  require_descent();
}

void FrameError::set_solved_frame(const std::vector<Vec3d>& start, const std::vector<Vec3d>& velocity,
                                  const std::vector<Vec3d>& solution) {
  least_ = merit(begin_frame(start, velocity, solution));
  require_descent();
}

double FrameError::error(const std::vector<Vec3d>& end) const {
  return (merit(internal(end)) - least_) / (first_ - least_);
}

}  // namespace sinew::bench
