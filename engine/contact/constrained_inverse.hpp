// The inverse of the compliance of points where some force components are bound: what slides, and what is
// off.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "engine/contact/contact_operator.hpp"
#include "engine/contact/low_rank_update.hpp"

namespace sinew {

/// row . f = 0 at one place, kept by an unknown displacement along `column`; `diagonal` w joins the left
/// side.
struct Binding {
  std::size_t place = 0;
  Vec3d row, column;
  double diagonal = 0.0;
};

/// f = K^-1 (b + sum_j column_j w_j) with row_j . f + diagonal_j w_j = 0, for K = A (x) I_3 + Q M Q^T: K^-1
/// from a factor of the scalar A and its update, the bindings by a dense system of their own. Sliding by
/// Coulomb's law makes it unsymmetric.
class ConstrainedInverse {
 public:
  /// solve: x := A^-1 x; update: of A^-1 by Q M Q^T. {m} places. Needs as many solves as a third of the
  /// places with a binding.
  void set(std::vector<Binding> bindings, std::size_t m, const LowRankUpdate& update,
           const std::function<void(SplitVectors&)>& solve);
  /// What set() cost, in entries of G of a product that takes as long.
  double work(std::size_t rank) const;
  /// x: K^-1 b in, f out.
  void apply(const LowRankUpdate& update, SplitVectors& x) const;

 private:
  void factor();
  void solve_dense(std::vector<double>& w) const;

  std::vector<Binding> binding_;
  std::vector<std::size_t> column_of_;  ///< {bindings} place in inverse_
  std::vector<double> inverse_;         ///< {places with a binding, m} columns of A^-1
  std::size_t m_ = 0;
  std::vector<double> lu_;  ///< {bindings, bindings}
  std::vector<std::size_t> swap_;
};

}  // namespace sinew
