// Times of finding pairs of boxes that overlap, on a device and on the host.
#pragma once

#include "benchmarks/device_study.hpp"

namespace sinew::bench {

/// Triangles of a rough sheet with themselves: building the tree, refitting it, listing the overlaps.
std::vector<DeviceTiming> time_pairs(DeviceQueue& queue, std::size_t triangles, double seconds);

}  // namespace sinew::bench
