// The global step on a device behind LinearSolver: everything else stays where it is (hybrid mode).
#pragma once

#include <memory>

#include "host/device_inverse.hpp"
#include "host/linear_solver.hpp"
#include "kernels/device/device.hpp"

namespace sinew {

/// Solves on the device; columns of A_s^-1 for contacts are still made on the host, by the solver given.
/// Blocks go up and down through pinned memory, in work that is recorded once per workspace.
/// @throws BackendError where the solver is no staged inverse; MemoryError.
std::unique_ptr<LinearSolver> make_device_solver(std::unique_ptr<LinearSolver> staged,
                                                 std::shared_ptr<Device> device);

/// The inverse on the device behind such a solver: one of the two is set; neither where it is another one.
struct DeviceInverseOf {
  const DeviceInverse<double>* full = nullptr;
  const DeviceInverse<float>* mixed = nullptr;
};
DeviceInverseOf device_inverse_of(const LinearSolver& solver);

}  // namespace sinew
