// From what the user asks for to rows over nodes.
#pragma once

#include <vector>

#include "engine/handles/handle.hpp"
#include "engine/model/model_data.hpp"

namespace sinew {

/// Where bodies are when a handle is made.
struct HandlePlaces {
  const std::vector<BodyData>& bodies;
  const std::vector<const std::vector<Vec3d>*>& position;  ///< {bodies} [m], nodes in user order
  double time = 0.0;                                       ///< [s]
};

/// "grab 'name'", for messages.
std::string describe(const HandleSpec& spec);

/// what: "handle 'name': its frame". @throws ModelError unless the rotation is proper and all is finite.
void check_pose(const Pose& pose, const std::string& what);

/// Nodes in user order. @throws ModelError for an unknown body, an empty region, a value out of range.
Handle resolve_handle(const HandleSpec& spec, const HandlePlaces& places);

}  // namespace sinew
