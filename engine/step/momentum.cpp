// Momentum of free bodies: what shortened steps leave undone.
#include <array>

#include "engine/step/item_sums.hpp"
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
  std::array<double, MomentumSums::count> sum;
  if (f.device) {
    DeviceFrame& device = *f.device;
    device.queue().lost_momentum(f.nodes, f.position.device(), f.predicted.device(), f.contact_nodal.device(),
                                 device.sums(0), device.scratch());
    device.read_sums();
    for (int k = 0; k < MomentumSums::count; ++k) sum[static_cast<std::size_t>(k)] = device.sum(0, k);
  } else {
    sum = item_sums(f.nodes.mass.size,
                        LostMomentumItem{f.nodes, f.position.host().data(), f.predicted.host().data(),
                                         f.contact_nodal.host().data()});
  }
  const Vec3d missing{sum[MomentumSums::x], sum[MomentumSums::y], sum[MomentumSums::z]};  // [kg m]
  double mass = 0.0, size = sum[MomentumSums::size];
  for (const double m : p.mass) mass += m;
  size += mass * (h() * h()) * norm(input_.model->gravity);
  shift = missing / (mass * (1.0 + h() * p.alpha));
  return size > 0.0 ? norm(missing) / size : 0.0;
}

}  // namespace sinew
