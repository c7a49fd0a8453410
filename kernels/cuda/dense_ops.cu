#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/dense_kernels.hpp"

namespace sinew {
SINEW_DENSE_OPS(CudaQueue)
}  // namespace sinew
