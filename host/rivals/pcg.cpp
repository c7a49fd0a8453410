#include "host/rivals/pcg.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {

namespace {

constexpr std::size_t kGrain = 1024;

Vec3d by_component(const Vec3d& a, const Vec3d& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

/// What each of the three systems is doing.
struct Columns {
  Vec3d target, rr, best_rr, rz;
  bool active[3] = {true, true, true};

  bool any() const { return active[0] || active[1] || active[2]; }
  void stop_where_reached() {
    for (int c = 0; c < 3; ++c)
      if (!std::isfinite(rr[c]) || rr[c] <= target[c]) active[c] = false;
  }
  /// rz / pq where both are positive; else the column has broken down and stops.
  Vec3d step_lengths(const Vec3d& pq) {
    Vec3d alpha;
    for (int c = 0; c < 3; ++c) {
      if (!active[c]) continue;
      alpha[c] = rz[c] / pq[c];
      if (rz[c] > 0.0 && pq[c] > 0.0 && std::isfinite(alpha[c])) continue;
      alpha[c] = 0.0;
      active[c] = false;
    }
    return alpha;
  }
};

}  // namespace

PcgSolver::PcgSolver(const SymmetricMatrix& matrix, const SolverSettings& settings)
    : order_(elimination_order(matrix, settings.factor)),
      matrix_(permuted_rows(matrix, order_)),
      tolerance_(settings.pcg_tolerance),
      max_iterations_(settings.pcg_max_iterations) {
  if (settings.preconditioner == Preconditioner::block_jacobi)
    preconditioner_ = make_block_jacobi(matrix_);
  else
    preconditioner_ = std::make_unique<IncompleteCholesky>(matrix_);
}

LinearSolver::Sizes PcgSolver::sizes() const {
  Sizes sizes;
  sizes.stored_entries = matrix_.value.size() + preconditioner_->stored_entries();
  sizes.bytes = matrix_.bytes() + preconditioner_->bytes();
  return sizes;
}

void PcgSolver::solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const {
  auto& w = static_cast<PcgWorkspace&>(workspace);
  for (auto* array : {&w.x, &w.best, &w.residual, &w.direction, &w.product, &w.preconditioned})
    array->resize(order_.size());
  w.iterations = 0;
  for (std::size_t c = 0; c < count; ++c) w.iterations = std::max(w.iterations, solve_block(block[c], w));
}

int PcgSolver::solve_block(Vec3d* block, PcgWorkspace& w) const {
  const std::size_t n = order_.size();
  const auto sum = [&](auto&& term) { return ordered_sum(n, w.scratch, term); };
  Columns columns;
  columns.rr = columns.best_rr = sum([&](std::size_t i) {
    w.x[i] = w.best[i] = {};
    w.residual[i] = block[i];
    return by_component(block[i], block[i]);
  });
  columns.target = columns.rr * (tolerance_ * tolerance_);
  const Vec3d right_side = columns.rr;
  columns.stop_where_reached();
  if (columns.any()) {
    preconditioner_->apply(w.residual.data(), w.preconditioned.data());
    columns.rz = sum([&](std::size_t i) {
      w.direction[i] = w.preconditioned[i];
      return by_component(w.residual[i], w.preconditioned[i]);
    });
  }
  int iteration = 0;
  while (iteration < max_iterations_ && columns.any()) {
    const Vec3d pq = sum([&](std::size_t i) {
      w.product[i] = matrix_.row_product(i, w.direction.data());
      return by_component(w.direction[i], w.product[i]);
    });
    const Vec3d alpha = columns.step_lengths(pq);
    if (!columns.any()) break;
    ++iteration;
    // The residual of conjugate gradients is not monotone: keep the iterate before leaving the best one.
    bool keep[3];
    for (int c = 0; c < 3; ++c) {
      keep[c] = columns.active[c] && columns.rr[c] <= columns.best_rr[c];
      if (keep[c]) columns.best_rr[c] = columns.rr[c];
    }
    columns.rr = sum([&](std::size_t i) {
      Vec3d& x = w.x[i];
      if (keep[0]) w.best[i].x = x.x;
      if (keep[1]) w.best[i].y = x.y;
      if (keep[2]) w.best[i].z = x.z;
      x += by_component(alpha, w.direction[i]);
      w.residual[i] -= by_component(alpha, w.product[i]);
      return by_component(w.residual[i], w.residual[i]);
    });
    columns.stop_where_reached();
    if (!columns.any()) break;
    preconditioner_->apply(w.residual.data(), w.preconditioned.data());
    const Vec3d rz = sum([&](std::size_t i) { return by_component(w.residual[i], w.preconditioned[i]); });
    Vec3d beta;
    for (int c = 0; c < 3; ++c) beta[c] = columns.active[c] ? rz[c] / columns.rz[c] : 0.0;
    columns.rz = rz;
    for_each(n, kGrain, [&](std::size_t i) {
      w.direction[i] = w.preconditioned[i] + by_component(beta, w.direction[i]);
    });
  }
  Vec3d invalid;
  for (int c = 0; c < 3; ++c)
    if (!std::isfinite(right_side[c])) invalid[c] = std::numeric_limits<double>::quiet_NaN();
  for_each(n, kGrain, [&](std::size_t i) {
    for (int c = 0; c < 3; ++c)
      block[i][c] = (columns.rr[c] <= columns.best_rr[c] ? w.x[i][c] : w.best[i][c]) + invalid[c];
  });
  return iteration;
}

}  // namespace sinew
