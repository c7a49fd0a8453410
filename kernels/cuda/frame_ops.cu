#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/frame_kernels.hpp"

namespace sinew {
SINEW_FRAME_OPS(CudaQueue)
}  // namespace sinew
