// Bodies of the contact operations: forces of rows, and sweeps of Gauss-Seidel.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/element/contact/largest_eigenvalue.hpp"
#include "kernels/op/contact_ops.hpp"
#include "kernels/op/vector_kernels.hpp"

namespace sinew {

struct GatherForcesKernel {
  ContactView problem;
  const Vec3d* x;
  Vec3d* to;
  SINEW_HD void operator()(std::size_t c) const { to[c] = x[c] + problem.scalar_force(c, x); }
};

/// One row a block; a thread does every 64th pair of entries.
struct ScalarCompliancesKernel {
  static constexpr int kThreads = 64;
  struct Shared {
    double gram[kThreads], low_rank[kThreads];
  };
  ContactView problem;

  /// d_a . (h^2 Q M Q^T)_ab d_b
  SINEW_HD double low_rank(const DeviceScalarEntry& a, const DeviceScalarEntry& b) const {
    const LowRankView& m = problem.metric;
    double sum = 0.0;
    if (m.column.size == 0) return sum;
    for (std::size_t s = m.row[a.point]; s < m.row[a.point + 1]; ++s)
      for (std::size_t o = m.row[b.point]; o < m.row[b.point + 1]; ++o) {
        if (m.segment[s].z != m.segment[o].z) continue;
        for (std::size_t k = 0; k < m.segment[s].width; ++k)
          sum += dot(m.projected[m.segment[s].vector + k], a.direction) *
                 dot(m.q[m.segment[o].vector + k], b.direction);
      }
    return sum;
  }

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    auto& shared = block.shared();
    block.threads([&](int t) {
      const DeviceScalarRow& row = problem.scalar[block.index()];
      const std::size_t entries = row.end - row.first;
      double gram = 0.0, rest = 0.0;
      for (std::size_t pair = static_cast<std::size_t>(t); pair < entries * entries; pair += kThreads) {
        const DeviceScalarEntry& a = problem.entry[row.first + pair / entries];
        const DeviceScalarEntry& b = problem.entry[row.first + pair % entries];
        gram += problem.squared_step * problem.gram.entry[a.point * problem.points() + b.point] *
                dot(a.direction, b.direction);
        rest += low_rank(a, b);
      }
      shared.gram[t] = gram;
      shared.low_rank[t] = rest;
    });
    sum_pairwise(block, shared.gram, kThreads);
    sum_pairwise(block, shared.low_rank, kThreads);
    block.threads([&](int t) {
      if (t != 0) return;
      problem.own_gram[block.index()] = shared.gram[0];
      problem.own[block.index()] = shared.gram[0] + shared.low_rank[0];
    });
  }
};

struct SweepWeightsKernel {
  ContactView problem;
  double* weight;

  SINEW_HD double largest_low_rank(std::size_t c) const {
    const LowRankView& term = problem.metric;
    if (term.column.size == 0) return 0.0;
    double m[3][3] = {};
    for (std::size_t s = term.row[c]; s < term.row[c + 1]; ++s)
      for (std::size_t k = 0; k < term.segment[s].width; ++k) {
        const Vec3d a = term.projected[term.segment[s].vector + k], b = term.q[term.segment[s].vector + k];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) m[i][j] += a[i] * b[j];
      }
    return largest_eigenvalue(m);
  }
  SINEW_HD void operator()(std::size_t i) const {
    if (i >= problem.points()) {
      const double own = problem.own[i - problem.points()];
      weight[i] = own > 0.0 ? own : 0.0;
      return;
    }
    weight[i] = problem.law[i] == PointLaw::none ? 0.0 : problem.compliance(i) + largest_low_rank(i);
  }
};

/// Block 0 does the group: its points one after another, 32 threads for its block of G. The others each move
/// kThreads points by the changes of the group before.
struct SweepGroupKernel {
  static constexpr int kThreads = 128;
  static constexpr int kGroup = static_cast<int>(kSweepGroup);
  struct Shared {
    double gram[kGroup][kGroup];
    Vec3d u[kGroup], unknown[kGroup], change[kGroup], part[kGroup];
    ContactFrame<double> frame[kGroup];
    double weight[kGroup], friction[kGroup], held[kGroup], largest;
    PointLaw law[kGroup];
    Vec3d difference;
  };
  SweepView sweep;
  std::size_t group, previous;

  SINEW_HD std::size_t end_of(std::size_t g) const {
    const std::size_t end = (g + 1) * kSweepGroup, count = sweep.problem.points();
    return end < count ? end : count;
  }
  /// u of point d with the changes of the previous group.
  SINEW_HD Vec3d moved(std::size_t d) const {
    Vec3d u = sweep.u[d];
    if (previous == kNoSweepGroup) return u;
    const GramView& gram = sweep.problem.gram;
    const std::size_t end = end_of(previous);
    for (std::size_t c = previous * kSweepGroup; c < end; ++c)
      u += gram.entry[c * gram.count + d] * sweep.change[c];
    return u;
  }
  SINEW_HD Vec3d solve_point(const Shared& s, int c, const Vec3d& without) const {
    const double r = s.weight[c];
    if (s.law[c] == PointLaw::held) {
      const double total = r + s.held[c];
      return total > 0.0 ? (-1.0 / total) * without : Vec3d{0.0, 0.0, 0.0};
    }
    const ContactFrame<double>& e = s.frame[c];
    const Vec3d f = solve_coulomb_point(Vec3d{dot(e.n, without), dot(e.t1, without), dot(e.t2, without)}, r,
                                        s.friction[c]);
    return f.x * e.n + f.y * e.t1 + f.z * e.t2;
  }

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    if (block.index() > 0) {
      block.threads([&](int t) {
        const std::size_t d = (block.index() - 1) * kThreads + static_cast<std::size_t>(t);
        if (d >= sweep.problem.points() || d / kSweepGroup == group || d / kSweepGroup == previous) return;
        sweep.u[d] = moved(d);
      });
      return;
    }
    if (group == kNoSweepGroup) return;
    visit(block);
  }

  template <class Block>
  SINEW_HD void visit(Block& block) const {
    Shared& s = block.shared();
    const ContactView& p = sweep.problem;
    const std::size_t first = group * kSweepGroup;
    const int points = static_cast<int>(end_of(group) - first);
    block.threads([&](int t) {
      for (int k = t; k < points * points; k += kThreads)
        s.gram[k / points][k % points] =
            p.gram.entry[(first + static_cast<std::size_t>(k / points)) * p.gram.count + first +
                         static_cast<std::size_t>(k % points)];
      if (t == 0) s.largest = 0.0;
      if (t >= points) return;
      const std::size_t c = first + static_cast<std::size_t>(t);
      s.u[t] = moved(c);
      s.unknown[t] = sweep.unknown[c];
      s.frame[t] = p.frame[c];
      s.weight[t] = sweep.weight[c];
      s.friction[t] = p.friction[c];
      s.held[t] = p.held_compliance[c];
      s.law[t] = p.law[c];
    });
    for (int c = 0; c < points; ++c) visit_point(block, first, points, c);
    block.threads([&](int t) {
      if (t == 0) sweep.largest[group] = s.largest;
      if (t >= points) return;
      const std::size_t c = first + static_cast<std::size_t>(t);
      sweep.u[c] = s.u[t];
      sweep.unknown[c] = s.unknown[t];
      sweep.change[c] = s.change[t];
    });
  }

  template <class Block>
  SINEW_HD void visit_point(Block& block, std::size_t first, int points, int c) const {
    Shared& s = block.shared();
    const LowRankView& metric = sweep.problem.metric;
    const std::size_t point = first + static_cast<std::size_t>(c);
    const bool low_rank = metric.column.size > 0;
    if (low_rank) {
      block.threads([&](int t) {
        if (t >= kGroup) return;
        Vec3d sum{};
        for (std::size_t k = metric.row[point]; k < metric.row[point + 1]; ++k) {
          const LowRankSegment segment = metric.segment[k];
          for (std::size_t j = static_cast<std::size_t>(t); j < segment.width; j += kSweepGroup)
            sum += sweep.z[segment.z + j] * metric.projected[segment.vector + j];
        }
        s.part[t] = sum;
      });
      sum_pairwise(block, s.part, kGroup);
    }
    block.threads([&](int t) {
      if (t != 0) return;
      s.change[c] = s.difference = {0.0, 0.0, 0.0};
      if (s.law[c] == PointLaw::none) return;
      const Vec3d u = low_rank ? s.u[c] + s.part[0] : s.u[c];
      const Vec3d force = solve_point(s, c, u - s.weight[c] * s.unknown[c]);
      s.difference = force - s.unknown[c];
      s.change[c] = sweep.problem.squared_step * s.difference;
      s.unknown[c] = force;
      const double size = s.weight[c] * norm(s.difference);
      if (size > s.largest) s.largest = size;
    });
    block.threads([&](int t) {
      if (t < points) s.u[t] += s.gram[c][t] * s.change[c];
      if (!low_rank) return;
      for (std::size_t k = metric.row[point]; k < metric.row[point + 1]; ++k) {
        const LowRankSegment segment = metric.segment[k];
        for (std::size_t j = static_cast<std::size_t>(t); j < segment.width; j += kThreads)
          sweep.z[segment.z + j] += dot(metric.q[segment.vector + j], s.difference);
      }
    });
  }
};

/// One block: the row's value, its force, and what that adds to z.
struct VisitScalarKernel {
  static constexpr int kThreads = 128;
  struct Shared {
    double part[kThreads];
    double change;
  };
  SweepView sweep;
  std::size_t row;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    Shared& s = block.shared();
    const ContactView& p = sweep.problem;
    block.threads([&](int t) {
      const DeviceScalarRow& r = p.scalar[row];
      double sum = 0.0;
      for (std::size_t k = r.first + static_cast<std::size_t>(t); k < r.end; k += kThreads) {
        const std::size_t c = p.entry[k].point;
        sum += dot(p.entry[k].direction, sweep.u[c] + p.metric.at(c, sweep.z.data));
      }
      s.part[t] = sum;
    });
    sum_pairwise(block, s.part, kThreads);
    block.threads([&](int t) {
      if (t != 0) return;
      const DeviceScalarRow& r = p.scalar[row];
      const std::size_t i = p.points() + row;
      const double own = sweep.weight[i], total = own + r.compliance, before = sweep.unknown[i].x;
      double force = total > 0.0 ? (own * before - (r.offset + s.part[0])) / total : before;
      if (total > 0.0 && r.one_sided && !(force > 0.0)) force = 0.0;
      s.change = force - before;
      sweep.unknown[i] = {force, 0.0, 0.0};
      sweep.change[i] = {p.squared_step * s.change, 0.0, 0.0};
      const double size = own * (s.change < 0.0 ? -s.change : s.change);
      sweep.largest[block_count(p.points(), kSweepGroup) + row] = size;
    });
    block.threads([&](int t) {
      if (p.metric.column.size == 0) return;
      const DeviceScalarRow& r = p.scalar[row];
      for (std::size_t e = r.first; e < r.end; ++e) {  // a number of z is of one thread
        const std::size_t c = p.entry[e].point;
        for (std::size_t k = p.metric.row[c]; k < p.metric.row[c + 1]; ++k) {
          const LowRankSegment segment = p.metric.segment[k];
          for (std::size_t j = static_cast<std::size_t>(t); j < segment.width; j += kThreads)
            sweep.z[segment.z + j] += dot(p.metric.q[segment.vector + j], s.change * p.entry[e].direction);
        }
      }
    });
  }
};

struct MoveByScalarKernel {
  SweepView sweep;
  std::size_t row;
  SINEW_HD void operator()(std::size_t d) const {
    const ContactView& p = sweep.problem;
    const double change = sweep.change[p.points() + row].x;
    Vec3d u = sweep.u[d];
    for (std::size_t k = p.scalar[row].first; k < p.scalar[row].end; ++k)
      u += p.gram.entry[p.entry[k].point * p.gram.count + d] * (change * p.entry[k].direction);
    sweep.u[d] = u;
  }
};

namespace op {

template <class Queue>
void gather_forces(Queue& queue, const ContactView& problem, View<const Vec3d> x, View<Vec3d> to) {
  queue.for_each(problem.points(), GatherForcesKernel{problem, x.data, to.data});
}
template <class Queue>
void scalar_compliances(Queue& queue, const ContactView& problem) {
  queue.launch(problem.scalar.size, ScalarCompliancesKernel{problem});
}
template <class Queue>
void sweep_weights(Queue& queue, const ContactView& problem, View<double> weight) {
  queue.for_each(problem.unknowns(), SweepWeightsKernel{problem, weight.data});
}
template <class Queue>
void sweep_group(Queue& queue, const SweepView& sweep, std::size_t group, std::size_t previous) {
  const std::size_t moving = previous == kNoSweepGroup ? 0 : sweep.problem.points();
  queue.launch(1 + block_count(moving, SweepGroupKernel::kThreads), SweepGroupKernel{sweep, group, previous});
}
template <class Queue>
void sweep_scalar(Queue& queue, const SweepView& sweep, std::size_t row) {
  queue.launch(1, VisitScalarKernel{sweep, row});
  queue.for_each(sweep.problem.points(), MoveByScalarKernel{sweep, row});
}

}  // namespace op

}  // namespace sinew
