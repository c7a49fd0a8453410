#include "engine/handles/carry_handles.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// False where a body is gone.
bool renumber(const NewTerm& new_term, Handle& handle) {
  for (ContactTerm& term : handle.term) {
    const std::optional<ContactTerm> there = new_term(term);
    if (!there) return false;
    term = *there;
  }
  return true;
}

template <class Path>
bool same_path(const Path& a, const Path& b) {
  return a.times == b.times && a.values == b.values;
}

const HandleData* model_handle(const std::vector<HandleData>& handles, const Handle& like) {
  for (const HandleData& data : handles)
    if (data.handle.name == like.name && data.handle.kind == like.kind) return &data;
  return nullptr;
}

/// Place of a handle of the model that was not removed; else the number of places.
std::size_t place_of(const std::vector<HandleSlot>& handles, const Handle& like) {
  const auto found = std::find_if(handles.begin(), handles.end(), [&](const HandleSlot& slot) {
    return slot.handle && slot.generation == kModelGeneration && slot.handle->name == like.name &&
           slot.handle->kind == like.kind;
  });
  return static_cast<std::size_t>(found - handles.begin());
}

bool same_frame(const Pose& a, const Pose& b) {
  bool same = a.translation == b.translation;
  for (int i = 0; i < 3; ++i) same = same && a.rotation.column(i) == b.rotation.column(i);
  return same;
}

/// What was set at run time, and forces for the warm start. was: as the old model had it.
void carry(const Handle& was, const Handle& now, Handle& handle) {
  if (!same_path(was.target, now.target)) handle.target = now.target;
  if (!same_path(was.value, now.value) && was.tension_driven == handle.tension_driven)
    handle.value = now.value;
  if (was.compliance != now.compliance) handle.compliance = now.compliance;
  const bool frame_set =
      now.motion.is_static() && (!was.motion.is_static() || !same_frame(was.frame, now.frame));
  if (frame_set) {
    handle.frame = now.frame;
    handle.motion = {};
  }
  if (now.size() != handle.size()) return;
  handle.force = now.force;
  handle.tension = now.tension;
}

}  // namespace

std::vector<HandleSlot> carry_handles(const std::vector<HandleData>& old_model,
                                      const std::vector<HandleSlot>& old_handles, const NewTerm& new_term,
                                      const std::vector<HandleSlot>& fresh) {
  std::vector<HandleSlot> handles(old_handles.size());
  for (std::size_t i = 0; i < old_handles.size(); ++i) {
    const HandleSlot& slot = old_handles[i];
    if (!slot.handle || slot.generation == kModelGeneration) continue;
    Handle handle = *slot.handle;
    if (renumber(new_term, handle)) handles[i] = {slot.generation, std::move(handle)};
  }
  std::vector<HandleSlot> added;
  for (const HandleSlot& slot : fresh) {
    Handle handle = *slot.handle;
    for (HandleSlot& other : handles)  // the model's name counts
      if (other.handle && other.generation != kModelGeneration && other.handle->name == handle.name)
        other.handle->name.clear();
    const HandleData* was = model_handle(old_model, handle);
    if (!was) {
      added.push_back(slot);
      continue;
    }
    const std::size_t place = place_of(old_handles, handle);
    if (place == old_handles.size()) continue;
    carry(was->handle, *old_handles[place].handle, handle);
    handles[place] = {slot.generation, std::move(handle)};
  }
  for (HandleSlot& slot : added) {
    const auto free =
        std::find_if(handles.begin(), handles.end(), [](const HandleSlot& s) { return !s.handle; });
    if (free == handles.end())
      handles.push_back(std::move(slot));
    else
      *free = std::move(slot);
  }
  return handles;
}

}  // namespace sinew
