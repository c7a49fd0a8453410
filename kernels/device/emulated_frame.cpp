#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/frame_kernels.hpp"

namespace sinew {
SINEW_FRAME_OPS(EmulatedQueue)
}  // namespace sinew
