// In place of kernels/cuda/libraries where the build has no CUDA, or its toolkit no headers of the libraries.
#include <sinew/errors.hpp>

#include "kernels/device/libraries.hpp"

namespace sinew {

std::vector<CudaLibrary> list_cuda_libraries() {
  return {};
}

std::unique_ptr<DeviceLibraries> make_cuda_libraries(DeviceQueue&) {
  throw BackendError(
      "cuSPARSE and cuBLAS: this program was built without them; install their headers with the CUDA toolkit "
      "and build again");
}

}  // namespace sinew
