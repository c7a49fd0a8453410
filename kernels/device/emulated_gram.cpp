#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/gram_kernels.hpp"

namespace sinew {
SINEW_GRAM_OPS(EmulatedQueue)
}  // namespace sinew
