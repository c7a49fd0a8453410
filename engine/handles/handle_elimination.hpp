// Held points leave the contact problem before it is solved: their law is linear, so their forces follow from
// the others. With K = h^2 G_HH + C of the held points H, c all others, and the metric's term Q M Q^T:
//
//     G^ = G_cc - h^2 G_cH K^-1 G_Hc        Q^ = Q_c - h^2 G_cH K^-1 Q_H        S = Q_H^T K^-1 Q_H
//     M^ = (1 + h^2 M S)^-1 M               U^ = U_c - h^2 G_cH K^-1 r - h^2 Q^ M^ Q_H^T K^-1 r
//
// with r = U_H + C f_H of the warm start: a problem of the same form. G is scalar (fact 3), and so is K: one
// factor serves x, y and z, and stays while handles stay. Derivation: docs/handles.md.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/contact/contact_problem.hpp"
#include "engine/handles/dense_factor.hpp"

namespace sinew {

class HandleElimination {
 public:
  /// From law, gram, held_compliance and squared_step of the full problem: K (factored only where it changed)
  /// and reduced.gram. To be called again when a point was added or the Gram matrix changed.
  void prepare(const ContactProblem& full, ContactProblem& reduced);

  /// Everything else of the reduced problem: points with law contact or none, and the scalar rows, which must
  /// not touch held points. full is as the solvers want it: displacement with the forces in it acting.
  void reduce(const ContactProblem& full, ContactProblem& reduced);

  /// Forces and displacements of the full problem from the solved reduced one. full still holds the warm
  /// start that reduce() saw.
  void recover(const ContactProblem& reduced, ContactProblem& full) const;

  std::size_t held_count() const { return held_.size(); }
  std::size_t factor_count() const { return factor_count_; }  ///< times K was factored

 private:
  void split(const ContactProblem& full);
  void factor(const ContactProblem& full);
  void reduce_gram(const ContactProblem& full, std::vector<double>& gram);
  void reduce_metric(const ContactProblem& full, ContactProblem& reduced);

  std::vector<std::size_t> held_, kept_;  ///< points of the full problem, ascending
  std::vector<std::size_t> place_;        ///< {points}: place among kept_
  std::vector<char> fixed_;               ///< {kept} carried along by held points
  std::vector<double> matrix_;            ///< {held, held} K as factored
  DenseFactor factor_;
  std::size_t factor_count_ = 0;
  std::vector<double> coupling_;     ///< {rank of K, kept} Y = E^T G_Hc
  std::vector<double> half_;         ///< {rank of K, 3} E^T r
  std::vector<double> half_metric_;  ///< {rank of K, 3 columns} E^T Q_H
  std::vector<Vec3d> low_rank_;      ///< {kept, columns} Q^
  std::vector<double> middle_;       ///< {columns, columns} M^
  std::vector<double> shift_;        ///< {columns} Q_H^T K^-1 r
};

}  // namespace sinew
