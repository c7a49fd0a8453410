// Bodies of the steps of the non-smooth Newton solver: the system, the new forces, how far to go, the
// residual. Conjugate residual: krylov_kernels.hpp.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/op/krylov_kernels.hpp"
#include "kernels/op/newton_ops.hpp"
#include "kernels/op/vector_kernels.hpp"

namespace sinew {

struct NewtonUnknownsKernel {
  NewtonView n;
  SINEW_HD void operator()(std::size_t i) const {
    const ContactView& p = n.problem;
    Vec3d l = n.force[i];
    const bool fischer = n.function == Complementarity::fischer_burmeister;
    if (i < p.points()) {
      l = p.local(i, l);
      const double r = n.scaling[i];
      if (n.published && fischer && p.law[i] == PointLaw::contact && r > 0.0)
        l.x = nonsmooth_unweighted(p.local(i, n.displacement[i]).x, l.x, r);
    } else if (n.published && fischer) {
      const std::size_t s = i - p.points();
      const DeviceScalarRow& row = p.scalar[s];
      const double r = p.own[s] + row.compliance;
      if (row.one_sided && r > 0.0 && row.compliance == 0.0)
        l.x = nonsmooth_unweighted(row.offset + p.value(s, n.displacement.data), l.x, r);
    }
    n.lambda[i] = l;
  }
};

/// phi, omega and e of one unknown; the diagonal; r = -D^-1/2 phi. Parts: r . r.
struct NewtonSystemKernel {
  static constexpr int kThreads = static_cast<int>(kNewtonItems);
  struct Shared {
    double part[kThreads];
  };
  NewtonView n;

  SINEW_HD NonsmoothPoint<double> rows_of(std::size_t i, double& own) const {
    const ContactView& p = n.problem;
    if (i >= p.points()) {
      const std::size_t s = i - p.points();
      const DeviceScalarRow& row = p.scalar[s];
      const double force = n.lambda[i].x;
      const double value = row.offset + p.value(s, n.displacement.data) + row.compliance * force;
      const NonsmoothRow<double> one = nonsmooth_scalar(value, force, p.own[s] + row.compliance,
                                                        row.compliance, row.one_sided != 0, n.function);
      own = p.own[s];
      return {{one.phi, 0.0, 0.0}, {one.omega, 0.0, 0.0}, {one.e, 1.0, 1.0}};
    }
    own = p.compliance(i);
    const Vec3d u = p.local(i, n.displacement[i]);
    if (p.law[i] == PointLaw::held) return nonsmooth_held(u, n.lambda[i], p.held_compliance[i]);
    if (p.law[i] == PointLaw::contact && n.scaling[i] > 0.0 && own > 0.0)
      return nonsmooth_contact(u, n.lambda[i], n.scaling[i], p.friction[i], n.function);
    return nonsmooth_left<double>();
  }

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    using std::sqrt;
    double* part = block.shared().part;
    block.threads([&](int t) {
      const std::size_t i = block.index() * kNewtonItems + static_cast<std::size_t>(t);
      part[t] = 0.0;
      if (i >= n.unknowns()) return;
      double own = 0.0;
      const NonsmoothPoint<double> rows = rows_of(i, own);
      Vec3d share, scale, r;
      for (int k = 0; k < 3; ++k) {
        const double omega = rows.omega[k];
        share[k] = n.published ? omega : sqrt(omega);
        const double diagonal = share[k] * share[k] * own + rows.e[k];
        scale[k] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 0.0;
        const double right = n.published ? rows.phi[k] : (omega > 0.0 ? rows.phi[k] / sqrt(omega) : 0.0);
        r[k] = -scale[k] * right;
      }
      n.share[i] = share;
      n.e[i] = rows.e;
      n.scale[i] = scale;
      n.r[i] = r;
      n.x[i] = {0.0, 0.0, 0.0};
      part[t] = dot(r, r);
    });
    write_sum(block, part, kThreads, &n.part[block.index()]);
  }
};

/// step of one unknown: the new forces, back on their laws, less those that act.
struct NewtonTakeKernel {
  NewtonView n;
  int iterations;

  SINEW_HD Vec3d step_of(std::size_t i) const {
    const ContactView& p = n.problem;
    Vec3d l = n.lambda[i], f;
    for (int k = 0; k < 3; ++k) {
      const double change = n.scale[i][k] * n.x[i][k];
      f[k] = n.published ? n.share[i][k] * (l[k] + change) : l[k] + n.share[i][k] * change;
    }
    if (i >= p.points()) {
      const bool one_sided = p.scalar[i - p.points()].one_sided != 0;
      return {(one_sided && !(f.x > 0.0) ? 0.0 : f.x) - n.force[i].x, 0.0, 0.0};
    }
    if (p.law[i] == PointLaw::none) return {0.0, 0.0, 0.0};
    if (p.law[i] == PointLaw::contact) f = normal_then_cone(f, p.friction[i]);
    return p.world(i, f) - n.force[i];
  }
  SINEW_HD void operator()(std::size_t i) const {
    n.step[i] = step_of(i);
    if (n.published)
      for (int k = 0; k < 3; ++k) n.lambda[i][k] += n.scale[i][k] * n.x[i][k];
    if (i != 0) return;
    const KrylovState& last = n.iteration(iterations - 1);
    n.outcome[0].products += 1 + (last.started ? 1 + last.steps : 0);
  }
};

/// Squares of the natural maps at all lengths of the step: parts {blocks, kStepLengths}.
struct NewtonMeritKernel {
  static constexpr int kThreads = static_cast<int>(kNewtonItems);
  struct Shared {
    double part[kStepLengths][kThreads];
  };
  NewtonView n;

  SINEW_HD static double length_of(int k) {
    double length = k == 0 ? 0.0 : 1.0;
    for (int j = 1; j < k; ++j) length *= 0.5;
    return length;
  }
  SINEW_HD double square(std::size_t i, double length) const {
    const ContactView& p = n.problem;
    if (i >= p.points()) {
      const std::size_t s = i - p.points();
      const DeviceScalarRow& row = p.scalar[s];
      const double force = n.force[i].x + length * n.step[i].x;
      double value = row.offset + p.value(s, n.displacement.data) + row.compliance * force +
                     length * p.value(s, n.move.data);
      const double pushed = (p.own[s] + row.compliance) * force;
      if (row.one_sided && pushed < value) value = pushed;
      return value * value;
    }
    if (p.law[i] == PointLaw::none) return 0.0;
    const Vec3d u = n.displacement[i] + length * n.move[i], f = n.force[i] + length * n.step[i];
    if (p.law[i] == PointLaw::held) return squared_norm(u + p.held_compliance[i] * f);
    const double map = natural_map_residual(p.local(i, u), p.local(i, f), p.compliance(i), p.friction[i]);
    return map * map;
  }

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    auto& part = block.shared().part;
    block.threads([&](int t) {
      const std::size_t i = block.index() * kNewtonItems + static_cast<std::size_t>(t);
      for (int k = 0; k < kStepLengths; ++k) part[k][t] = i < n.unknowns() ? square(i, length_of(k)) : 0.0;
    });
    for (int half = kThreads / 2; half > 0; half /= 2)
      block.threads([&](int t) {
        if (t >= half) return;
        for (int k = 0; k < kStepLengths; ++k) part[k][t] += part[k][t + half];
      });
    block.threads([&](int t) {
      if (t < kStepLengths) n.part[block.index() * kStepLengths + static_cast<std::size_t>(t)] = part[t][0];
    });
  }
};

/// One block: the length of the step, halved while that lowers the merit; whole where no part does.
struct NewtonLengthKernel {
  static constexpr int kThreads = 16 * kStepLengths;
  struct Shared {
    double part[kThreads];  ///< {16, kStepLengths}
  };
  NewtonView n;
  std::size_t blocks;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    double* merit = block.shared().part;
    block.threads([&](int t) {
      double sum = 0.0;
      for (std::size_t at = static_cast<std::size_t>(t); at < blocks * kStepLengths; at += kThreads)
        sum += n.part[at];
      merit[t] = sum;
    });
    for (int half = kThreads / 2; half >= kStepLengths; half /= 2)
      block.threads([&](int t) {
        if (t < half) merit[t] += merit[t + half];
      });
    block.threads([&](int t) {
      if (t != 0) return;
      const double before = merit[0];
      double least = merit[1];
      int best = 1;
      for (int k = 2; k < kStepLengths && !(least < before); ++k) {
        if (!(merit[k] < least)) continue;
        least = merit[k];
        best = k;
      }
      n.outcome[0].length = NewtonMeritKernel::length_of(least < before ? best : 1);
    });
  }
};

struct NewtonAdvanceKernel {
  NewtonView n;
  SINEW_HD void operator()(std::size_t i) const {
    const double length = n.search ? n.outcome[0].length : 1.0;
    n.force[i] += length * n.step[i];
    if (i < n.problem.points()) n.displacement[i] += length * n.move[i];
    if (n.search) n.lambda[i] = i < n.problem.points() ? n.problem.local(i, n.force[i]) : n.force[i];
  }
};

/// Worst of the laws of a block's unknowns. NaN is worse than anything.
struct NewtonResidualKernel {
  static constexpr int kThreads = static_cast<int>(kNewtonItems);
  struct Shared {
    double part[kThreads];
  };
  NewtonView n;

  SINEW_HD double residual(std::size_t i) const {
    const ContactView& p = n.problem;
    if (i >= p.points()) {
      const std::size_t s = i - p.points();
      const DeviceScalarRow& row = p.scalar[s];
      const double force = n.force[i].x;
      double value = row.offset + p.value(s, n.displacement.data) + row.compliance * force;
      const double pushed = (p.own_gram[s] + row.compliance) * force;
      if (row.one_sided && pushed < value) value = pushed;
      return value < 0.0 ? -value : value;
    }
    if (p.law[i] == PointLaw::none) return 0.0;
    const Vec3d u = n.displacement[i], f = n.force[i];
    if (p.law[i] == PointLaw::held) return norm(u + p.held_compliance[i] * f);
    return natural_map_residual(p.local(i, u), p.local(i, f), p.compliance(i), p.friction[i]);
  }
  SINEW_HD static double worse(double a, double b) { return b > a || b != b ? b : a; }

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    double* part = block.shared().part;
    block.threads([&](int t) {
      const std::size_t i = block.index() * kNewtonItems + static_cast<std::size_t>(t);
      part[t] = i < n.unknowns() ? residual(i) : 0.0;
    });
    worst_of(block, part);
    block.threads([&](int t) {
      if (t == 0) n.part[block.index()] = part[0];
    });
  }
  template <class Block>
  SINEW_HD static void worst_of(Block& block, double* part) {
    for (int half = kThreads / 2; half > 0; half /= 2)
      block.threads([&](int t) {
        if (t < half) part[t] = worse(part[t], part[t + half]);
      });
  }
};

struct NewtonOutcomeKernel {
  static constexpr int kThreads = NewtonResidualKernel::kThreads;
  using Shared = NewtonResidualKernel::Shared;
  NewtonView n;
  std::size_t blocks;
  bool first;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    double* part = block.shared().part;
    block.threads([&](int t) {
      double worst = 0.0;
      for (std::size_t b = static_cast<std::size_t>(t); b < blocks; b += kThreads)
        worst = NewtonResidualKernel::worse(worst, n.part[b]);
      part[t] = worst;
    });
    NewtonResidualKernel::worst_of(block, part);
    block.threads([&](int t) {
      if (t != 0) return;
      NewtonOutcome& o = n.outcome[0];
      o.residual = part[0];
      if (first) {
        o.start = o.residual;
        o.products = 0;
      }
      o.kept = first || o.residual < o.best;
      if (o.kept) o.best = o.residual;
    });
  }
};

struct NewtonKeepKernel {
  NewtonView n;
  SINEW_HD void operator()(std::size_t i) const {
    if (n.outcome[0].kept == 0) return;
    n.kept_force[i] = n.force[i];
    if (i < n.problem.points()) n.kept_displacement[i] = n.displacement[i];
  }
};

namespace op {

template <class Queue>
void newton_unknowns(Queue& queue, const NewtonView& newton) {
  queue.for_each(newton.unknowns(), NewtonUnknownsKernel{newton});
}
template <class Queue>
void newton_system(Queue& queue, const NewtonView& newton) {
  queue.launch(block_count(newton.unknowns(), kNewtonItems), NewtonSystemKernel{newton});
}
template <class Queue>
void newton_take(Queue& queue, const NewtonView& newton, int iterations) {
  queue.for_each(newton.unknowns(), NewtonTakeKernel{newton, iterations});
  queue.for_each(newton.problem.points(),
                 GatherForcesKernel{newton.problem, newton.step.data, newton.push.data});
}
template <class Queue>
void newton_advance(Queue& queue, const NewtonView& newton) {
  const std::size_t blocks = block_count(newton.unknowns(), kNewtonItems);
  if (newton.search) {
    queue.launch(blocks, NewtonMeritKernel{newton});
    queue.launch(1, NewtonLengthKernel{newton, blocks});
  }
  queue.for_each(newton.unknowns(), NewtonAdvanceKernel{newton});
}
template <class Queue>
void newton_measure(Queue& queue, const NewtonView& newton, bool first) {
  const std::size_t blocks = block_count(newton.unknowns(), kNewtonItems);
  queue.launch(blocks, NewtonResidualKernel{newton});
  queue.launch(1, NewtonOutcomeKernel{newton, blocks, first});
  queue.for_each(newton.unknowns(), NewtonKeepKernel{newton});
}

}  // namespace op

}  // namespace sinew
