// Newton's method on the active set for operators that do not determine the forces: more contacts between
// stiff bodies than these have motions.
#pragma once

#include <limits>

#include "engine/contact/contact_solver.hpp"

namespace sinew {

/// Proximal points (Rockafellar 1976): f_{k+1} answers the law of U(f) + E (f - f_k), E diagonal, a small
/// share of each point's own compliance. So small an E makes Newton's method find its active set in a few
/// steps, and what it adds to the law is E times the change of the forces, which vanishes from round to
/// round; E falls with them. Starts from and leaves allowed forces; stops below `enough` [m] or when rounds
/// stop helping. Not for a matrix-free G.
ContactReport solve_proximal_newton(ContactProblem& problem, double enough,
                                    int max_products = std::numeric_limits<int>::max());

}  // namespace sinew
