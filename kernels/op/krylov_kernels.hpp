// Bodies of conjugate residual (Stiefel 1955), scaled by the diagonal, with its numbers on the device.
#pragma once

#include "kernels/device/kernel.hpp"
#include "kernels/op/contact_kernels.hpp"
#include "kernels/op/newton_ops.hpp"
#include "kernels/op/vector_kernels.hpp"

namespace sinew {

/// Shared memory of blocks that begin with a sum of parts and end with parts of another one.
struct KrylovShared {
  double part[kNewtonItems];
};

/// part[0] = sum of n numbers, in an order that n alone decides.
template <class Block>
SINEW_HD void sum_of_parts(Block& block, double* part, const double* numbers, std::size_t n) {
  block.threads([&](int t) {
    double sum = 0.0;
    for (std::size_t b = static_cast<std::size_t>(t); b < n; b += kNewtonItems) sum += numbers[b];
    part[t] = sum;
  });
  sum_pairwise(block, part, static_cast<int>(kNewtonItems));
}

/// Parts of r . r come in; push = Omega.. D^-1/2 r of the points in world axes.
struct KrylovForcesKernel {
  static constexpr int kThreads = static_cast<int>(kNewtonItems);
  using Shared = KrylovShared;
  NewtonView n;
  int k;

  SINEW_HD Vec3d scaled(std::size_t i) const {
    Vec3d v = n.r[i];
    for (int c = 0; c < 3; ++c) v[c] *= n.scale[i][c] * n.share[i][c];
    return v;
  }

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    double* part = block.shared().part;
    const std::size_t blocks = block_count(n.unknowns(), kNewtonItems);
    const KrylovState before = k > 0 ? n.iteration(k - 1) : KrylovState{};
    KrylovState now;
    now.steps = before.steps;
    now.enough = before.enough;
    now.started = before.started;
    now.done = before.done || before.broken;
    if (!now.done) {  // alike for all threads
      sum_of_parts(block, part, n.part.data, blocks);
      const double rr = part[0];
      if (k == 0) now.enough = n.relative * n.relative * rr;
      now.done = k == 0 ? !(rr > 0.0) : rr <= now.enough;
      if (k == 0) now.started = !now.done;
    }
    block.threads([&](int t) {
      if (block.index() == 0 && t == 0) n.iteration(k) = now;
      const std::size_t i = block.index() * kNewtonItems + static_cast<std::size_t>(t);
      if (now.done || i >= n.problem.points()) return;
      const ContactView& p = n.problem;
      Vec3d f = p.world(i, scaled(i));
      if (p.scalar.size > 0)
        for (std::size_t u = p.use_start[i]; u < p.use_start[i + 1]; ++u)
          f += scaled(p.points() + p.use[u].row).x * p.use[u].direction;
      n.push[i] = f;
    });
  }
};

/// ar = D^-1/2 (Omega.. h^2 W Omega.. + E) D^-1/2 r from move. Parts of r . ar go out.
struct KrylovProductKernel {
  static constexpr int kThreads = static_cast<int>(kNewtonItems);
  using Shared = KrylovShared;
  NewtonView n;
  int k;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    if (n.iteration(k).done) return;
    double* part = block.shared().part;
    block.threads([&](int t) {
      const std::size_t i = block.index() * kNewtonItems + static_cast<std::size_t>(t);
      part[t] = 0.0;
      if (i >= n.unknowns()) return;
      const ContactView& p = n.problem;
      const Vec3d moved =
          i < p.points() ? p.local(i, n.move[i]) : Vec3d{p.value(i - p.points(), n.move.data), 0.0, 0.0};
      const Vec3d r = n.r[i];
      Vec3d ar;
      for (int c = 0; c < 3; ++c)
        ar[c] = n.scale[i][c] * (n.share[i][c] * moved[c] + n.e[i][c] * n.scale[i][c] * r[c]);
      n.ar[i] = ar;
      part[t] = dot(r, ar);
    });
    write_sum(block, part, kThreads, &n.part[block.index()]);
  }
};

/// Parts of r . ar come in; p = r + beta p, A p likewise. Parts of A p . A p go out, behind the others.
struct KrylovDirectionKernel {
  static constexpr int kThreads = static_cast<int>(kNewtonItems);
  using Shared = KrylovShared;
  NewtonView n;
  int k;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    if (n.iteration(k).done) return;
    double* part = block.shared().part;
    const std::size_t blocks = block_count(n.unknowns(), kNewtonItems);
    sum_of_parts(block, part, n.part.data, blocks);
    const double rar = part[0];
    const double beta = k > 0 ? rar / n.iteration(k - 1).rar : 0.0;
    block.threads([&](int) {});  // part[0] has been read
    block.threads([&](int t) {
      if (block.index() == 0 && t == 0) n.iteration(k).rar = rar;
      const std::size_t i = block.index() * kNewtonItems + static_cast<std::size_t>(t);
      part[t] = 0.0;
      if (i >= n.unknowns()) return;
      Vec3d p = n.r[i], ap = n.ar[i];
      if (k > 0) {
        p += beta * n.p[i];
        ap += beta * n.ap[i];
      }
      n.p[i] = p;
      n.ap[i] = ap;
      part[t] = dot(ap, ap);
    });
    write_sum(block, part, kThreads, &n.part[blocks + block.index()]);
  }
};

/// Parts of A p . A p come in; x += alpha p, r -= alpha A p. Parts of r . r go out.
struct KrylovStepKernel {
  static constexpr int kThreads = static_cast<int>(kNewtonItems);
  using Shared = KrylovShared;
  NewtonView n;
  int k;

  template <class Block>
  SINEW_HD void operator()(Block& block) const {
    const KrylovState& now = n.iteration(k);
    if (now.done) return;
    double* part = block.shared().part;
    const std::size_t blocks = block_count(n.unknowns(), kNewtonItems);
    sum_of_parts(block, part, n.part.data + blocks, blocks);
    const double below = part[0], rar = now.rar;
    const bool broken = !(below > 0.0) || !(rar > 0.0);
    const double alpha = broken ? 0.0 : rar / below;
    block.threads([&](int) {});  // part[0] has been read
    block.threads([&](int t) {
      if (block.index() == 0 && t == 0) {
        n.iteration(k).broken = broken;
        n.iteration(k).steps += !broken;
      }
      const std::size_t i = block.index() * kNewtonItems + static_cast<std::size_t>(t);
      part[t] = 0.0;
      if (broken || i >= n.unknowns()) return;
      n.x[i] += alpha * n.p[i];
      const Vec3d r = n.r[i] - alpha * n.ap[i];
      n.r[i] = r;
      part[t] = dot(r, r);
    });
    write_sum(block, part, kThreads, &n.part[block.index()]);
  }
};

namespace op {

template <class Queue>
void krylov_forces(Queue& queue, const NewtonView& newton, int k) {
  queue.launch(block_count(newton.unknowns(), kNewtonItems), KrylovForcesKernel{newton, k});
}
template <class Queue>
void krylov_product(Queue& queue, const NewtonView& newton, int k) {
  queue.launch(block_count(newton.unknowns(), kNewtonItems), KrylovProductKernel{newton, k});
}
template <class Queue>
void krylov_step(Queue& queue, const NewtonView& newton, int k) {
  const std::size_t blocks = block_count(newton.unknowns(), kNewtonItems);
  queue.launch(blocks, KrylovDirectionKernel{newton, k});
  queue.launch(blocks, KrylovStepKernel{newton, k});
}

}  // namespace op

}  // namespace sinew
