// Handles that outlive a change of the model.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/handles/handle.hpp"
#include "engine/model/model_data.hpp"

namespace sinew {

/// Generation of handles that are the model's; those made at run time have higher ones.
inline constexpr std::uint32_t kModelGeneration = 1;

/// The same term over the bodies and nodes of the new model; nothing where they are gone.
using NewTerm = std::function<std::optional<ContactTerm>(const ContactTerm&)>;

/// Handles made at run time in their places, with their ids; then the new model's (fresh), where there is
/// room. Those of the old model (old_model) that live on in the new one keep what was set at run time, and
/// stay away where they were removed.
std::vector<HandleSlot> carry_handles(const std::vector<HandleData>& old_model,
                                      const std::vector<HandleSlot>& old_handles, const NewTerm& new_term,
                                      const std::vector<HandleSlot>& fresh);

}  // namespace sinew
