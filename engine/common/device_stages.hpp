// Times of a device's stages, added up by name.
#pragma once

#include <algorithm>
#include <vector>

#include <sinew/simulation.hpp>

namespace sinew {

inline void add_stage(const DeviceStage& stage, std::vector<DeviceStage>& sum) {
  auto at = std::find_if(sum.begin(), sum.end(), [&](const DeviceStage& s) { return s.name == stage.name; });
  if (at == sum.end()) at = sum.insert(at, DeviceStage{stage.name, 0.0, 0});
  at->ms += stage.ms;
  at->count += stage.count;
}

}  // namespace sinew
