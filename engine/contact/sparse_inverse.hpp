// Sparse factor of the inverse of a dense Gram matrix, as a preconditioner for thousands of points.
#pragma once

#include <cstddef>
#include <vector>

namespace sinew {

struct SplitVectors;

/// G^-1 ~ W^T D^-1 W with unit lower triangular W: every point is predicted from its nearest ones among those
/// before it, in an order from coarse to fine (Vecchia 1988; Schaefer, Katzfuss and Owhadi 2021). For
/// compliances, which are Green's functions, few neighbours suffice: entries of the inverse fall off fast in
/// that order. Distances are taken from G itself, so that bodies need no geometry here. Cost: n^2 to order
/// and n k^3 to factor for k neighbours, against n^3 / 3 of a dense factor; 4 n k for a product.
class SparseInverse {
 public:
  static constexpr std::size_t kNeighbours = 24;

  /// gram: {n, n} row-major, symmetric. Same bits on any thread count.
  void factor(const std::vector<double>& gram, std::size_t n);
  std::size_t size() const { return pivot_.size(); }
  /// x := W^T D^-1 W x, three components at once.
  void solve(SplitVectors& x) const;

 private:
  void order(const std::vector<double>& gram);
  void predict(const std::vector<double>& gram);
  void transpose();

  std::vector<std::size_t> order_;      ///< {n} points from coarse to fine
  std::vector<std::size_t> rank_;       ///< {n} place of a point in it
  std::vector<double> pivot_;           ///< {n} 1 / D
  std::vector<std::size_t> count_;      ///< {n} neighbours of a point
  std::vector<std::size_t> neighbour_;  ///< {n, k}
  std::vector<double> weight_;          ///< {n, k} entries of -W
  std::vector<std::size_t> start_;      ///< {n + 1} columns of W below the diagonal
  std::vector<std::size_t> row_;
  std::vector<double> value_;
};

}  // namespace sinew
