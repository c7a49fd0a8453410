#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/element_kernels.hpp"

namespace sinew {
SINEW_ELEMENT_OPS(EmulatedQueue)
}  // namespace sinew
