// Cables without contacts: a linear complementarity problem of a few rows, solved exactly.
#pragma once

#include "engine/contact/contact_problem.hpp"

namespace sinew {

/// Solves the scalar rows of a problem in which no point is held or in contact, by principal pivots (Murty
/// 1974). False, with nothing done, where a point is.
bool solve_scalar_rows(ContactProblem& problem, ContactReport& report);

}  // namespace sinew
