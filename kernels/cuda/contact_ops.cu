#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/contact_kernels.hpp"
#include "kernels/op/newton_kernels.hpp"

namespace sinew {
SINEW_CONTACT_OPS(CudaQueue)
SINEW_NEWTON_OPS(CudaQueue)
}  // namespace sinew
