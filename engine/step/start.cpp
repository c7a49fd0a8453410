// Where the iteration of a frame starts, and the first evaluation there.
#include <cmath>
#include <limits>

#include <sinew/errors.hpp>

#include "engine/elastic/unfold.hpp"
#include "engine/step/stepper.hpp"

namespace sinew {

namespace {
constexpr double kViolent = 1e-3;  // of the stiffness: elastic energy density of strains near one
}  // namespace

ElasticInput Stepper::elastic_input(std::size_t b) const {
  return {h(), bodies_[b].predicted.data(), state_.bodies[b].position.data()};
}

// 4. at the first point
void Stepper::first_local(std::size_t b) {
  BodyFrame& f = bodies_[b];
  begin_elastic_frame(*f.precomputed, state_.bodies[b].position.data(), f.elastic);
  evaluate_here(b);
  check_finite(b, f.position.data(), f.energy.merit, "first local step");
  if (island_of(b).contacts.empty()) start_with_correction(b);
  // Only strains of order one can hide collapsed elements, or make the place of the last frame a better start
  // than q~: where speeds would turn elements inside out, energies grow without bound.
  const double stiffness = f.precomputed->element_weight * input_.model->bodies[b].rest_volume;
  if (!(f.energy.elastic > kViolent * stiffness)) return;
  if (push_collapsed_apart(b)) {
    evaluate_here(b);
    check_finite(b, f.position.data(), f.energy.merit, "first local step");
  }
  start_at_rest_if_better(b);
}

/// Forces inside change little from frame to frame: q~ plus what they added to it in the last frame is where
/// a body at rest, or in smooth motion, will be. Taken where its merit is lower. Not with contacts, which
/// would carry their rounding on (rest of 1e-9 m), and gain nothing by it.
void Stepper::start_with_correction(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const std::vector<Vec3d>& correction = state_.bodies[b].correction;
  if (correction.empty()) return;
  move_to(f, correction, 1.0);
  start_at_trial_if_lower(b);
}

void Stepper::start_at_rest_if_better(std::size_t b) {
  BodyFrame& f = bodies_[b];
  f.trial = f.position;
  for (Index i = 0; i < f.precomputed->free_count; ++i) f.trial[i] = state_.bodies[b].position[i];
  start_at_trial_if_lower(b);
}

void Stepper::start_at_trial_if_lower(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const ElasticEnergy energy =
      evaluate_elastic(*f.precomputed, elastic_input(b), f.trial.data(), f.elastic, f.trial_gradient.data());
  double work = 0.0;  // of the handles, with the forces of the last frame
  if (island_of(b).contacts.empty() && touched(b))
    for (std::size_t i = 0; i < f.contact_nodal.size(); ++i)
      work += (h() * h()) * dot(f.contact_nodal[i], f.trial[i] - f.position[i]);
  if (!(energy.merit - work < f.energy.merit)) return;
  std::swap(f.position, f.trial);
  std::swap(f.gradient, f.trial_gradient);
  f.energy = energy;
}

void Stepper::begin_duals(std::size_t b) {
  BodyFrame& f = bodies_[b];
  if (!f.admm) return;
  begin_admm(*f.precomputed, f.position.data(), f.duals);
  f.admm_correction.assign(f.position.size(), Vec3d{});  // p = F
  f.best_position = f.position;
  f.best_merit = f.energy.merit;
  f.best_residual = std::numeric_limits<double>::infinity();
  f.stalled = 0;
}

void Stepper::evaluate_here(std::size_t b) {
  BodyFrame& f = bodies_[b];
  f.energy =
      evaluate_elastic(*f.precomputed, elastic_input(b), f.position.data(), f.elastic, f.gradient.data());
}

/// Elements that start as a line or a point have no force in most materials: q~ gets one projective step for
/// them, without momentum.
bool Stepper::push_collapsed_apart(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const BodyPrecomputed& p = *f.precomputed;
  std::vector<Vec3d> push(f.position.size());
  if (!p.solver || !unfolding_forces(p, state_.bodies[b].position.data(), push.data())) return false;
  for (Vec3d& x : push) x *= h() * h();
  solve_alone(f, push);
  for (Index i = 0; i < p.free_count; ++i) {
    f.predicted[i] += push[i];
    f.position[i] += push[i];
  }
  return true;
}

void Stepper::check_finite(std::size_t b, const Vec3d* position, double value, const char* stage) const {
  if (std::isfinite(value)) return;
  const std::string& name = input_.model->bodies[b].spec.name;
  const Index element = find_bad_element(*bodies_[b].precomputed, position);
  throw NumericalError("frame " + std::to_string(state_.frame + 1) + ", body '" + name + "', element " +
                           std::to_string(element) + ": not a finite number after the " + stage +
                           "; reduce the time step, or the forces and speeds in the scene",
                       static_cast<long>(state_.frame), name, element);
}

void Stepper::move_to(BodyFrame& f, const std::vector<Vec3d>& direction, double length) const {
  f.bend = 0.0;
  if (f.metric->fixed() == 3) return move_along_arc(f, direction, length);
  f.trial = f.position;
  for_each(direction.size(), kNodeGrain, [&](std::size_t i) { f.trial[i] += length * direction[i]; });
}

}  // namespace sinew
