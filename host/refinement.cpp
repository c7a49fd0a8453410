#include "host/refinement.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

struct RefinedWorkspace : LinearSolver::Workspace {
  std::unique_ptr<LinearSolver::Workspace> inner;
  std::vector<std::vector<Vec3d>> right_side, correction;  ///< by block
  std::vector<Vec3d*> correction_block;
};

}  // namespace

RefinedSolver::RefinedSolver(std::unique_ptr<LinearSolver> inner, const SymmetricMatrix& matrix, int steps)
    : inner_(std::move(inner)), matrix_(permuted_rows(matrix, inner_->order())), steps_(steps) {}

LinearSolver::Sizes RefinedSolver::sizes() const {
  Sizes sizes = inner_->sizes();
  if (steps_ > 0) {
    sizes.stored_entries += matrix_.value.size();
    sizes.bytes += matrix_.bytes();
  }
  return sizes;
}

double RefinedSolver::spectral_radius() const {
  return std::pow(inner_->spectral_radius(), steps_ + 1);
}

std::unique_ptr<LinearSolver::Workspace> RefinedSolver::make_workspace() const {
  auto workspace = std::make_unique<RefinedWorkspace>();
  workspace->inner = inner_->make_workspace();
  return workspace;
}

void RefinedSolver::solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const {
  auto& w = static_cast<RefinedWorkspace&>(workspace);
  if (steps_ == 0) return inner_->solve(block, count, *w.inner);
  const std::size_t n = static_cast<std::size_t>(size());
  for (std::size_t c = w.right_side.size(); c < count; ++c) {
    w.right_side.emplace_back(n);
    w.correction_block.push_back(w.correction.emplace_back(n).data());
  }
  for (std::size_t c = 0; c < count; ++c) std::copy(block[c], block[c] + n, w.right_side[c].begin());
  inner_->solve(block, count, *w.inner);
  for (int step = 0; step < steps_; ++step) {
    for (std::size_t c = 0; c < count; ++c)
      for_each(n, 256, [&](std::size_t i) {
        w.correction[c][i] = w.right_side[c][i] - matrix_.row_product(i, block[c]);
      });
    inner_->solve(w.correction_block.data(), count, *w.inner);
    for (std::size_t c = 0; c < count; ++c)
      for_each(n, 1024, [&](std::size_t i) { block[c][i] += w.correction[c][i]; });
  }
}

}  // namespace sinew
