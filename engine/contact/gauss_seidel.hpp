// Block Gauss-Seidel: the exact law of one point or row at a time, closed form because a point's block of W
// is isotropic.
#pragma once

#include "engine/contact/contact_solver.hpp"

namespace sinew {

/// Sweeps in the order of the points, in groups of 32: inside a group one after another, then one dense
/// product moves all others; scalar rows follow, one after another. That is sequential Gauss-Seidel, parallel
/// in the products: same bits on any thread count. Mixed by Anderson's method unless `settings.plain`.
ContactReport solve_gauss_seidel(ContactProblem& problem, const ContactSolverSettings& settings);

}  // namespace sinew
