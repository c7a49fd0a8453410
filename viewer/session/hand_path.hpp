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

/// A hand that has taken hold of a point. The point has moved on since it was seen: the hand starts where the
/// point is and makes up for the difference evenly, so that taking a moving body does not throw it.
class HoldingHand {
 public:
  static constexpr double kCatchUp = 0.1;   ///< [s] simulated
  static constexpr double kNothing = 1e-9;  ///< [m] a difference that is only rounding
  HoldingHand(const Vec3d& hand, const Vec3d& point);
  void go(const Vec3d& end, double seconds) { path_.go(end, seconds); }
  bool moving() const { return path_.moving() || left_ > 0.0; }
  Vec3d start() const { return at_; }  ///< where the hold begins
  Vec3d advance(double time_step);

 private:
  HandPath<Vec3d> path_;
  Vec3d at_;
  Vec3d behind_{};     ///< [m] from the hand to where it holds
  double left_ = 0.0;  ///< [s] simulated, until nothing is behind
};

}  // namespace sinew::viewer
