#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/gram_kernels.hpp"

namespace sinew {
SINEW_GRAM_OPS(CudaQueue)
}  // namespace sinew
