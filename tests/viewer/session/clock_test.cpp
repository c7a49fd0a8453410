// The clock of the session, with a wall clock made by hand.
#include <chrono>

#include "tests/support/catch.hpp"
#include "viewer/session/clock.hpp"

using namespace sinew::viewer;

namespace {
PlayClock::Time at(double seconds) {
  return PlayClock::Time{} + std::chrono::duration_cast<PlayClock::Time::duration>(
                                 std::chrono::duration<double>(1000.0 + seconds));
}
double seconds(PlayClock::Time time) {
  return std::chrono::duration<double>(time - at(0.0)).count();
}

/// Frames of a given cost [s] from `now` until `end`; how many were done.
int play(PlayClock& clock, double& now, double end, double time_step, double cost) {
  int frames = 0;
  while (now < end) {
    const double due = seconds(clock.due(at(now)));
    if (due > now) {
      now = due;
      continue;
    }
    now += cost;
    clock.frame_done(time_step, at(now));
    ++frames;
  }
  return frames;
}
}  // namespace

TEST_CASE("clock: frames come when they are due", "[session]") {
  PlayClock clock;
  double now = 0.0;
  clock.start(at(now));
  CHECK(clock.achieved_speed() == 0.0);
  CHECK(play(clock, now, 0.009, 0.01, 0.001) == 1);
  CHECK(clock.achieved_speed() == Approx(1.0));
  const int frames = play(clock, now, 3.0, 0.01, 0.001);
  CHECK(frames >= 298);
  CHECK(frames <= 300);
  CHECK(clock.achieved_speed() == Approx(1.0).epsilon(0.01));
  CHECK(clock.steps_per_second() == Approx(100.0).epsilon(0.01));
  CHECK(clock.pace() == Approx(1.0).epsilon(0.01));
}

TEST_CASE("clock: slow motion, and back to full speed at once", "[session]") {
  PlayClock clock;
  double now = 0.0;
  clock.set_speed(0.01, at(now));
  clock.start(at(now));
  CHECK(play(clock, now, 4.99, 0.01, 0.001) == 5);
  CHECK(clock.achieved_speed() == Approx(0.01).epsilon(0.05));
  // The next frame is a second away at this speed, and at most 10 ms at full speed.
  clock.set_speed(1.0, at(now));
  CHECK(seconds(clock.due(at(now))) < now + 0.0101);
}

TEST_CASE("clock: a scene that is too slow runs without pause and owes nothing", "[session]") {
  PlayClock clock;
  double now = 0.0;
  clock.start(at(now));
  CHECK(play(clock, now, 10.0, 0.01, 0.05) == 200);
  CHECK(clock.achieved_speed() == Approx(0.2).epsilon(0.02));
  CHECK(clock.pace() == Approx(0.2).epsilon(0.02));
  // Fast again: what is caught up with is the slack, not the eight seconds.
  const int frames = play(clock, now, now + 1.0, 0.01, 0.001);
  CHECK(frames >= 100);
  CHECK(frames <= 108);
}

TEST_CASE("clock: speed 0 is as fast as it goes", "[session]") {
  PlayClock clock;
  double now = 0.0;
  clock.set_speed(0.0, at(now));
  clock.start(at(now));
  CHECK(play(clock, now, 1.0, 0.01, 0.001) >= 999);
  CHECK(clock.achieved_speed() == Approx(10.0).epsilon(0.01));
  CHECK(clock.pace() == Approx(10.0).epsilon(0.01));
}
