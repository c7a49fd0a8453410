// The yardstick that judges all contact solvers: from problem and answer alone.
#pragma once

#include <algorithm>

#include "engine/contact/contact_problem.hpp"

namespace sinew {

struct ContactYardstick {
  double natural_map = 0.0;      ///< [m] r |f - P_K(f - (g + mu |d|, d) / r)| of contacts
  double cone = 0.0;             ///< [N] |f_t| - mu f_n, and -f_n, where positive
  double complementarity = 0.0;  ///< [m] min(|gap|, r f_n) with both at least zero
  double penetration = 0.0;      ///< [m] -gap
  double creep = 0.0;            ///< [m] slip in this frame where |f_t| < 0.9999 mu f_n
  double held = 0.0;             ///< [m] |U + compliance f| of held points
  double scalar = 0.0;           ///< [m] of scalar rows

  double worst() const { return std::max({natural_map, held, scalar}); }  ///< [m] distance from all laws
};

/// The worst of each over the problem. U, f and lambda must belong together.
ContactYardstick measure(const ContactProblem& problem);

/// Largest natural-map residual [m] of the contacts.
double natural_map_residual(const ContactProblem& problem);

/// value = offset + sum d_k . U_k [m]
double scalar_value(const ContactProblem& problem, const ScalarRow& row);

}  // namespace sinew
