// Contact solvers on a device: the same algorithms as gauss_seidel.hpp and nonsmooth_newton.hpp, the same
// answers to rounding.
#pragma once

#include "engine/contact/contact_solver.hpp"
#include "engine/contact/nonsmooth_newton.hpp"

namespace sinew {

/// One wait per sweep: Anderson's mixing stays on the host, with the forces going down and up.
ContactReport solve_gauss_seidel_on_device(ContactProblem& problem, const ContactSolverSettings& settings);
/// One wait per Newton step, none within it; with settings.nsn.steps only one at the end.
ContactReport solve_nonsmooth_on_device(ContactProblem& problem, const ContactSolverSettings& settings,
                                        const NonsmoothStop& stop);
/// As the table of solvers has them.
ContactReport solve_nsn_on_device(ContactProblem& problem, const ContactSolverSettings& settings);
ContactReport solve_nsn_gs_on_device(ContactProblem& problem, const ContactSolverSettings& settings);

}  // namespace sinew
