// A device that is none: the same queues, kernels and buffers on the host. It is made to find what a GPU
// would punish: work waits until synchronize(); device memory is filled with NaN and has guards behind it;
// blocks and threads run in either direction. Slow, and for tests.
#pragma once

#include <memory>

#include "kernels/device/device.hpp"

namespace sinew {

struct EmulatedDeviceSettings {
  bool backwards = false;                     ///< last block first, last thread first
  std::size_t memory = std::size_t(1) << 36;  ///< [bytes] of the device
};

std::shared_ptr<Device> make_emulated_device(const EmulatedDeviceSettings& settings = {});

}  // namespace sinew
