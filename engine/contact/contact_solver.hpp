// The one door to contact solvers.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>

#include <sinew/base/solver_settings.hpp>

#include "engine/contact/contact_problem.hpp"

namespace sinew {

class DeviceQueue;

struct ContactSolverSettings {
  int max_sweeps = 200;     ///< >= 1
  double tolerance = 1e-9;  ///< [m]: stop when no point changes by more than this in a sweep
  double relative = 0.0;    ///< [1]: or when the change falls below this share of the first sweep's
  ContactSolver solver = ContactSolver::automatic;
  bool plain = false;                                  ///< Gauss-Seidel without Anderson's mixing
  bool rough = false;                                  ///< the answer only steers, whatever the tolerance
  int max_products = std::numeric_limits<int>::max();  ///< with G, about: then the best so far is the answer
  NonsmoothSettings nsn = {};
  /// gs, nsn and nsn_gs run there where G has entries; null: on the host. Used by this thread alone
  /// meanwhile.
  DeviceQueue* queue = nullptr;
};

/// Finds forces that satisfy the laws of all points and rows, and the displacements that belong to them.
ContactReport solve_contacts(ContactProblem& problem, const ContactSolverSettings& settings);

/// One line per solver: what a new one adds here is all that others see of it.
struct ContactSolverEntry {
  ContactSolver id;
  std::string_view name;  ///< key in scene files
  std::string_view what;
  ContactReport (*solve)(ContactProblem&, const ContactSolverSettings&);
};
std::span<const ContactSolverEntry> contact_solvers();

}  // namespace sinew
