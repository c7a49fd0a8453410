#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/vector_kernels.hpp"

namespace sinew {
SINEW_VECTOR_OPS(EmulatedQueue)
}  // namespace sinew
