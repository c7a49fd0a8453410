#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/row_matrix_kernels.hpp"

namespace sinew {
SINEW_ROW_MATRIX_OPS(EmulatedQueue)
}  // namespace sinew
