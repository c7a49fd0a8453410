// Where a hand is between two of its reports: it goes evenly from where it was to where it was last seen.
#pragma once

#include <sinew/motion.hpp>

namespace sinew::viewer {

/// From a (fraction 0) to b (fraction 1), at constant speed.
Vec3d between(const Vec3d& a, const Vec3d& b, double fraction);
Pose between(const Pose& a, const Pose& b, double fraction);  ///< the shorter way round; b exactly at 1

template <class T>
class HandPath {
 public:
  explicit HandPath(const T& at) : at_(at), end_(at) {}
  /// Be at `end` after `seconds` of simulated time, or at the end of the next frame if that is later.
  void go(const T& end, double seconds) {
    end_ = end;
    left_ = seconds;
    moving_ = true;
  }
  bool moving() const { return moving_; }
  /// Where the hand is after another `time_step` [s].
  const T& advance(double time_step) {
    // A remainder within rounding of the step is none: it would make a frame of its own.
    if (left_ <= time_step * (1.0 + 1e-6)) {
      at_ = end_;
      moving_ = false;
    } else {
      at_ = between(at_, end_, time_step / left_);
      left_ -= time_step;
    }
    return at_;
  }

 private:
  T at_, end_;
  double left_ = 0.0;  ///< [s] simulated
  bool moving_ = false;
};

}  // namespace sinew::viewer
