// Approximate inverses for conjugate gradients: z = M^-1 r for n x 3 blocks.
#pragma once

#include <memory>

#include "host/csr.hpp"

namespace sinew {

class PreconditionerOperator {
 public:
  virtual ~PreconditionerOperator() = default;
  /// r, z: {n}, not the same array. Allocates nothing; same bits for any number of threads.
  virtual void apply(const Vec3d* r, Vec3d* z) const = 0;
  virtual std::size_t stored_entries() const = 0;
  virtual std::size_t bytes() const = 0;
};

/// Dense inverses of the diagonal blocks of kBlockJacobiNodes consecutive nodes: in nested-dissection order
/// these lie close together. @throws BackendError if a block is not positive definite.
inline constexpr Index kBlockJacobiNodes = 32;
std::unique_ptr<PreconditionerOperator> make_block_jacobi(const CsrMatrix<double>& matrix);

/// IC(0): L~ L~^T with the structure of A, of A + shift diag(A) where A itself breaks down (Manteuffel 1980:
/// the shift grows until all pivots are positive, which a dominant diagonal guarantees).
class IncompleteCholesky : public PreconditionerOperator {
 public:
  /// @throws BackendError if a diagonal entry is not positive or an entry not finite.
  explicit IncompleteCholesky(const CsrMatrix<double>& matrix);

  void apply(const Vec3d* r, Vec3d* z) const override;
  std::size_t stored_entries() const override { return lower_.value.size() + upper_.value.size(); }
  std::size_t bytes() const override;
  double shift() const { return shift_; }  ///< relative to the diagonal; 0 if A itself could be factored

 private:
  bool factor(const CsrMatrix<double>& matrix, double shift);

  CsrMatrix<double> lower_, upper_;       ///< strict triangles of L~ and L~^T by rows
  std::vector<double> inverse_diagonal_;  ///< 1 / l_ii
  double shift_ = 0.0;
};

}  // namespace sinew
