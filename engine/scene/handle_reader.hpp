// Handles out of a checked tree.
#pragma once

#include <functional>

#include <sinew/handles.hpp>

#include "engine/scene/json_node.hpp"

namespace sinew {

/// Handle of the scene with the place of its region; a handle without one has region_body "".
struct HandleDescription {
  Place place, region_place;
  std::string region_body;
  HandleSpec spec;
};

/// Name of a body under a key. @throws SceneError where there is none.
using KnownBody = std::function<std::string(const JsonNode& node, const char* key, const std::string& path)>;

/// node: one entry of "handles".
HandleDescription read_handle(const JsonNode& node, const std::string& path, const SceneSource& source,
                              const KnownBody& known_body);

}  // namespace sinew
