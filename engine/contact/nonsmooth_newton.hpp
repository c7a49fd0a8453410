// Non-smooth Newton with conjugate residual (design, section 3).
#pragma once

#include "engine/contact/contact_solver.hpp"
#include "kernels/element/contact/nonsmooth.hpp"

namespace sinew {

/// (Omega^1/2 h^2 W Omega^1/2 + E) y = -Omega^-1/2 phi, d lambda = Omega^1/2 y by `exact`; `published` takes
/// Omega into the force as well: (Omega h^2 W Omega + E) d lambda = -phi, force Omega lambda.
enum class NewtonForm { exact, published };

struct NonsmoothSettings {
  NewtonForm form = NewtonForm::exact;
  Complementarity function = Complementarity::fischer_burmeister;
  int max_steps = 60;             ///< >= 1
  int krylov_iterations = 24;     ///< >= 1, per step
  double krylov_relative = 1e-3;  ///< [1] residual at which they stop
};

ContactReport solve_nonsmooth_newton(ContactProblem& problem, const ContactSolverSettings& settings,
                                     const NonsmoothSettings& nonsmooth);
/// As the table of solvers has them.
ContactReport solve_nsn(ContactProblem& problem, const ContactSolverSettings& settings);
ContactReport solve_nsn_gs(ContactProblem& problem, const ContactSolverSettings& settings);

}  // namespace sinew
