// One step of Newton's method on the active set (Alart and Curnier 1991): every contact is open, sticks or
// slides by its augmented force; the linear system of the points that carry force is solved by GMRES with a
// factor of their part of G.
#pragma once

#include <vector>

#include "engine/contact/constrained_inverse.hpp"
#include "engine/contact/contact_operator.hpp"
#include "engine/contact/contact_solver.hpp"
#include "engine/contact/factored_points.hpp"
#include "engine/contact/low_rank_update.hpp"
#include "engine/contact/point_state.hpp"

namespace sinew {

struct NewtonSettings {
  int most_krylov = 40;
  double krylov_tolerance = 1e-2;
  /// {c} [m/N] what length a force stands for; empty: a point's own compliance.
  std::vector<double> response;
  bool bind = false;        ///< the preconditioner knows who slides and who is off
  bool inside_laws = true;  ///< forces are put back inside their laws after the step
};

class NewtonSystem {
 public:
  NewtonSystem(ContactProblem& problem, const NewtonSettings& settings);

  /// Has solved a problem with this G before.
  bool remembers() const { return !points_->point().empty(); }
  /// G does not determine the forces of the points that take part.
  bool undetermined() const { return points_->dependent() > 0; }
  /// False where no unknown takes part.
  bool step(ContactReport& report);

 private:
  double response(std::size_t c) const {
    return settings_.response.empty() ? p_.compliance(c) : settings_.response[c];
  }
  void choose_states();
  void right_hand_side(std::vector<double>& b) const;
  /// u := h^2 (G + Q M Q^T) f over the points that take part.
  void product(const std::vector<Vec3d>& force, SplitVectors& u) const;
  void apply(const std::vector<double>& in, std::vector<double>& out) const;
  /// The term of low rank, which G's factor knows nothing of.
  void update_factor();
  void bind_points();
  int binding_products() const;
  void precondition(const std::vector<double>& in, std::vector<double>& out) const;
  /// New forces; displacements with them.
  void take(const std::vector<double>& x);
  Vec3d next_force(std::size_t c, const Vec3d& change) const;

  ContactProblem& p_;
  NewtonSettings settings_;
  ContactOperator operator_;
  std::size_t count_;
  std::vector<PointState> state_;
  FactoredPoints* points_ = nullptr;
  std::vector<std::size_t> index_, place_, row_;
  std::vector<double> row_compliance_;  ///< [m/N] of scalar rows against themselves and their own compliance
  LowRankUpdate update_;                ///< of the factor, by the metric of this solve
  bool updated_ = false;
  ConstrainedInverse bound_;
  bool is_bound_ = false;  ///< by few enough bindings
};

}  // namespace sinew
