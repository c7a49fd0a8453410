// In place of kernels/cuda where the build has no CUDA.
#include <sinew/errors.hpp>

#include "kernels/device/available.hpp"

namespace sinew {

DeviceList list_cuda_devices() {
  DeviceList list;
  list.reason =
      "this program was built without CUDA; install the CUDA toolkit (nvcc) and build with "
      "-DSINEW_WITH_CUDA=ON";
  return list;
}

std::shared_ptr<Device> make_cuda_device(int) {
  throw BackendError("no CUDA device: " + list_cuda_devices().reason + "; or use --backend cpu");
}

}  // namespace sinew
