// S = L^-1 as a whole in compressed rows, A^-1 = S^T S: the published form, with one matrix for the three
// components (A = A_s (x) I_3) instead of one three times as long.
//
// Column j of S is full exactly at the ancestors of j in the elimination tree (Gilbert 1994), so that size
// and structure are known before a number is. S and S^T are both stored: both products then run over rows.
#pragma once

#include "host/csr.hpp"
#include "host/linear_solver.hpp"

namespace sinew {

struct InverseCount {
  double entries = 0.0;
  double bytes = 0.0;
};

/// One copy of S of the scalar system in compressed rows: values in double, columns and row starts 32 bits.
InverseCount count_scalar_inverse(const std::vector<Index>& parent);
/// The same of the 3n x 3n system, the published form: three times the entries. (The published memory, 1310
/// MB for a bar of 20.8k vertices, is about twice this count: S and S^T both stored would explain it.)
InverseCount count_published_inverse(const std::vector<Index>& parent);

/// T: double, or float for values, blocks and sums in float.
template <class T>
class SparseInverse : public LinearSolver {
 public:
  /// @throws MemoryError if S and S^T would pass the limit [bytes], 0: none.
  SparseInverse(const CholeskyFactor& factor, double memory_limit);

  const std::vector<Index>& order() const override { return order_; }
  Sizes sizes() const override;
  std::unique_ptr<Workspace> make_workspace() const override;
  void solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const override;

  const CsrMatrix<T>& rows() const { return rows_; }              ///< S
  const CsrMatrix<T>& transposed() const { return transposed_; }  ///< S^T: row j lists j and its ancestors

 private:
  void fill(const CholeskyFactor& factor, const std::vector<Index>& path_length);

  std::vector<Index> order_;
  std::size_t nnz_factor_;
  CsrMatrix<T> rows_, transposed_;
};

extern template class SparseInverse<double>;
extern template class SparseInverse<float>;

/// In the precision that the settings name.
std::unique_ptr<LinearSolver> make_sparse_inverse(const SymmetricMatrix& matrix,
                                                  const SolverSettings& settings, double memory_limit);

}  // namespace sinew
