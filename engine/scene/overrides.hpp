// Overrides of the command line (--set path=value), put into the tree before it is checked.
#pragma once

#include "engine/scene/json_node.hpp"

namespace sinew {

/// Applies source.overrides in order. A path goes by keys, list indices or the names of list entries:
/// "simulation.time_step", "bodies.0.friction", "bodies.ball.friction". Keys that the file leaves out are
/// added; whether they are known is for the check to say.
/// @throws SceneError for a path that leads nowhere.
void apply_overrides(JsonNode& root, const SceneSource& source);

}  // namespace sinew
