#include "viewer/session/clock.hpp"

#include <algorithm>

namespace sinew::viewer {

namespace {
double seconds_between(PlayClock::Time from, PlayClock::Time to) {
  return std::chrono::duration<double>(to - from).count();
}
PlayClock::Time later(PlayClock::Time time, double seconds) {
  // A day is as good as any longer time, and fits.
  const std::chrono::duration<double> wait(std::min(seconds, 86400.0));
  return time + std::chrono::duration_cast<PlayClock::Time::duration>(wait);
}
}  // namespace

void PlayClock::advance(Time now) {
  if (now > last_) {
    ahead_ = speed_ > 0.0 ? std::max(ahead_ - speed_ * seconds_between(last_, now), -speed_ * kSlack) : 0.0;
    last_ = now;
  }
}

void PlayClock::set_speed(double speed, Time now) {
  advance(now);
  speed_ = speed;
  if (speed_ == 0.0) ahead_ = 0.0;
  if (!samples_.empty()) samples_.assign(1, {now, 0.0});
}

void PlayClock::start(Time now) {
  ahead_ = 0.0;
  last_ = now;
  samples_.assign(1, {now, 0.0});
}

PlayClock::Time PlayClock::due(Time now) const {
  if (speed_ == 0.0) return now;
  return later(last_, ahead_ / speed_);
}

void PlayClock::frame_done(double time_step, Time now) {
  advance(now);
  if (speed_ > 0.0) ahead_ += time_step;
  samples_.push_back({std::max(now, due(now)), time_step});
  while (samples_.size() > 2 && seconds_between(samples_[1].until, now) > kWindow) samples_.pop_front();
}

double PlayClock::window() const {
  return std::max(seconds_between(samples_.front().until, samples_.back().until), 1e-9);
}

double PlayClock::achieved_speed() const {
  if (samples_.size() < 2) return 0.0;
  double simulated = 0.0;
  for (std::size_t i = 1; i < samples_.size(); ++i) simulated += samples_[i].time_step;
  return simulated / window();
}

double PlayClock::steps_per_second() const {
  return samples_.size() < 2 ? 0.0 : static_cast<double>(samples_.size() - 1) / window();
}

double PlayClock::pace() const {
  const double achieved = achieved_speed();
  if (achieved == 0.0) return speed_ > 0.0 ? speed_ : 1.0;
  return speed_ > 0.0 ? std::min(speed_, achieved) : achieved;
}

}  // namespace sinew::viewer
