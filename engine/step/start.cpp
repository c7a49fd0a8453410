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

void Stepper::begin_elastic(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const Mirrored<Vec3d>& start = state_.bodies[b].position;
  if (on_device(f))
    f.device->elastic().begin_frame(f.device->queue(), start.device());
  else
    begin_elastic_frame(*f.precomputed, start.host().data(), f.elastic);
}

ElasticEnergy Stepper::evaluate(std::size_t b, const Mirrored<Vec3d>& position, Mirrored<Vec3d>& gradient) {
  BodyFrame& f = bodies_[b];
  const Mirrored<Vec3d>& start = state_.bodies[b].position;
  const std::size_t n = static_cast<std::size_t>(f.precomputed->node_count);
  if (!on_device(f))
    return evaluate_elastic(*f.precomputed, {h(), f.predicted.host().data(), start.host().data()},
                            position.host().data(), f.elastic, gradient.host_new(n).data());
  start_evaluation(b, position, gradient);
  f.device->queue().synchronize();
  return f.device->elastic().energy(h());
}

/// On the device; the energy can be read when its queue has been waited for.
void Stepper::start_evaluation(std::size_t b, const Mirrored<Vec3d>& position, Mirrored<Vec3d>& gradient) {
  BodyFrame& f = bodies_[b];
  const std::size_t n = static_cast<std::size_t>(f.precomputed->node_count);
  const QueueStage stage(f.device->queue(), "local step");
  f.device->elastic().evaluate(f.device->queue(), h(), f.predicted.device(),
                               state_.bodies[b].position.device(), position.device(), gradient.device_new(n));
  f.device->elastic().energy_down(f.device->queue());
}

// 4. at the first point
void Stepper::first_local(std::size_t b) {
  BodyFrame& f = bodies_[b];
  begin_elastic(b);
  if (!start_with_correction(b)) {
    evaluate_here(b);
    check_finite(b, f.position, f.energy.merit, "first local step");
    if (f.corrected) start_at_trial_if_lower(b, *f.corrected);
  }
  // Only strains of order one can hide collapsed elements, or make the place of the last frame a better start
  // than q~: where speeds would turn elements inside out, energies grow without bound.
  const double stiffness = f.precomputed->element_weight * input_.model->bodies[b].rest_volume;
  if (!(f.energy.elastic > kViolent * stiffness)) return;
  if (push_collapsed_apart(b)) {
    evaluate_here(b);
    check_finite(b, f.position, f.energy.merit, "first local step");
  }
  start_at_rest_if_better(b);
}

/// Forces inside change little from frame to frame: q~ plus what they added to it in the last frame is where
/// a body at rest, or in smooth motion, will be: the trial. Not with contacts, which would carry their rounding
/// on (rest of 1e-9 m), and gain nothing by it. True where it was taken without looking at q~; otherwise it
/// waits with its energy, to be taken where its merit is lower.
bool Stepper::start_with_correction(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const Mirrored<Vec3d>& correction = state_.bodies[b].correction;
  f.corrected.reset();
  if (!island_of(b).contacts.empty() || correction.empty()) return false;
  move_to(f, correction, 1.0);
  f.corrected = evaluate(b, f.trial, f.trial_gradient);
  if (f.device || !std::isfinite(f.corrected->merit)) return false;
  if (!(least_rise(b, f.trial, f.trial_gradient, f.position) >= 0.0)) return false;
  start_at_trial(f, *f.corrected);
  return true;
}

void Stepper::start_at_rest_if_better(std::size_t b) {
  BodyFrame& f = bodies_[b];
  f.trial = f.position;
  std::copy_n(state_.bodies[b].position.host().begin(), f.precomputed->free_count, f.trial.edit().begin());
  if (!f.device && least_rise(b, f.position, f.gradient, f.trial) >= 0.0) return;
  start_at_trial_if_lower(b, evaluate(b, f.trial, f.trial_gradient));
}

/// Least rise of the merit from `from`, with its gradient, to `to`, as far as elastic energies are convex between
/// them: their tangent, and inertia. With handles less the work of the forces of the last frame.
double Stepper::least_rise(std::size_t b, const Mirrored<Vec3d>& from, const Mirrored<Vec3d>& gradient,
                           const Mirrored<Vec3d>& to) {
  BodyFrame& f = bodies_[b];
  const BodyPrecomputed& p = *f.precomputed;
  const double half_damped = 0.5 * (1.0 + h() * p.alpha), h2 = handle_work_counts(b) ? h() * h() : 0.0;
  const std::vector<Vec3d>&x = from.host(), &g = gradient.host(), &y = to.host();
  const std::vector<Vec3d>& contact = f.contact_nodal.host();
  return ordered_sum<double>(static_cast<std::size_t>(p.free_count), f.sums, [&](std::size_t i) {
    const Vec3d way = y[i] - x[i];
    return dot(g[i] - h2 * contact[i] + (half_damped * p.mass[i]) * way, way);
  });
}

/// Forces of handles are those of the last frame until contacts have been solved.
bool Stepper::handle_work_counts(std::size_t b) {
  return island_of(b).contacts.empty() && touched(b);
}

void Stepper::start_at_trial_if_lower(std::size_t b, const ElasticEnergy& energy) {
  BodyFrame& f = bodies_[b];
  double work = 0.0;
  if (handle_work_counts(b)) {
    const std::vector<Vec3d>&contact = f.contact_nodal.host(), &trial = f.trial.host();
    const std::vector<Vec3d>& position = f.position.host();
    for (std::size_t i = 0; i < contact.size(); ++i)
      work += (h() * h()) * dot(contact[i], trial[i] - position[i]);
  }
  if (energy.merit - work < f.energy.merit) start_at_trial(f, energy);
}

void Stepper::start_at_trial(BodyFrame& f, const ElasticEnergy& energy) const {
  std::swap(f.position, f.trial);
  std::swap(f.gradient, f.trial_gradient);
  f.energy = energy;
}

void Stepper::begin_duals(std::size_t b) {
  BodyFrame& f = bodies_[b];
  if (!f.admm) return;
  begin_admm(*f.precomputed, f.position.host().data(), f.duals);
  f.admm_correction.assign(f.position.size(), Vec3d{});  // p = F
  f.best_position = f.position.host();
  f.best_merit = f.energy.merit;
  f.best_residual = std::numeric_limits<double>::infinity();
  f.stalled = 0;
}

void Stepper::evaluate_here(std::size_t b) {
  BodyFrame& f = bodies_[b];
  f.energy = evaluate(b, f.position, f.gradient);
}

/// Elements that start as a line or a point have no force in most materials: q~ gets one projective step for
/// them, without momentum.
bool Stepper::push_collapsed_apart(std::size_t b) {
  BodyFrame& f = bodies_[b];
  const BodyPrecomputed& p = *f.precomputed;
  std::vector<Vec3d> push(f.position.size());
  if (!p.solver || !unfolding_forces(p, state_.bodies[b].position.host().data(), push.data())) return false;
  for (Vec3d& x : push) x *= h() * h();
  solve_alone(f, push);
  std::vector<Vec3d>&predicted = f.predicted.edit(), &position = f.position.edit();
  for (Index i = 0; i < p.free_count; ++i) {
    predicted[i] += push[i];
    position[i] += push[i];
  }
  return true;
}

void Stepper::check_finite(std::size_t b, const Mirrored<Vec3d>& position, double value,
                           const char* stage) const {
  if (std::isfinite(value)) return;
  const std::string& name = input_.model->bodies[b].spec.name;
  const Index element = find_bad_element(*bodies_[b].precomputed, position.host().data());
  throw NumericalError("frame " + std::to_string(state_.frame + 1) + ", body '" + name + "', element " +
                           std::to_string(element) + ": not a finite number after the " + stage +
                           "; reduce the time step, or the forces and speeds in the scene",
                       static_cast<long>(state_.frame), name, element);
}

void Stepper::move_to(BodyFrame& f, const Mirrored<Vec3d>& direction, double length) const {
  f.bend = 0.0;
  if (f.metric->fixed() == 3) return move_along_arc(f, direction, length);
  if (f.device) {
    f.device->queue().move(f.trial.device_new(f.position.size()), f.position.device(), direction.device(),
                           length);
    return;
  }
  f.trial = f.position;
  std::vector<Vec3d>& trial = f.trial.edit();
  const std::vector<Vec3d>& d = direction.host();
  for_each(d.size(), kNodeGrain, [&](std::size_t i) { trial[i] += length * d[i]; });
}

}  // namespace sinew
