// Preconditioned conjugate gradients on n x 3 blocks (Hestenes and Stiefel 1952): the three columns are three
// systems with coefficients of their own that share the products.
#pragma once

#include "host/linear_solver.hpp"
#include "host/rivals/preconditioner.hpp"

namespace sinew {

class PcgSolver : public LinearSolver {
 public:
  struct PcgWorkspace : Workspace {
    int iterations = 0;  ///< of the last solve: the most that a block took
    std::vector<Vec3d> x, best, residual, direction, product, preconditioned, scratch;
  };

  /// @throws BackendError if A is seen not to be positive definite.
  PcgSolver(const SymmetricMatrix& matrix, const SolverSettings& settings);

  const std::vector<Index>& order() const override { return order_; }
  Sizes sizes() const override;
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<PcgWorkspace>(); }

  /// A column stops by itself where |b - A x| <= tolerance |b|, so that its bits do not depend on the columns
  /// beside it. After pcg_max_iterations the iterate with the least residual is returned; a zero column stays
  /// zero; one whose norm is not finite becomes NaN.
  void solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const override;

 private:
  int solve_block(Vec3d* block, PcgWorkspace& w) const;

  std::vector<Index> order_;
  CsrMatrix<double> matrix_;
  std::unique_ptr<PreconditionerOperator> preconditioner_;
  double tolerance_;
  int max_iterations_;
};

}  // namespace sinew
