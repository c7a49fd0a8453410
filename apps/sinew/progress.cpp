#include "apps/sinew/progress.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sinew::app {

std::string clock_text(double seconds) {
  const long s = static_cast<long>(std::lround(std::clamp(seconds, 0.0, 3.6e8)));
  if (s >= 3600) return fmt::format("{}:{:02d}:{:02d}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02d}", s / 60, s % 60);
}

std::string progress_line(long frame, long frames, double ms_per_frame, std::size_t contacts,
                          double seconds_left, int width) {
  const std::string numbers = fmt::format("{}/{}  {:.1f} ms/frame  {} contacts  {} left", frame, frames,
                                          ms_per_frame, contacts, clock_text(seconds_left));
  const int bar = std::min(40, width - static_cast<int>(numbers.size()) - 4);
  if (bar < 8) return numbers.substr(0, static_cast<std::size_t>(std::max(1, width - 1)));
  const double share = frames > 0 ? static_cast<double>(frame) / static_cast<double>(frames) : 1.0;
  const auto full = static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * bar));
  return "[" + std::string(full, '#') + std::string(static_cast<std::size_t>(bar) - full, '.') + "] " +
         numbers;
}

namespace {
int terminal_width(std::FILE* out) {
  struct winsize size {};
  if (::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}
}  // namespace

Progress::Progress(std::FILE* out, bool quiet, long first_frame, long last_frame)
    : out_(out),
      style_(quiet                     ? Style::none
             : ::isatty(::fileno(out)) ? Style::bar
                                       : Style::lines),
      first_(first_frame),
      last_(last_frame),
      start_(Clock::now()) {}

Progress::~Progress() {
  finish();
}

void Progress::update(long frame, const StepStatistics& statistics) {
  if (style_ == Style::none) return;
  const Clock::time_point now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const long done = frame - first_, total = std::max(1L, last_ - first_);
  const double left =
      done > 0 ? elapsed / static_cast<double>(done) * static_cast<double>(total - done) : 0.0;
  smooth_ms_ = done <= 1 ? statistics.ms.frame : 0.9 * smooth_ms_ + 0.1 * statistics.ms.frame;

  if (style_ == Style::bar) {
    if (done < total && visible_ && now - drawn_ < std::chrono::milliseconds(100)) return;
    const std::string line =
        progress_line(frame, last_, smooth_ms_, statistics.contacts, left, terminal_width(out_));
    std::fprintf(out_, "\r%s\x1b[K", line.c_str());
    std::fflush(out_);
    drawn_ = now;
    visible_ = true;
    return;
  }
  const int tenths = static_cast<int>(10 * done / total);
  if (tenths == tenths_) return;
  tenths_ = tenths;
  std::fprintf(out_, "%s\n",
               fmt::format("{:3d} %  frame {}/{}  {:.1f} ms/frame  {} contacts  {} left", 10 * tenths, frame,
                           last_, smooth_ms_, statistics.contacts, clock_text(left))
                   .c_str());
  std::fflush(out_);
}

void Progress::finish() {
  if (!visible_) return;
  std::fputs("\r\x1b[K", out_);
  std::fflush(out_);
  visible_ = false;
}

}  // namespace sinew::app
