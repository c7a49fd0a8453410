#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/vector_kernels.hpp"

namespace sinew {
SINEW_VECTOR_OPS(CudaQueue)
}  // namespace sinew
