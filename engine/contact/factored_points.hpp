// Points that take part in Newton's method, or did: their part of G and its factor, kept from step to step
// and from solve to solve of one G.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/contact/contact_problem.hpp"
#include "engine/contact/dense_cholesky.hpp"
#include "engine/contact/sparse_inverse.hpp"

namespace sinew {

struct SplitVectors;

class FactoredPoints {
 public:
  /// What an earlier solve left holds for the same G only.
  void recall(const ContactProblem& problem);
  /// Takes in the points of `index` (ascending), and those without force where that is nearly all; `exactly`:
  /// these alone. True where the points are others than before.
  bool collect(const ContactProblem& problem, const std::vector<std::size_t>& index, bool exactly = false);
  /// Points whose motion follows from that of others: G does not determine all forces.
  std::size_t dependent() const { return many_ ? 0 : dense_.vanished(); }

  const std::vector<std::size_t>& point() const { return point_; }
  /// All points in order: then the problem's own G serves.
  bool whole() const { return whole_; }
  /// {m, m} h^2 G, unless whole.
  const std::vector<double>& gram() const { return gram_; }
  /// x := (h^2 G)^-1 x, near enough.
  void solve(const ContactProblem& problem, SplitVectors& x) const;

 private:
  void copy_gram(const ContactProblem& problem, std::vector<double>& gram) const;
  void factor(const ContactProblem& problem);

  std::vector<std::size_t> point_;  ///< the factored ones first
  std::size_t factored_ = 0;
  std::vector<double> gram_;
  DenseCholesky dense_;   ///< of the first `factored` points,
  SparseInverse sparse_;  ///< or this, where they are many
  bool many_ = false, whole_ = false;
  std::uint64_t print_ = 0;  ///< of the problem's G where gram is empty
};

}  // namespace sinew
