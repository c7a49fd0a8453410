// How far a run is: a bar on a terminal, a line every 10 % elsewhere.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include <sinew/simulation.hpp>

namespace sinew::app {

/// "0:07", "12:34", "1:02:03".
std::string clock_text(double seconds);

/// One line, e.g. "[######....] 120/300  4.1 ms/frame  31 contacts  0:01 left". width: columns of the
/// terminal.
std::string progress_line(long frame, long frames, double ms_per_frame, std::size_t contacts,
                          double seconds_left, int width);

class Progress {
 public:
  enum class Style { none, bar, lines };

  /// Bar if out is a terminal, lines otherwise, nothing when quiet.
  Progress(std::FILE* out, bool quiet, long first_frame, long last_frame);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// frame: number of the one that is done.
  void update(long frame, const StepStatistics& statistics);
  void finish();  ///< takes the bar away

 private:
  using Clock = std::chrono::steady_clock;
  std::FILE* out_;
  Style style_;
  long first_, last_;
  Clock::time_point start_, drawn_;
  double smooth_ms_ = 0.0;
  int tenths_ = 0;
  bool visible_ = false;
};

}  // namespace sinew::app
