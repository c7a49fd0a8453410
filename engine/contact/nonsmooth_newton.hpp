// Non-smooth Newton with conjugate residual (design, section 3).
#pragma once

#include "engine/contact/contact_solver.hpp"
#include "kernels/element/contact/nonsmooth.hpp"

namespace sinew {

/// What only the solver and its tests choose.
struct NonsmoothStop {
  Complementarity function = Complementarity::fischer_burmeister;
  int max_steps = 60;             ///< >= 1, where settings.nsn.steps is 0
  double krylov_relative = 1e-3;  ///< [1] residual at which conjugate residual stops; with fixed steps: 0
};

/// True after many steps without a tenth off the residual.
class StalledSteps {
 public:
  explicit StalledSteps(double residual) : reference_(residual) {}
  void see(double residual) {
    if (residual < 0.9 * reference_) {
      reference_ = residual;
      count_ = 0;
    } else {
      ++count_;
    }
  }
  explicit operator bool() const { return count_ >= kPatience; }

 private:
  static constexpr int kPatience = 12;
  double reference_;
  int count_ = 0;
};

ContactReport solve_nonsmooth_newton(ContactProblem& problem, const ContactSolverSettings& settings,
                                     const NonsmoothStop& stop);
/// As the table of solvers has them.
ContactReport solve_nsn(ContactProblem& problem, const ContactSolverSettings& settings);
ContactReport solve_nsn_gs(ContactProblem& problem, const ContactSolverSettings& settings);

}  // namespace sinew
