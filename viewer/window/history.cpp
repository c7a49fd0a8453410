#include "viewer/window/history.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew::viewer {

std::array<double, kStages> stages_of(const StageTimes& ms) {
  return {ms.detect, ms.delassus, ms.local, ms.rhs, ms.free, ms.contact, ms.correct, ms.finish};
}

void History::add(long steps, const StepStatistics& statistics) {
  if (steps == last_ || statistics.ms.frame <= 0.0) return;
  last_ = steps;
  frames_.push_back(statistics);
  if (frames_.size() > kLength) frames_.pop_front();
}

double History::quantile_ms(double share) const {
  if (frames_.empty()) return 0.0;
  std::vector<double> ms;
  for (const StepStatistics& frame : frames_) ms.push_back(frame.ms.frame);
  std::sort(ms.begin(), ms.end());
  const double rank = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(ms.size()));
  return ms[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

}  // namespace sinew::viewer
