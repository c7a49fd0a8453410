// Interior-point method for contact with Coulomb friction: immune to the ratio of the compliances of turning
// and straining, at which Gauss-Seidel gives up and states of the active set cycle (stiff cards and stones
// stand on more points than they have rigid motions).
//
// With x = (mu f_n, f_t) in the second-order cone K and v = (u_n / mu + |u_t|, u_t), the law of Signorini and
// Coulomb is K contains x perp v in K (De Saxce and Feng 1998). Newton's method on v = S x + w0 + |v_t| e0
// and x o v = sigma tau e in the scaling of Nesterov and Todd, with predictor and corrector (Mehrotra 1992),
// the derivative of |v_t| included; without it the iteration stalls (Acary, Armand, Nguyen, Shpakovych 2023).
#pragma once

#include "engine/contact/contact_solver.hpp"

namespace sinew {

/// Needs G itself. Keeps the better of what it found and what it was given.
ContactReport solve_interior_point(ContactProblem& problem, const ContactSolverSettings& settings);

/// True where one iteration costs a fraction of a second: up to some thousand unknowns.
bool interior_point_fits(const ContactProblem& problem);
/// False where other methods are faster: many points of one body, whose factor is dense.
bool interior_point_pays(const ContactProblem& problem);

}  // namespace sinew
