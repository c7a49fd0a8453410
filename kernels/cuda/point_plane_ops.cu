#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/point_plane_kernels.hpp"

namespace sinew {
SINEW_POINT_PLANE_OPS(CudaQueue)
}  // namespace sinew
