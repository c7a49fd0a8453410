#include "engine/collision/patch_shape.hpp"

namespace sinew {

void find_patches(const PresentSurface&, const ObstacleFrame&, Index, const CollisionFrame&, DetectMode,
                  std::vector<FoundContact>&) {}

}  // namespace sinew
