#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/feature_pair_kernels.hpp"

namespace sinew {
SINEW_FEATURE_PAIR_OPS(CudaQueue)
}  // namespace sinew
