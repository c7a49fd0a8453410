// What a frame does with one node, on host and device alike.
#pragma once

#include <cmath>
#include <cstddef>

#include "kernels/op/frame_ops.hpp"

namespace sinew {

/// Keeps a value that is no number.
SINEW_HD inline void raise_to(double& largest, double value) {
  if (!(value <= largest)) largest = value == value ? value : HUGE_VAL;
}

struct PredictKernel {
  FrameNodes n;
  Vec3d* predicted;
  SINEW_HD void operator()(std::size_t i) const {
    Vec3d acceleration = n.gravity;
    if (n.external_force.size > 0) acceleration += n.external_force.data[i] / n.mass.data[i];
    predicted[i] = n.start.data[i] + n.time_step * (n.velocity.data[i] + n.time_step * acceleration);
  }
};

struct ResidualItem {
  static constexpr int kSums = 2, kMaxima = 1;
  FrameNodes n;
  const Vec3d* position;
  const Vec3d* predicted;
  const Vec3d* gradient;
  const Vec3d* contact;
  Vec3d* residual;
  SINEW_HD void operator()(std::size_t i, double* value) const {
    const double h = n.time_step, h2 = h * h, mass = n.mass.data[i];
    const Vec3d r = gradient[i] - h2 * contact[i];
    residual[i] = r;
    const Vec3d inertia = mass * (position[i] - predicted[i]);
    Vec3d outside = mass * n.gravity;
    if (n.external_force.size > 0) outside += n.external_force.data[i];
    const Vec3d momentum = (1e-6 * h * mass) * n.velocity.data[i];
    value[ResidualSums::residual2] += squared_norm(r);
    value[ResidualSums::scale2] += squared_norm(inertia) + squared_norm(gradient[i] - inertia) +
                                   squared_norm(h2 * outside) + squared_norm(momentum);
    raise_to(value[ResidualSums::farthest2], squared_norm(position[i]));
  }
};

struct LostMomentumItem {
  static constexpr int kSums = 4, kMaxima = 0;
  FrameNodes n;
  const Vec3d* position;
  const Vec3d* predicted;
  const Vec3d* contact;
  SINEW_HD void operator()(std::size_t i, double* value) const {
    const double h = n.time_step, mass = n.mass.data[i];
    const Vec3d move = position[i] - n.start.data[i];
    const Vec3d missing = (h * h) * contact[i] - mass * (position[i] - predicted[i] + (h * n.alpha) * move);
    value[MomentumSums::x] += missing.x;
    value[MomentumSums::y] += missing.y;
    value[MomentumSums::z] += missing.z;
    value[MomentumSums::size] += mass * (norm(move) + h * norm(n.velocity.data[i]));
  }
};

struct FinishItem {
  static constexpr int kSums = 6, kMaxima = 2;
  FrameNodes n;
  const Vec3d* position;
  const Vec3d* predicted;
  Vec3d* velocity;
  Vec3d* correction;
  std::size_t corrected;
  SINEW_HD void operator()(std::size_t i, double* value) const {
    const double h = n.time_step, mass = n.mass.data[i];
    const Vec3d move = position[i] - n.start.data[i], before = n.velocity.data[i], after = move / h;
    Vec3d outside = mass * (n.gravity - n.alpha * after);
    if (n.external_force.size > 0) outside += n.external_force.data[i];
    const Vec3d defect = mass * (after - before) - h * outside;
    value[FinishSums::defect_x] += defect.x;
    value[FinishSums::defect_y] += defect.y;
    value[FinishSums::defect_z] += defect.z;
    value[FinishSums::momentum] += mass * (norm(after) + norm(before) + h * norm(n.gravity));
    value[FinishSums::kinetic] += 0.5 * mass * squared_norm(after);
    value[FinishSums::gravity] -= mass * dot(n.gravity, position[i]);
    raise_to(value[FinishSums::predicted2], squared_norm(predicted[i] - n.start.data[i]));
    raise_to(value[FinishSums::moved2], squared_norm(move));
    velocity[i] = after;
    if (i < corrected)
      correction[i] = position[i] - predicted[i];
    else  // held: its way is prescribed
      raise_to(value[FinishSums::predicted2], squared_norm(move));
  }
};

}  // namespace sinew
