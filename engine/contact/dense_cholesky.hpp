// Dense Cholesky factor of a scalar matrix, for right-hand sides of three components.
#pragma once

#include <cstddef>
#include <vector>

namespace sinew {

struct SplitVectors;

/// U^T U = A. Pivots that vanish against their diagonal entry (two rows on one node) are set to that entry:
/// the row is then decoupled, which a preconditioner may do.
class DenseCholesky {
 public:
  /// a: {n, n} row-major, its upper triangle is read and becomes U. Same bits on any thread count.
  void factor(std::vector<double> a, std::size_t n);
  std::size_t size() const { return n_; }
  std::size_t vanished() const { return vanished_; }  ///< pivots
  /// x := A^-1 x, three components at once.
  void solve(SplitVectors& x) const;

 private:
  std::size_t n_ = 0, vanished_ = 0;
  std::vector<double> u_;        ///< {n, n} row-major: U, and U^T below the diagonal
  std::vector<double> inverse_;  ///< {n} 1 / U_kk
};

}  // namespace sinew
