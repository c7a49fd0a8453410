#include "engine/handles/handle.hpp"

namespace sinew {

Pose Handle::pose(double time) const {
  if (motion.is_static()) return frame;
  const Pose moved = evaluate(motion, origin, time);
  return {moved.rotation * frame.rotation, moved.apply(frame.translation)};
}

double evaluate(const ScalarPath& path, double time) {
  if (time <= path.times.front()) return path.values.front();
  for (std::size_t i = 1; i < path.times.size(); ++i) {
    if (time >= path.times[i]) continue;
    const double weight = (time - path.times[i - 1]) / (path.times[i] - path.times[i - 1]);
    return (1.0 - weight) * path.values[i - 1] + weight * path.values[i];
  }
  return path.values.back();
}

const std::string& name_of(const HandleSpec& spec) {
  return std::visit([](const auto& s) -> const std::string& { return s.name; }, spec);
}

}  // namespace sinew
