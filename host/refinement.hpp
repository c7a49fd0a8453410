// Iterative refinement of any linear solver: x := S b, then repeatedly x += S (b - A x), all outside S in
// double (Wilkinson 1963). It brings an inverse held in float back to the accuracy of double.
#pragma once

#include "host/csr.hpp"
#include "host/linear_solver.hpp"

namespace sinew {

class RefinedSolver : public LinearSolver {
 public:
  /// steps >= 0.
  RefinedSolver(std::unique_ptr<LinearSolver> inner, const SymmetricMatrix& matrix, int steps);

  const std::vector<Index>& order() const override { return inner_->order(); }
  Sizes sizes() const override;
  double spectral_radius() const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  void solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const override;
  const LinearSolver& inner() const { return *inner_; }

 private:
  std::unique_ptr<LinearSolver> inner_;
  CsrMatrix<double> matrix_;  ///< in the solver's order
  int steps_;
};

}  // namespace sinew
