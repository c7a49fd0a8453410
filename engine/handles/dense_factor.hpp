// Factor of a symmetric positive semidefinite matrix: Cholesky with diagonal pivoting, which tells the rank.
#pragma once

#include <cstddef>
#include <vector>

namespace sinew {

/// K of n held points. Where rows depend on others (two handles on one node), K has no inverse; then its
/// pseudo-inverse takes the place: with independent rows i, K = J K_ii J^T, J = [1; T], N = J^T J,
///     K^+ = J N^-1 K_ii^-1 N^-1 J^T = E E^T,     K_ii = L L^T,     E^T = L^-1 N^-1 J^T:
/// contradicting targets are met in the sense of least squares, and forces are the least that do it.
class DenseFactor {
 public:
  /// matrix: {n, n} row-major. Rows whose pivot is below kDependent of their diagonal count as dependent.
  void compute(const std::vector<double>& matrix, std::size_t n);

  std::size_t size() const { return order_.size(); }
  std::size_t rank() const { return rank_; }
  /// block {size, columns} row-major := E^T block, in its first rank() rows.
  void half_solve(std::vector<double>& block, std::size_t columns) const;
  /// block := E block: {rank, columns} in, {size, columns} out.
  void half_solve_back(std::vector<double>& block, std::size_t columns) const;

 private:
  static constexpr double kDependent = 1e-11;

  void pivoted_cholesky(const std::vector<double>& matrix);
  void relate_dependent_rows();

  std::vector<std::size_t> order_;  ///< {n}: place in the matrix of each pivot; independent ones first
  std::size_t rank_ = 0;
  std::vector<double> lower_;   ///< {n, n} row-major in the order of pivots; rows below rank_: K_di L^-T
  std::vector<double> relate_;  ///< {n - rank, rank} T
  std::vector<double> normal_;  ///< {rank, rank} Cholesky factor of N; only where rank < n
};

/// matrix {n, n} row-major and columns {n, columns}: columns := matrix^-1 columns, by elimination with row
/// pivoting. False where matrix is singular.
bool solve_dense(std::vector<double> matrix, std::size_t n, std::vector<double>& columns,
                 std::size_t column_count);

}  // namespace sinew
