// Line search on e(q) - h^2 lambda . H q with the new lambda, one length for all bodies of an island: forces
// between them belong to the step of both.
#include <cmath>

#include "engine/step/stepper.hpp"

namespace sinew {

namespace {
constexpr int kFirstHalvings = 6;    // of the step; then it shrinks by tenths:
constexpr int kMaxShortenings = 40;  // far from rest energies grow like the sixth power of the strain
constexpr double kWellScaled = 1.5;  // steps that miss the minimum of the line by no more are kept
constexpr double kLongest = 10.0;    // times the step, at most
constexpr int kAdmmPatience = 15;    // iterations without a tenth off the residual
constexpr double kAdmmRise = 10.0;   // of the merit, in one step, where there are contacts
constexpr double kAdmmFar = 2.0;     // sizes from the prediction, likewise
constexpr double kArmijo = 1e-4;
}  // namespace

void Stepper::line_search(Island& island) {
  if (bodies_[island.bodies.front()].admm) {
    admm_step(island);
    return;
  }
  if (search_along(island)) return;
  bool had_pairs = false;
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    if (f.metric->pairs() == 0) continue;
    had_pairs = true;  // rounding spoilt the metric: the plain step is always downhill
    f.metric->clear();
    combine(f, f.direction, -1.0, f.inverse_before);
  }
  if (had_pairs && search_along(island)) return;
  // No decrease that arithmetic can see: the forces of the step that was not taken go as well.
  for (const std::size_t b : island.bodies) bodies_[b].active = false;
  island.exact = false;
  if (island.rows.size() == 0) return;
  restore_forces(island);
  gather_forces(island);
}

void Stepper::admm_step(Island& island) {
  double before = 0.0, after = 0.0;
  bool far = false;
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    before += std::abs(f.energy.merit);
    after -= (h() * h()) *
             block_dot(f.contact_nodal.host().data(), f.direction.host().data(), f.direction.size(), f.sums);
    take_admm_step(b);
    after += f.energy.merit;
    const double limit = kAdmmFar * input_.model->bodies[b].diagonal;
    const std::vector<Vec3d>&position = f.position.host(), &predicted = f.predicted.host();
    for (std::size_t i = 0; i < position.size(); ++i)
      far = far || !(squared_norm(position[i] - predicted[i]) <= limit * limit);
  }
  // With contacts its way uphill has no end: forces follow it.
  const bool wild = island.rows.size() > 0 && (far || !(after <= kAdmmRise * before));
  bool all = !wild;
  for (const std::size_t b : island.bodies) all = all && bodies_[b].admm;
  if (all) return;
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    if (f.admm) leave_admm(b);
    if (!wild) continue;
    f.position = f.trial;  // where it came from
    evaluate_here(b);
  }
  if (!wild) return;
  island.exact = false;
  restore_forces(island);
  gather_forces(island);
}

/// ADMM goes the whole way, uphill too. It is watched by the true residual: where that stalls, or numbers are
/// none any more, quasi-Newton goes on from the best iterate.
void Stepper::take_admm_step(std::size_t b) {
  BodyFrame& f = bodies_[b];
  move_to(f, f.direction, 1.0);
  std::swap(f.position, f.trial);
  evaluate_here(b);
  if (std::isfinite(f.energy.merit) && f.energy.merit < f.best_merit) {
    f.best_merit = f.energy.merit;
    f.best_position = f.position.host();
  }
  f.stalled = f.residual < 0.9 * f.best_residual ? 0 : f.stalled + 1;
  f.best_residual = std::min(f.best_residual, f.residual);
  if (f.stalled > kAdmmPatience || !std::isfinite(f.energy.merit)) {
    leave_admm(b);
    return;
  }
  sweep_admm(*f.precomputed, h(), f.position.host().data(), f.duals, f.admm_correction.data());
}

void Stepper::leave_admm(std::size_t b) {
  BodyFrame& f = bodies_[b];
  f.admm = false;
  f.metric->begin_frame(static_cast<std::size_t>(settings_.history), f.direction.size(), kLeastPrecision,
                        f.device ? &f.device->queue() : nullptr);
  if (touched(b) && std::isfinite(f.energy.merit)) return;  // forces belong to the last iterate
  f.position.edit() = f.best_position;
  evaluate_here(b);
}

Stepper::Slope Stepper::slope_at(std::size_t b, const Mirrored<Vec3d>& gradient_of) {
  BodyFrame& f = bodies_[b];
  const double h2 = h() * h();
  if (f.device) {
    start_slope(f, gradient_of, 0);
    f.device->read_sums();
    return read_slope(f, 0);
  }
  const std::vector<Vec3d>&gradient = gradient_of.host(), &contact = f.contact_nodal.host(),
        &direction = f.direction.host();
  std::vector<Slope> scratch;
  return ordered_sum<Slope>(direction.size(), scratch, [&](std::size_t i) {
    // The difference first: near equilibrium both parts are much larger than it.
    return Slope{dot(gradient[i] - h2 * contact[i], direction[i]), h2 * dot(contact[i], direction[i])};
  });
}

void Stepper::start_slope(BodyFrame& f, const Mirrored<Vec3d>& gradient, int slot) const {
  f.device->queue().slopes(gradient.device(), f.contact_nodal.device(), f.direction.device(),
                           f.device->sums(slot), f.device->scratch());
}

Stepper::Slope Stepper::read_slope(const BodyFrame& f, int slot) const {
  const double contact = (h() * h()) * f.device->sum(slot, SlopeSums::contact);
  return {f.device->sum(slot, SlopeSums::gradient) - contact, contact};
}

/// A point of the line: trial, its gradient, energy, and slope and residual there where that costs no wait.
void Stepper::try_length(std::size_t b, double length, Trial& trial) {
  BodyFrame& f = bodies_[b];
  move_to(f, f.direction, length);
  trial.end_slope.reset();
  trial.residual.reset();
  if (!on_device(f)) {
    trial.energy = evaluate(b, f.trial, f.trial_gradient);
    return;
  }
  start_evaluation(b, f.trial, f.trial_gradient);
  start_slope(f, f.trial_gradient, 1);
  start_residual(f, f.trial, f.trial_gradient, f.trial_residual, 2);
  f.device->read_sums();
  trial.energy = f.device->elastic().energy(h());
  trial.end_slope = read_slope(f, 1).total;
  trial.residual = read_residual(f, 2);
}

double Stepper::end_slope_at(std::size_t b, const Trial& trial) {
  return trial.end_slope ? *trial.end_slope : slope_at(b, bodies_[b].trial_gradient).total;
}

bool Stepper::search_along(Island& island) {
  const double h2 = h() * h();
  double slope = 0.0, contact_work = 0.0, merit = 0.0, size = 0.0, floor = 0.0;
  std::vector<Trial>& trials = island.trials;
  trials.resize(island.bodies.size());
  for_each(trials.size(), 1, [&](std::size_t k) {
    const std::size_t b = island.bodies[k];
    if (!on_device(bodies_[b])) return;
    start_slope(bodies_[b], bodies_[b].gradient, 0);  // the whole step is tried before its slope is known:
    try_length(b, 1.0, trials[k]);                    // one wait for both
  });
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    const Slope here = on_device(f) ? read_slope(f, 0) : slope_at(b, f.gradient);
    slope += here.total;
    contact_work += here.contact;
    merit += f.energy.merit;
    size += std::abs(f.energy.merit);
    floor += h2 * f.precomputed->element_weight * input_.model->bodies[b].rest_volume;
  }
  if (!(slope < 0.0)) return false;
  // Energies carry rounding of their own size, and of the rest stiffness times the rounding of strains.
  const double rounding = 1e-13 * (size + std::abs(contact_work)) + 1e-14 * floor;
  double length = 1.0;
  for (int shortening = 0; shortening <= kMaxShortenings; ++shortening) {
    if (shortening > 0) length *= shortening <= kFirstHalvings ? 0.5 : 0.1;
    for_each(island.bodies.size(), 1, [&](std::size_t k) {
      const std::size_t b = island.bodies[k];
      if (shortening > 0) ++bodies_[b].line_search_steps;
      if (shortening > 0 || !on_device(bodies_[b])) try_length(b, length, trials[k]);
    });
    double there = 0.0;
    for (const Trial& trial : trials) there += trial.energy.merit;
    for (const std::size_t b : island.bodies) {  // an arc is not straight
      const BodyFrame& f = bodies_[b];
      if (f.bend == 0.0) continue;
      const std::vector<Vec3d>&contact = f.contact_nodal.host(), &direction = f.direction.host();
      const std::vector<Vec3d>&trial = f.trial.host(), &position = f.position.host();
      for (std::size_t i = 0; i < direction.size(); ++i)
        there -= h2 * dot(contact[i], trial[i] - position[i] - length * direction[i]);
    }
    const double change = there - merit - length * contact_work;
    bool accept = change <= kArmijo * length * slope;
    // Near the minimum energies cannot tell; slopes can (approximate Wolfe condition, Hager and Zhang
    // 2005).
    if (!accept && change <= rounding) {
      double end_slope = 0.0;
      for (std::size_t k = 0; k < trials.size(); ++k) end_slope += end_slope_at(island.bodies[k], trials[k]);
      accept = end_slope <= -0.8 * slope;
    }
    if (!accept) {
      if (shortening == kMaxShortenings)
        for (std::size_t k = 0; k < trials.size(); ++k)
          check_finite(island.bodies[k], bodies_[island.bodies[k]].trial, trials[k].energy.merit,
                       "line search");
      continue;
    }
    if (island.bodies.size() == 1)
      length = refine_step(island.bodies[0], slope, contact_work, length, trials[0]);
    for (std::size_t k = 0; k < trials.size(); ++k) {
      BodyFrame& f = bodies_[island.bodies[k]];
      keep_step(f, length);
      f.has_step = true;
      f.has_arc = f.bend > 0.0;
      if (f.has_arc) turn_pairs(island.bodies[k]);
      if (length < 1.0 && f.metric->fixed() > 0) {  // they promised more
        f.metric->clear_kept(f.sums);
        f.has_step = f.has_arc = false;
      }
      std::swap(f.position, f.trial);
      std::swap(f.gradient, f.trial_gradient);
      f.energy = trials[k].energy;
      f.next_residual = trials[k].residual;
    }
    island.step_length = length;
    take_share_of_forces(island, length);
    return true;
  }
  return false;
}

/// s = length d, y = the change of the gradient, of free nodes.
void Stepper::keep_step(BodyFrame& f, double length) const {
  combine(f, f.step, length, f.direction);
  const std::size_t n = f.direction.size();
  if (f.device) {
    f.device->queue().combine(f.gradient_change.device_new(n), 1.0, f.trial_gradient.device(), -1.0,
                              f.gradient.device());
    return;
  }
  const std::vector<Vec3d>&after = f.trial_gradient.host(), &before = f.gradient.host();
  std::vector<Vec3d>& change = f.gradient_change.host_new(n);
  for_each(n, kNodeGrain, [&](std::size_t i) { change[i] = after[i] - before[i]; });
}

/// The slopes at both ends of an accepted step tell where the minimum of the line lies; if that is far from
/// the step's end, it is tried as well, and kept where the merit is lower. A knows neither the anisotropy of
/// the current shape nor the ratio of the moduli: without history steps are too short by up to
/// (2 mu + lambda) / mu. Not with contacts: their forces belong to the whole step.
double Stepper::refine_step(std::size_t b, double slope, double contact_work, double length, Trial& trial) {
  BodyFrame& f = bodies_[b];
  if (f.metric->capacity() == 0 || touched(b)) return length;
  const double end_slope = end_slope_at(b, trial);
  const double factor = end_slope > slope ? std::min(slope / (slope - end_slope), kLongest) : kLongest;
  if (factor <= kWellScaled && factor >= 1.0 / kWellScaled) return length;
  ++f.line_search_steps;
  std::swap(f.trial, f.spare);
  std::swap(f.trial_gradient, f.spare_gradient);
  move_to(f, f.direction, length * factor);
  const ElasticEnergy other = evaluate(b, f.trial, f.trial_gradient);
  if (other.merit - length * factor * contact_work < trial.energy.merit - length * contact_work) {
    trial.energy = other;
    trial.residual.reset();
    return length * factor;
  }
  std::swap(f.trial, f.spare);
  std::swap(f.trial_gradient, f.spare_gradient);
  return length;
}

}  // namespace sinew
