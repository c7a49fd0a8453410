// When the next frame is due, and how fast simulated time goes. Knows no wall clock: it is told what time it
// is.
#pragma once

#include <chrono>
#include <deque>

namespace sinew::viewer {

/// Ties simulated time to the wall clock. Frames that come late are caught up with as long as they are less
/// than kSlack behind; a longer delay is dropped, so that a scene that is slower than asked for runs as fast
/// as it can instead of falling behind more and more.
class PlayClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr double kSlack = 0.05;  ///< [s] wall
  static constexpr double kWindow = 1.0;  ///< [s] wall, of the mean speed

  void set_speed(double speed, Time now);  ///< [1] simulated by wall time; 0: frames are due at once
  double speed() const { return speed_; }
  void start(Time now);  ///< plays from now on: nothing is owed
  void stop() { samples_.clear(); }

  /// When the next frame should begin; not after `now` if it is due.
  Time due(Time now) const;
  /// A frame of `time_step` [s] has been computed.
  void frame_done(double time_step, Time now);

  double achieved_speed() const;    ///< [1] mean over the last frames; 0 before the first
  double steps_per_second() const;  ///< the same in frames
  /// Simulated time by wall time that can be counted on: the wanted speed, or less where frames are slow.
  double pace() const;

 private:
  struct Sample {
    Time until;  ///< the frame is computed, and its time is over
    double time_step = 0.0;
  };
  void advance(Time now);
  double window() const;  ///< [s] wall of all frames but the first one kept

  double speed_ = 1.0;
  double ahead_ = 0.0;  ///< [s] simulated time that has been computed before its time; < 0: behind
  Time last_{};         ///< of ahead_
  std::deque<Sample> samples_;
};

}  // namespace sinew::viewer
