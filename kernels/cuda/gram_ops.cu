#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/gram_entry_kernels.hpp"
#include "kernels/op/gram_kernels.hpp"
#include "kernels/op/wide_kernels.hpp"

namespace sinew {
SINEW_GRAM_OPS(CudaQueue)
SINEW_GRAM_ENTRY_OPS(CudaQueue)
SINEW_WIDE_OPS(CudaQueue)
}  // namespace sinew
