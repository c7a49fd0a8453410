// W = H A^-1 H^T as published: on the 3n x 3n system, three rows per contact, S = L^-1 as one sparse matrix
// and two sparse products. The baseline of the scalar ways.
#pragma once

#include <vector>

#include "engine/delassus/point_rows.hpp"
#include "engine/precompute/body_precompute.hpp"
#include "host/rivals/sparse_inverse.hpp"
#include "kernels/element/contact/coulomb.hpp"

namespace sinew::bench {

class PlainDelassus {
 public:
  /// system: A_s of the body, all nodes free, in the user's order. @throws MemoryError, BackendError.
  PlainDelassus(const SymmetricMatrix& system, const BodyPrecomputed& body);

  /// w: {3c, 3c} row-major, rows (n, t1, t2) of each point; both triangles, the lower one copied.
  void assemble(const PointRows& rows, const std::vector<ContactFrame<double>>& frames,
                std::vector<double>& w);
  std::size_t nonzeros() const { return value_.size(); }  ///< of Y = S H^T

 private:
  void first_product(const PointRows& rows, const std::vector<ContactFrame<double>>& frames);
  void transpose();

  SparseInverse<double> inverse_;
  std::vector<Index> place_;  ///< {n} of the body's internal order: place in the order of S
  // Y by columns (one constraint each) and by rows, of the 3n system: 3 * node + component.
  std::vector<std::size_t> start_, row_start_;
  std::vector<Index> row_, column_;
  std::vector<double> value_, row_value_;
};

}  // namespace sinew::bench
