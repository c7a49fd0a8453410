// Sweeps of Gauss-Seidel over a problem that is on a device.
#pragma once

#include "engine/contact/contact_solver.hpp"
#include "engine/contact/device_problem.hpp"

namespace sinew {

/// From the forces and displacements in `device`, which it leaves there; problem: the same on the host, for
/// its laws.
ContactReport sweep_on_device(DeviceContactProblem& device, const ContactProblem& problem,
                              const ContactSolverSettings& settings);

}  // namespace sinew
