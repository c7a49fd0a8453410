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
  for (Vec3d& x : bodies_[b].position.edit()) x += shift;
  return true;
}

/// Share of a free body's momentum that its forces do not account for, and the move that would mend it.
double Stepper::lost_momentum(std::size_t b, Vec3d& shift) {
  BodyFrame& f = bodies_[b];
  const BodyPrecomputed& p = *f.precomputed;
  shift = {};
  // One sweep does not know how a body moves as a whole, and forces are made for what it does (G is its own).
  if (p.free_count != p.node_count || p.solver->spectral_radius() > 0.0) return 0.0;
  Vec3d missing{};  // [kg m]
  double mass = 0.0, size = 0.0;
  for (const double m : p.mass) mass += m;
  if (f.device) {
    DeviceFrame& device = *f.device;
    device.queue().lost_momentum(device.nodes, f.position.device(), f.predicted.device(),
                                 f.contact_nodal.device(), device.sums(0), device.scratch());
    device.read_sums();
    missing = {device.sum(0, MomentumSums::x), device.sum(0, MomentumSums::y),
               device.sum(0, MomentumSums::z)};
    size = device.sum(0, MomentumSums::size);
  } else {
    const std::vector<Vec3d>&position = f.position.host(), &predicted = f.predicted.host();
    const std::vector<Vec3d>& contact = f.contact_nodal.host();
    const std::vector<Vec3d>&start = state_.bodies[b].position.host(),
          &velocity = state_.bodies[b].velocity.host();
    for (Index i = 0; i < p.node_count; ++i) {
      const Vec3d push = (h() * h()) * contact[i], move = position[i] - start[i];
      missing += push - p.mass[i] * (position[i] - predicted[i] + (h() * p.alpha) * move);
      size += p.mass[i] * (norm(move) + h() * norm(velocity[i]));
    }
  }
  size += mass * (h() * h()) * norm(input_.model->gravity);
  shift = missing / (mass * (1.0 + h() * p.alpha));
  return size > 0.0 ? norm(missing) / size : 0.0;
}

}  // namespace sinew
