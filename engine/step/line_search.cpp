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
    for (std::size_t i = 0; i < f.direction.size(); ++i) f.direction[i] = -f.inverse_before[i];
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
    after -= (h() * h()) * block_dot(f.contact_nodal.data(), f.direction.data(), f.direction.size(), f.sums);
    take_admm_step(b);
    after += f.energy.merit;
    const double limit = kAdmmFar * input_.model->bodies[b].diagonal;
    for (std::size_t i = 0; i < f.position.size(); ++i)
      far = far || !(squared_norm(f.position[i] - f.predicted[i]) <= limit * limit);
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
    f.best_position = f.position;
  }
  f.stalled = f.residual < 0.9 * f.best_residual ? 0 : f.stalled + 1;
  f.best_residual = std::min(f.best_residual, f.residual);
  if (f.stalled > kAdmmPatience || !std::isfinite(f.energy.merit)) {
    leave_admm(b);
    return;
  }
  sweep_admm(*f.precomputed, h(), f.position.data(), f.duals, f.admm_correction.data());
}

void Stepper::leave_admm(std::size_t b) {
  BodyFrame& f = bodies_[b];
  f.admm = false;
  f.metric->begin_frame(static_cast<std::size_t>(settings_.history), f.direction.size(), kLeastPrecision);
  if (touched(b) && std::isfinite(f.energy.merit)) return;  // forces belong to the last iterate
  f.position = f.best_position;
  evaluate_here(b);
}

double Stepper::slope_at(std::size_t b, const std::vector<Vec3d>& gradient) const {
  BodyFrame& f = bodies_[b];
  const double h2 = h() * h();
  return ordered_sum<double>(f.direction.size(), f.sums, [&](std::size_t i) {
    return dot(gradient[i] - h2 * f.contact_nodal[i], f.direction[i]);
  });
}

double Stepper::slope_at(const Island& island, std::vector<Vec3d> BodyFrame::*gradient) const {
  double slope = 0.0;
  for (const std::size_t b : island.bodies) slope += slope_at(b, bodies_[b].*gradient);
  return slope;
}

bool Stepper::search_along(Island& island) {
  const double slope = slope_at(island, &BodyFrame::gradient);
  if (!(slope < 0.0)) return false;
  const double h2 = h() * h();
  double contact_work = 0.0, merit = 0.0, size = 0.0, floor = 0.0;
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    contact_work += h2 * block_dot(f.contact_nodal.data(), f.direction.data(), f.direction.size(), f.sums);
    merit += f.energy.merit;
    size += std::abs(f.energy.merit);
    floor += h2 * f.precomputed->element_weight * input_.model->bodies[b].rest_volume;
  }
  // Energies carry rounding of their own size, and of the rest stiffness times the rounding of strains.
  const double rounding = 1e-13 * (size + std::abs(contact_work)) + 1e-14 * floor;
  std::vector<ElasticEnergy>& energy = island.trial_energy;
  energy.resize(island.bodies.size());
  double length = 1.0;
  for (int shortening = 0; shortening <= kMaxShortenings; ++shortening) {
    if (shortening > 0) length *= shortening <= kFirstHalvings ? 0.5 : 0.1;
    for_each(island.bodies.size(), 1, [&](std::size_t k) {
      const std::size_t b = island.bodies[k];
      BodyFrame& f = bodies_[b];
      if (shortening > 0) ++f.line_search_steps;
      move_to(f, f.direction, length);
      energy[k] = evaluate_elastic(*f.precomputed, elastic_input(b), f.trial.data(), f.elastic,
                                   f.trial_gradient.data());
    });
    double there = 0.0;
    for (const ElasticEnergy& e : energy) there += e.merit;
    for (const std::size_t b : island.bodies) {  // an arc is not straight
      const BodyFrame& f = bodies_[b];
      if (f.bend == 0.0) continue;
      for (std::size_t i = 0; i < f.direction.size(); ++i)
        there -= h2 * dot(f.contact_nodal[i], f.trial[i] - f.position[i] - length * f.direction[i]);
    }
    const double change = there - merit - length * contact_work;
    bool accept = change <= kArmijo * length * slope;
    // Near the minimum energies cannot tell; slopes can (approximate Wolfe condition, Hager and Zhang
    // 2005).
    if (!accept && change <= rounding) accept = slope_at(island, &BodyFrame::trial_gradient) <= -0.8 * slope;
    if (!accept) {
      if (shortening == kMaxShortenings)
        for (std::size_t k = 0; k < energy.size(); ++k)
          check_finite(island.bodies[k], bodies_[island.bodies[k]].trial.data(), energy[k].merit,
                       "line search");
      continue;
    }
    if (island.bodies.size() == 1)
      length = refine_step(island.bodies[0], slope, contact_work, length, energy[0]);
    for (std::size_t k = 0; k < energy.size(); ++k) {
      BodyFrame& f = bodies_[island.bodies[k]];
      f.step.resize(f.direction.size());
      f.gradient_change.resize(f.direction.size());
      for (std::size_t i = 0; i < f.direction.size(); ++i) {
        f.step[i] = length * f.direction[i];
        f.gradient_change[i] = f.trial_gradient[i] - f.gradient[i];
      }
      f.has_step = true;
      f.has_arc = f.bend > 0.0;
      if (f.has_arc) turn_pairs(island.bodies[k]);
      if (length < 1.0 && f.metric->fixed() > 0) {  // they promised more
        f.metric->clear_kept(f.sums);
        f.has_step = f.has_arc = false;
      }
      std::swap(f.position, f.trial);
      std::swap(f.gradient, f.trial_gradient);
      f.energy = energy[k];
    }
    island.step_length = length;
    take_share_of_forces(island, length);
    return true;
  }
  return false;
}

/// The slopes at both ends of an accepted step tell where the minimum of the line lies; if that is far from
/// the step's end, it is tried as well, and kept where the merit is lower. A knows neither the anisotropy of
/// the current shape nor the ratio of the moduli: without history steps are too short by up to
/// (2 mu + lambda) / mu. Not with contacts: their forces belong to the whole step.
double Stepper::refine_step(std::size_t b, double slope, double contact_work, double length,
                            ElasticEnergy& energy) {
  BodyFrame& f = bodies_[b];
  if (f.metric->capacity() == 0 || touched(b)) return length;
  const double end_slope = slope_at(b, f.trial_gradient);
  const double factor = end_slope > slope ? std::min(slope / (slope - end_slope), kLongest) : kLongest;
  if (factor <= kWellScaled && factor >= 1.0 / kWellScaled) return length;
  ++f.line_search_steps;
  std::swap(f.trial, f.spare);
  std::swap(f.trial_gradient, f.spare_gradient);
  f.trial_gradient.resize(f.spare_gradient.size());
  move_to(f, f.direction, length * factor);
  const ElasticEnergy other =
      evaluate_elastic(*f.precomputed, elastic_input(b), f.trial.data(), f.elastic, f.trial_gradient.data());
  if (other.merit - length * factor * contact_work < energy.merit - length * contact_work) {
    energy = other;
    return length * factor;
  }
  std::swap(f.trial, f.spare);
  std::swap(f.trial_gradient, f.spare_gradient);
  return length;
}

}  // namespace sinew
