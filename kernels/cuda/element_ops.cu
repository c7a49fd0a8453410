#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/element_kernels.hpp"

namespace sinew {
SINEW_ELEMENT_OPS(CudaQueue)
}  // namespace sinew
