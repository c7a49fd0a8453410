// 9. What the iterations left undone: momentum, and gaps at the positions that were reached.
#include <algorithm>
#include <cmath>

#include "engine/step/stepper.hpp"

namespace sinew {

namespace {

constexpr double kFarOffLine = 1.0;       // tolerances
constexpr int kMaxClosingRounds = 4;      // of contacts found late in the closing solves
constexpr double kLarge = 0.01;           // of a body's size: closing moves below are taken as they are
constexpr double kStiffer = 100.0;        // times A: what bodies may be along a large one
constexpr double kShorter = 0.25;         // from one trial of its length to the next,
constexpr double kLostByRounding = 1e-7;  // of the momentum of a body: worth another closing solve
constexpr int kMaxShortenings = 20;       // and then it is not made at all

}  // namespace

/// Closing moves A^-1 h^2 H^T (lambda - lambda_k) are made without a line search, for the law of contact
/// needs all of them. Elements that resist far more than A, or a law without an answer, would be torn:
/// energies of a billion times those at the start were seen. The share of a large move along which energy
/// stays below that of a body kStiffer times as stiff as A.
double Stepper::closing_length(const Island& island) {
  bool large = false;
  for (const std::size_t b : island.bodies) {
    const double limit = kLarge * input_.model->bodies[b].diagonal;
    large = large || !(largest_squared(bodies_[b], bodies_[b].inverse_change) <= limit * limit);
  }
  if (!large) return 1.0;
  double merit = 0.0, slope = 0.0, bend = 0.0;
  for (const std::size_t b : island.bodies) {
    BodyFrame& f = bodies_[b];
    evaluate_here(b);
    merit += f.energy.merit;
    const std::vector<Vec3d>& move = f.inverse_change.host();
    slope += block_dot(f.gradient.host().data(), move.data(), move.size(), f.sums);
    bend += block_dot(f.change_nodal.host().data(), move.data(), move.size(), f.sums);
  }
  double length = 1.0;
  for (int k = 0; k < kMaxShortenings; ++k, length *= kShorter) {
    double there = 0.0;
    for (const std::size_t b : island.bodies) {
      BodyFrame& f = bodies_[b];
      f.trial = f.position;
      add_scaled(f, f.trial, length, f.inverse_change);
      there += evaluate(b, f.trial, f.trial_gradient).merit;
    }
    if (there - merit <= length * slope + 0.5 * kStiffer * length * length * bend) return length;
  }
  return 0.0;
}

double Stepper::largest_squared(BodyFrame& f, const Mirrored<Vec3d>& x) const {
  if (f.device) {
    f.device->queue().largest(x.device(), f.device->sums(0), f.device->scratch());
    f.device->read_sums();
    return f.device->sum(0, 0);
  }
  double most = 0.0;
  for (const Vec3d& v : x.host())
    if (!(squared_norm(v) <= most)) most = std::isnan(squared_norm(v)) ? HUGE_VAL : squared_norm(v);
  return most;
}

/// to += factor x, for the first nodes of `to`.
void Stepper::add_scaled(BodyFrame& f, Mirrored<Vec3d>& to, double factor, const Mirrored<Vec3d>& x) const {
  if (f.device) {
    f.device->queue().add_scaled(to.device_edit().part(0, x.size()), x.device(), factor);
    return;
  }
  const std::vector<Vec3d>& from = x.host();
  std::vector<Vec3d>& out = to.edit();
  for (std::size_t i = 0; i < from.size(); ++i) out[i] += factor * from[i];
}

/// One contact solve at the final point. Where bodies cannot follow its answer, it is sought once more from
/// free flight: forces of shortened steps may be far from any answer, and momentum has gone with them.
void Stepper::close(Island& island) {
  double length = 0.0;
  for (int attempt = 0; attempt < 2 && length < 1.0; ++attempt) {
    if (attempt > 0) {
      drop_forces(island);
      for (const std::size_t b : island.bodies) restore_momentum(b);
    }
    island.problem.metric.clear();
    solve_contacts(island, &BodyFrame::position, 0.0);
    change_forces(island);
    for (const std::size_t b : island.bodies) solve_alone(bodies_[b], bodies_[b].inverse_change);
    length = closing_length(island);
  }
  for (const std::size_t b : island.bodies) {
    add_scaled(bodies_[b], bodies_[b].position, length, bodies_[b].inverse_change);
  }
  if (length == 1.0) return;
  take_share_of_forces(island, length);
  island.converged = false;
}

/// Where elasticity is 1e10 times as stiff as inertia in A, rounding of A^-1 moves bodies as a whole.
bool Stepper::lost_by_rounding(const Island& island) {
  Vec3d shift;
  return std::any_of(island.bodies.begin(), island.bodies.end(),
                     [&](std::size_t b) { return lost_momentum(b, shift) > kLostByRounding; });
}

bool Stepper::gaps_open(const Island& island) const {
  if (island.rows.size() == 0) return false;
  for (const std::size_t b : island.bodies)  // contacts were told of a straight step
    if (bodies_[b].bend > kFarOffLine * contact_tolerance()) return true;
  return !(island.exact && island.step_length == 1.0 && island.rows.size() == island.contacts_solved);
}

// 9. A shortened last step, or an early stop, leaves momentum that misses its impulse and gaps that miss the
// law: one contact solve at the final point.
void Stepper::close_gaps() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    BodyFrame& f = bodies_[b];
    f.active = false;  // all further contacts are those of the positions
    if (f.admm && !touched(b) && f.best_merit < f.energy.merit) leave_admm(b);  // not uphill in the end
  }
  std::vector<std::size_t> open = contacts_.roots;
  std::vector<char> moved(bodies_.size(), 0);
  for (int round = 0; round < kMaxClosingRounds && !open.empty(); ++round) {
    bool look = false;
    std::erase_if(open, [&](std::size_t root) {
      const Island& island = contacts_.islands[root];
      bool shifted = false;
      for (const std::size_t b : island.bodies)
        if (restore_momentum(b)) moved[b] = shifted = true;
      look = look || shifted;
      return island.rows.size() == 0 || !(round > 0 || shifted || gaps_open(island));
    });
    if (open.empty() && !look) break;
    for_each(open.size(), 1, [&](std::size_t k) {
      Island& island = contacts_.islands[open[k]];
      close(island);
      for (const std::size_t b : island.bodies) moved[b] = 1;
    });
    if (add_contacts(&BodyFrame::position, true)) {
      open.clear();
      for (const std::size_t root : contacts_.roots)
        if (contacts_.islands[root].changed) open.push_back(root);
    } else {
      std::erase_if(open, [&](std::size_t root) { return !lost_by_rounding(contacts_.islands[root]); });
    }
  }
  for (const std::size_t root : open) contacts_.islands[root].converged = false;  // found in the last round
  for_each(bodies_.size(), 1, [&](std::size_t b) {
    if (!moved[b]) return;
    evaluate_here(b);
    check_finite(b, bodies_[b].position, bodies_[b].energy.merit, "contact solve");
  });
}

}  // namespace sinew
