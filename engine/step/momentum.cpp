// Momentum of free bodies: what shortened steps leave undone.
#include "engine/step/stepper.hpp"

namespace sinew {

namespace {
constexpr double kLost = 1e-9;  // of the momentum of a body: not worth a move
}

/// A shortened step takes only a part of what the forces do to a free body as a whole: the body is moved to
/// where momentum is their impulse, which costs no elastic energy. True if it had to be.
bool Stepper::restore_momentum(std::size_t b) {
  Vec3d shift;
  if (!(lost_momentum(b, shift) > kLost)) return false;
  for (Vec3d& x : bodies_[b].position) x += shift;
  return true;
}

/// Share of a free body's momentum that its forces do not account for, and the move that would mend it.
double Stepper::lost_momentum(std::size_t b, Vec3d& shift) const {
  const BodyFrame& f = bodies_[b];
  const BodyPrecomputed& p = *f.precomputed;
  shift = {};
  // One sweep does not know how a body moves as a whole, and forces are made for what it does (G is its own).
  if (p.free_count != p.node_count || p.solver->spectral_radius() > 0.0) return 0.0;
  const BodyState& before = state_.bodies[b];
  Vec3d missing{};  // [kg m]
  double mass = 0.0, size = 0.0;
  for (Index i = 0; i < p.node_count; ++i) {
    const Vec3d push = (h() * h()) * f.contact_nodal[i], move = f.position[i] - before.position[i];
    missing += push - p.mass[i] * (f.position[i] - f.predicted[i] + (h() * p.alpha) * move);
    mass += p.mass[i];
    size += p.mass[i] * (norm(move) + h() * norm(before.velocity[i]));
  }
  size += mass * (h() * h()) * norm(input_.model->gravity);
  shift = missing / (mass * (1.0 + h() * p.alpha));
  return size > 0.0 ? norm(missing) / size : 0.0;
}

}  // namespace sinew
