#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"
#include "kernels/op/point_plane_kernels.hpp"

namespace sinew {
SINEW_POINT_PLANE_OPS(EmulatedQueue)
}  // namespace sinew
