// The inside of a body's triangles and edges against spheres, capsules, cylinders and boxes: a coarse cloth
// must not let a small sphere or a thin knife through between its points.
#pragma once

#include <vector>

#include "engine/collision/narrow_phase.hpp"

namespace sinew {

void find_patches(const PresentSurface& body, const ObstacleFrame& obstacle, Index obstacle_index,
                  const CollisionFrame& frame, DetectMode mode, std::vector<FoundContact>& found);

}  // namespace sinew
