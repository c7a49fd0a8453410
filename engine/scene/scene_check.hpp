// Checks a tree against the table of keys: after it, every value has its type, length and range.
#pragma once

#include "engine/scene/json_node.hpp"
#include "engine/scene/scene_keys.hpp"

namespace sinew {

/// @throws SceneError at the first fault in the order of the file.
void check_scene(const JsonNode& root, const SceneSource& source);

}  // namespace sinew
