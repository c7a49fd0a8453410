// What the contact cases measure: centres, speeds, forces, and the worst figures of a run.
#pragma once

#include <algorithm>
#include <numbers>
#include <vector>

#include <sinew/base/mat3.hpp>
#include <sinew/simulation.hpp>

#include "tests/support/shapes.hpp"

namespace sinew::test {

inline constexpr double kGravity = 9.81;  // [m/s^2]
inline constexpr double kPi = std::numbers::pi;

/// Mass-weighted mean of one value per node.
inline Vec3d weighted_mean(const std::vector<Vec3d>& value, const std::vector<double>& mass) {
  Vec3d sum{};
  double total = 0.0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    sum += mass[i] * value[i];
    total += mass[i];
  }
  return sum / total;
}
inline Vec3d centre(const Simulation& s, std::size_t body, const std::vector<double>& mass) {
  return weighted_mean(s.positions(body), mass);
}
inline Vec3d centre_velocity(const Simulation& s, std::size_t body, const std::vector<double>& mass) {
  return weighted_mean(s.velocities(body), mass);
}

/// Worst figures over all frames of a run.
struct Worst {
  double penetration = 0.0, creep = 0.0, complementarity = 0.0, residual = 0.0, momentum = 0.0;
  long unconverged = 0;  ///< frames in which a contact solve stopped at its limit
  void add(const StepStatistics& s) {
    penetration = std::max(penetration, s.max_penetration_m);
    creep = std::max(creep, s.max_creep_m_s);
    complementarity = std::max(complementarity, s.complementarity_residual_m);
    residual = std::max(residual, s.residual);
    momentum = std::max(momentum, s.momentum_error);
    unconverged += s.contact_converged ? 0 : 1;
  }
};

/// The first body and all obstacles get the coefficient mu, so that every pair has it.
inline void set_pair_friction(Simulation& simulation, double mu) {
  simulation.set_body_friction(0, mu);
  for (std::size_t o = 0; o < simulation.model().obstacle_count(); ++o)
    simulation.set_obstacle_friction(o, mu);
}

/// Sum of the normal forces on one obstacle [N].
inline double normal_force(const Simulation& simulation, Index obstacle) {
  double sum = 0.0;
  for (const ContactForce& f : simulation.contact_forces())
    if (f.obstacle == obstacle) sum += f.normal_force;
  return sum;
}

}  // namespace sinew::test
