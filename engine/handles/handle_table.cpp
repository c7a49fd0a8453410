#include "engine/handles/handle_table.hpp"

#include <cmath>
#include <utility>

#include <sinew/errors.hpp>

#include "engine/common/text.hpp"
#include "engine/handles/resolve_handle.hpp"
#include "engine/model/model_checks.hpp"

namespace sinew {

namespace {

[[noreturn]] void wrong_kind(const Handle& handle, const char* wanted) {
  throw ModelError("handle '" + handle.name + "': is not " + wanted);
}

}  // namespace

HandleId insert_handle(Handle handle, std::uint32_t generation, std::vector<HandleSlot>& handles) {
  std::size_t place = handles.size();
  for (std::size_t i = handles.size(); i-- > 0;) {
    if (!handles[i].handle)
      place = i;
    else if (!handle.name.empty() && handles[i].handle->name == handle.name)
      throw ModelError("handle '" + handle.name +
                       "': the name is in use; remove the other one or choose a "
                       "different name");
  }
  if (place == handles.size()) handles.emplace_back();
  handles[place] = {generation, std::move(handle)};
  return {static_cast<Index>(place), generation};
}

const Handle& handle_of(const std::vector<HandleSlot>& handles, HandleId id) {
  const bool known = id.index >= 0 && static_cast<std::size_t>(id.index) < handles.size() &&
                     handles[id.index].handle && handles[id.index].generation == id.generation;
  if (!known)
    throw ModelError("handle " + std::to_string(id.index) + " of generation " +
                     std::to_string(id.generation) + " does not exist; it was removed, or never made");
  return *handles[id.index].handle;
}

Handle& handle_of(std::vector<HandleSlot>& handles, HandleId id) {
  return const_cast<Handle&>(handle_of(std::as_const(handles), id));
}

HandleId handle_named(const std::vector<HandleSlot>& handles, std::string_view name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < handles.size(); ++i) {
    if (!handles[i].handle) continue;
    if (handles[i].handle->name == name) return {static_cast<Index>(i), handles[i].generation};
    if (!handles[i].handle->name.empty()) names.push_back(handles[i].handle->name);
  }
  throw ModelError("no handle is named '" + std::string(name) + "'" + suggestion(name, names));
}

void set_target(Handle& handle, const Vec3d& target) {
  if (handle.kind != HandleKind::grab) wrong_kind(handle, "a grab and has no target; use set_frame");
  if (!is_finite(target)) throw ModelError("handle '" + handle.name + "': its target is not finite");
  handle.target = {{0.0}, {target}};
}

void set_frame(Handle& handle, const Pose& frame) {
  if (handle.kind != HandleKind::hold && handle.kind != HandleKind::attachment)
    wrong_kind(handle, "a hold or an attachment and has no frame");
  check_pose(frame, "handle '" + handle.name + "': its frame");
  handle.frame = frame;
  handle.motion = {};
}

void set_length(Handle& handle, double length) {
  if (handle.kind != HandleKind::cable || handle.tension_driven)
    wrong_kind(handle, "a cable driven by its length");
  check_range("handle '" + handle.name + "'", "length", length, 0.0, 1e12, "m");
  handle.value = {{0.0}, {length}};
}

void set_tension(Handle& handle, double tension) {
  if (handle.kind != HandleKind::cable || !handle.tension_driven)
    wrong_kind(handle, "a cable driven by its tension");
  check_range("handle '" + handle.name + "'", "tension", tension, 0.0, 1e12, "N");
  handle.value = {{0.0}, {tension}};
}

void set_compliance(Handle& handle, double compliance) {
  check_range("handle '" + handle.name + "'", "compliance", compliance, 0.0, 1e6, "m/N");
  handle.compliance = compliance;
}

Vec3d handle_point(const Handle& handle, std::size_t k, const std::vector<const Vec3d*>& position) {
  const Index last = handle.kind == HandleKind::weld ? handle.start[k] + 1 : handle.start[k + 1];
  Vec3d x{};
  for (Index i = handle.start[k]; i < last; ++i)
    x += handle.term[i].weight * position[handle.term[i].body][handle.term[i].node];
  return x;
}

Vec3d handle_origin(const Handle& handle, double time, const std::vector<const Vec3d*>& position) {
  if (handle.kind == HandleKind::grab) return evaluate(handle.target, time);
  if (handle.kind == HandleKind::hold || handle.kind == HandleKind::attachment)
    return handle.pose(time).translation;
  Vec3d mean{};
  for (std::size_t k = 0; k < handle.size(); ++k)
    mean += handle_point(handle, k, position) / static_cast<double>(handle.size());
  return mean;
}

double handle_length(const Handle& handle, const std::vector<const Vec3d*>& position) {
  double sum = 0.0;
  Vec3d before{};
  for (std::size_t i = 0; i < handle.stop.size(); ++i) {
    const CableStop& stop = handle.stop[i];
    const Vec3d x = stop.point >= 0 ? handle_point(handle, stop.point, position) : stop.fixed;
    if (i > 0) sum += norm(x - before);
    before = x;
  }
  return sum;
}

}  // namespace sinew
