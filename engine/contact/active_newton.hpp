// Newton on the active set (Alart and Curnier 1991: semismooth Newton on the augmented law).
#pragma once

#include "engine/contact/contact_solver.hpp"

namespace sinew {

/// Per step: every contact is open, sticks or slides by its augmented force; the linear system of the points
/// that carry force is solved by GMRES, preconditioned by the dense Cholesky factor of their part of G. Where
/// steps stop helping, Gauss-Seidel takes over from the best forces.
ContactReport solve_active_newton(ContactProblem& problem, const ContactSolverSettings& settings);

}  // namespace sinew
