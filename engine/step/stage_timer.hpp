// Time of a stage of the frame.
#pragma once

#include <chrono>

namespace sinew {

/// Adds the time of its life to a counter [ms].
class StageTimer {
 public:
  explicit StageTimer(double& total) : total_(total), begin_(std::chrono::steady_clock::now()) {}
  ~StageTimer() {
    total_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  double& total_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace sinew
