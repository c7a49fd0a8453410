#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/gram_entry_kernels.hpp"
#include "kernels/op/gram_kernels.hpp"
#include "kernels/op/wide_kernels.hpp"

namespace sinew {
SINEW_GRAM_OPS(EmulatedQueue)
SINEW_GRAM_ENTRY_OPS(EmulatedQueue)
SINEW_WIDE_OPS(EmulatedQueue)
}  // namespace sinew
