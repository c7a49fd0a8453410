#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/box_tree_kernels.hpp"

namespace sinew {
SINEW_BOX_TREE_OPS(EmulatedQueue)
}  // namespace sinew
