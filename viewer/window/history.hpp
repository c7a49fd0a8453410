// The last few hundred frames that the window saw: stage times and what they say of accuracy.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <string_view>

#include <sinew/simulation.hpp>

namespace sinew::viewer {

inline constexpr std::size_t kStages = 8;
/// In the order of a frame.
inline constexpr std::array<std::string_view, kStages> kStageNames = {
    "detect", "delassus", "local", "rhs", "free", "contact", "correct", "finish"};
std::array<double, kStages> stages_of(const StageTimes& ms);  ///< [ms]

class History {
 public:
  static constexpr std::size_t kLength = 300;

  /// A frame counts once: the same number of steps again changes nothing.
  void add(long steps, const StepStatistics& statistics);
  void clear() { frames_.clear(); }

  const std::deque<StepStatistics>& frames() const { return frames_; }  ///< oldest first
  /// Of the times of whole frames [ms], by nearest rank; 0 without frames. share: in [0, 1].
  double quantile_ms(double share) const;

 private:
  std::deque<StepStatistics> frames_;
  long last_ = -1;
};

}  // namespace sinew::viewer
