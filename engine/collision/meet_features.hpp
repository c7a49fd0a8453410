// Candidates of a device through the narrow phase.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/collision/device_broad_phase.hpp"
#include "engine/collision/narrow_phase.hpp"

namespace sinew {

/// Two surfaces that may meet.
struct Meeting {
  std::array<std::size_t, 2> surface;
  NarrowPhase narrow;
};

/// Appends what the narrow phase finds, in the order of the candidates. meetings: in the order of surfaces;
/// lists: scratch.
void meet_features(const DeviceBroadPhase& phase, std::span<const FeaturePair> candidates,
                   const std::vector<Meeting>& meetings, std::vector<std::vector<FoundContact>>& lists,
                   std::vector<FoundContact>& found);

}  // namespace sinew
