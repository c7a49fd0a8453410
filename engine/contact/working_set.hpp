// Contact problems of many candidates and few contacts: only those that press are solved for.
#pragma once

#include "engine/contact/contact_solver.hpp"

namespace sinew {

/// Solves the part of the problem whose points carry force or overlap by `solve`, moves all others with it,
/// and goes on with those that overlap then, until none does. Where most points take part `solve` gets the
/// whole problem. The part, and what `solve` keeps for it, stay in the problem's memory. report.products
/// counts products with the whole of G. Not for a matrix-free G.
ContactReport solve_working_set(ContactProblem& problem, const ContactSolverSettings& settings,
                                ContactReport (*solve)(ContactProblem&, const ContactSolverSettings&));

}  // namespace sinew
