#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/box_tree_kernels.hpp"

namespace sinew {
SINEW_BOX_TREE_OPS(CudaQueue)
}  // namespace sinew
