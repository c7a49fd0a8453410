// What users do with handles: make, move, read and remove them.
#pragma once

#include <string_view>
#include <vector>

#include "engine/handles/handle.hpp"

namespace sinew {

/// Puts a handle into a free slot. @throws ModelError for a name in use.
HandleId insert_handle(Handle handle, std::uint32_t generation, std::vector<HandleSlot>& handles);

/// @throws ModelError for a handle that is gone or never was.
Handle& handle_of(std::vector<HandleSlot>& handles, HandleId id);
const Handle& handle_of(const std::vector<HandleSlot>& handles, HandleId id);
/// @throws ModelError with the nearest known name.
HandleId handle_named(const std::vector<HandleSlot>& handles, std::string_view name);

/// New values, constant from the next frame on. @throws ModelError for another kind of handle or a bad value.
void set_target(Handle& handle, const Vec3d& target);
void set_frame(Handle& handle, const Pose& frame);
void set_length(Handle& handle, double length);
void set_tension(Handle& handle, double tension);
void set_compliance(Handle& handle, double compliance);

/// Where point k is [m]; of a weld: on body a. position: {bodies}.
Vec3d handle_point(const Handle& handle, std::size_t k, const std::vector<const Vec3d*>& position);
/// Point that torques refer to [m]: target of a grab, origin of a hold or attachment, else the mean of the
/// points.
Vec3d handle_origin(const Handle& handle, double time, const std::vector<const Vec3d*>& position);
double handle_length(const Handle& handle, const std::vector<const Vec3d*>& position);  ///< [m] of a cable

}  // namespace sinew
