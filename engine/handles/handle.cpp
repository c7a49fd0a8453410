#include "engine/handles/handle.hpp"

namespace sinew {

std::string_view to_string(HandleKind kind) {
  static constexpr std::string_view kNames[] = {"grab", "hold", "weld", "attachment", "cable"};
  return kNames[static_cast<std::size_t>(kind)];
}

Pose Handle::pose(double time) const {
  if (motion.is_static()) return frame;
  const Pose moved = evaluate(motion, origin, time);
  return {moved.rotation * frame.rotation, moved.apply(frame.translation)};
}

const std::string& name_of(const HandleSpec& spec) {
  return std::visit([](const auto& s) -> const std::string& { return s.name; }, spec);
}

}  // namespace sinew
