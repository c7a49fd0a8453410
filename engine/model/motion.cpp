// Prescribed poses and values over time.
#include <algorithm>

#include <sinew/model.hpp>

#include "engine/model/model_data.hpp"

namespace sinew {

namespace {

/// Interval of the keys around time: index of the later key and the weight of it; held outside.
template <class Times>
std::pair<std::size_t, double> locate(const Times& time_of, std::size_t count, double time) {
  if (time <= time_of(0)) return {0, 1.0};
  for (std::size_t i = 1; i < count; ++i)
    if (time < time_of(i)) return {i, (time - time_of(i - 1)) / (time_of(i) - time_of(i - 1))};
  return {count - 1, 1.0};
}

Vec3d blend(const Vec3d& a, const Vec3d& b, double weight) {
  return (1.0 - weight) * a + weight * b;
}

}  // namespace

Vec3d evaluate(const VectorPath& path, double time) {
  const auto [i, weight] = locate([&](std::size_t k) { return path.times[k]; }, path.values.size(), time);
  return i == 0 || weight == 1.0 ? path.values[i] : blend(path.values[i - 1], path.values[i], weight);
}

double evaluate(const ScalarPath& path, double time) {
  const auto [i, weight] = locate([&](std::size_t k) { return path.times[k]; }, path.values.size(), time);
  return i == 0 || weight == 1.0 ? path.values[i]
                                 : (1.0 - weight) * path.values[i - 1] + weight * path.values[i];
}

Pose evaluate(const Motion& motion, const Vec3d& origin, double time) {
  Vec3d translation{}, rotation{};
  if (!motion.keyframes.empty()) {
    const auto& keys = motion.keyframes;
    const auto [i, weight] = locate([&](std::size_t k) { return keys[k].time; }, keys.size(), time);
    if (i == 0 || weight == 1.0) {
      translation = keys[i].translation;
      rotation = keys[i].rotation;
    } else {
      translation = blend(keys[i - 1].translation, keys[i].translation, weight);
      rotation = blend(keys[i - 1].rotation, keys[i].rotation, weight);
    }
  }
  const double elapsed = std::max(time, 0.0);
  translation += elapsed * motion.velocity;
  Pose pose;
  pose.rotation = rotation_from_vector(rotation);
  if (!(motion.spin == Vec3d{})) pose.rotation = rotation_from_vector(elapsed * motion.spin) * pose.rotation;
  pose.translation = origin + translation - pose.rotation * origin;
  return pose;
}

Pose pose_at(const ObstacleSpec& spec, double time) {
  if (spec.motion.is_static()) return spec.pose;
  const Pose motion = evaluate(spec.motion, spec.pose.translation, time);
  return {motion.rotation * spec.pose.rotation, motion.apply(spec.pose.translation)};
}

}  // namespace sinew
