#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/contact_kernels.hpp"
#include "kernels/op/newton_kernels.hpp"

namespace sinew {
SINEW_CONTACT_OPS(EmulatedQueue)
SINEW_NEWTON_OPS(EmulatedQueue)
}  // namespace sinew
