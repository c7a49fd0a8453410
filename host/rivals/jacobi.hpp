// One damped Jacobi sweep x := omega D^-1 b: the incomplete solution of the literature on fast simulation.
// With b the residual of the current positions it is one step of x <- x + omega D^-1 (b - A x), whose
// iteration matrix I - omega D^-1 A has the spectral radius below one for every A that is positive definite.
#pragma once

#include "host/linear_solver.hpp"

namespace sinew {

class JacobiSweep : public LinearSolver {
 public:
  /// omega = 2 / (least + largest eigenvalue of D^-1 A), the best constant: it makes the spectrum of the
  /// iteration matrix symmetric about zero, as Chebyshev weights assume. Both eigenvalues by Lanczos steps
  /// from a fixed start (far fewer than power iterations for the same accuracy); the largest with a margin of
  /// 1 % but never above the bound of Gershgorin's circles.
  /// @throws BackendError if A is seen not to be positive definite.
  explicit JacobiSweep(const SymmetricMatrix& matrix);

  const std::vector<Index>& order() const override { return order_; }  ///< the matrix's own
  Sizes sizes() const override;
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Workspace>(); }
  void solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const override;

  double damping() const { return damping_; }  ///< omega
  double spectral_radius() const override { return spectral_radius_; }

 private:
  std::vector<Index> order_;
  std::vector<double> scale_;  ///< omega / a_ii
  double damping_ = 1.0, spectral_radius_ = 0.0;
};

/// Weight of the iteration after k (counted from 0) in
///   x_{k+1} = w_{k+1} (x_k + omega D^-1 (b - A x_k) - x_{k-1}) + x_{k-1},     w_1 = 1,
///   w_2 = 2 / (2 - rho^2),  w_{k+1} = 4 / (4 - rho^2 w_k)     (Golub and Varga 1961; Wang 2015).
/// weight: w_k; ignored for k = 0.
double chebyshev_weight(int k, double weight, double spectral_radius);

}  // namespace sinew
