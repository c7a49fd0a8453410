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

ContactReport solve_nonsmooth_newton(ContactProblem& problem, const ContactSolverSettings& settings,
                                     const NonsmoothStop& stop);
/// As the table of solvers has them.
ContactReport solve_nsn(ContactProblem& problem, const ContactSolverSettings& settings);
ContactReport solve_nsn_gs(ContactProblem& problem, const ContactSolverSettings& settings);

}  // namespace sinew
