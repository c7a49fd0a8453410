// Block Gauss-Seidel on contact points: exact Coulomb law of one point at a time, closed form because its
// block of W is isotropic.
#pragma once

#include "engine/contact/contact_problem.hpp"

namespace sinew {

struct GaussSeidelSettings {
  int max_sweeps = 200;     ///< >= 1
  double tolerance = 1e-9;  ///< [m]: stop when no point changes by more than this in a sweep
  double relative = 0.0;    ///< [1]: or when the change falls below this share of the first sweep's
  bool plain = false;       ///< true: without Anderson's mixing
};

/// Sweeps in the order of the contacts, in groups of 32: inside a group one after another, then one dense
/// product moves all others. That is sequential Gauss-Seidel, parallel in the products: same bits on any
/// thread count.
ContactReport solve_gauss_seidel(ContactProblem& problem, const GaussSeidelSettings& settings);

}  // namespace sinew
