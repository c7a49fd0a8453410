#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/dense_kernels.hpp"

namespace sinew {
SINEW_DENSE_OPS(EmulatedQueue)
}  // namespace sinew
