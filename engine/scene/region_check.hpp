// Regions that hold no node are caught here, where the line of the scene is known.
#pragma once

#include <sinew/model.hpp>

#include "engine/scene/json_node.hpp"

namespace sinew {

/// @throws SceneError if the region holds no node of the body at time 0, or a node number that it lacks.
void check_region(const Region& region, const BodySpec& body, const Place& place, const SceneSource& source);

}  // namespace sinew
