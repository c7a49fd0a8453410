#include <algorithm>

#include <Eigen/Cholesky>

#include <sinew/errors.hpp>

#include "host/rivals/preconditioner.hpp"

namespace sinew {

namespace {

class BlockJacobi : public PreconditionerOperator {
 public:
  explicit BlockJacobi(const CsrMatrix<double>& matrix);

  void apply(const Vec3d* r, Vec3d* z) const override;
  std::size_t stored_entries() const override { return inverse_.size(); }
  std::size_t bytes() const override { return inverse_.size() * sizeof(double); }

 private:
  Index size_;
  std::vector<double> inverse_;  ///< block after block, row by row; all blocks but the last are full
};

BlockJacobi::BlockJacobi(const CsrMatrix<double>& matrix) : size_(matrix.rows()) {
  for (Index first = 0; first < size_; first += kBlockJacobiNodes) {
    const Index width = std::min(kBlockJacobiNodes, size_ - first);
    Eigen::MatrixXd block = Eigen::MatrixXd::Zero(width, width);
    for (Index i = 0; i < width; ++i)
      for (std::size_t p = matrix.row_start[first + i]; p < matrix.row_start[first + i + 1]; ++p) {
        const Index j = matrix.column[p] - first;
        if (j >= 0 && j < width) block(i, j) = matrix.value[p];
      }
    const Eigen::LLT<Eigen::MatrixXd> llt(block);
    if (llt.info() != Eigen::Success)
      throw BackendError("block-Jacobi: the system is not positive definite near row " +
                         std::to_string(first) + " of the elimination order");
    const Eigen::MatrixXd inverse = llt.solve(Eigen::MatrixXd::Identity(width, width));
    // Both halves from one, so that the operator is symmetric to the last bit.
    for (Index i = 0; i < width; ++i)
      for (Index j = 0; j < width; ++j) inverse_.push_back(inverse(std::max(i, j), std::min(i, j)));
  }
}

void BlockJacobi::apply(const Vec3d* r, Vec3d* z) const {
  for_each(static_cast<std::size_t>(size_), 128, [&](std::size_t i) {
    const std::size_t first = i / kBlockJacobiNodes * kBlockJacobiNodes;
    const std::size_t width = std::min<std::size_t>(kBlockJacobiNodes, size_ - first);
    const double* row = inverse_.data() + first * kBlockJacobiNodes + (i - first) * width;
    Vec3d sum;
    for (std::size_t j = 0; j < width; ++j) sum += row[j] * r[first + j];
    z[i] = sum;
  });
}

}  // namespace

std::unique_ptr<PreconditionerOperator> make_block_jacobi(const CsrMatrix<double>& matrix) {
  return std::make_unique<BlockJacobi>(matrix);
}

}  // namespace sinew
