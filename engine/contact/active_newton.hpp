// Newton on the active set (Alart and Curnier 1991: semismooth Newton on the augmented law).
#pragma once

#include "engine/contact/contact_solver.hpp"

namespace sinew {

/// Steps of NewtonSystem. Where they stop helping, proximal rounds (proximal_newton.hpp; up to 512 points),
/// then Gauss-Seidel take over from the best forces.
ContactReport solve_active_newton(ContactProblem& problem, const ContactSolverSettings& settings);

}  // namespace sinew
