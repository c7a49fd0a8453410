// Which CUDA devices there are, and why one is not used.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/device.hpp"

namespace sinew {

struct DeviceDescription {
  int number = 0;
  std::string name;          ///< "NVIDIA H200"
  std::string architecture;  ///< "9.0"
  std::size_t memory_bytes = 0;
  int multiprocessors = 0;
  std::string reason;  ///< why it cannot be used; empty: it can
};

struct DeviceList {
  std::vector<DeviceDescription> devices;
  std::string reason;  ///< why there are none; else empty
};

/// Without CUDA in the build: none, with the reason.
DeviceList list_cuda_devices();
/// @throws BackendError: not in the build, no driver, no device, no code for it.
std::shared_ptr<Device> make_cuda_device(int number = 0);

}  // namespace sinew
