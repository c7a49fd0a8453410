#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/row_matrix_kernels.hpp"

namespace sinew {
SINEW_ROW_MATRIX_OPS(CudaQueue)
}  // namespace sinew
