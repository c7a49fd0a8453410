#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/feature_pair_kernels.hpp"

namespace sinew {
SINEW_FEATURE_PAIR_OPS(EmulatedQueue)
}  // namespace sinew
