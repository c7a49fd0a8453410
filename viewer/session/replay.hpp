// Runs a recording again and says whether every state that it holds the hash of was met (docs/replay.md).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "viewer/session/live_simulation.hpp"
#include "viewer/session/recorded_run.hpp"

namespace sinew::viewer {

/// How to open a scene so that a recording runs on it. backend: another one than recorded; nothing is
/// compared then.
LiveSettings replay_settings(const RecordedRun& run, int threads, std::optional<Backend> backend = {});

class Replay {
 public:
  /// The simulation is just opened or restarted with the recording's overrides and replay_settings(), and the
  /// same in all calls.
  Replay(RecordedRun run, const LiveSimulation& live);

  /// One frame: what was done before it, the frame, and its check. False: the recording is over and no frame
  /// was computed; what was done after the last frame is done then. done: told of each event that was
  /// applied.
  /// @throws ModelError with the line of an event that cannot be; NumericalError as of a step.
  bool step(LiveSimulation& live, const std::function<void(const Event&)>& done = {});

  const RecordedRun& run() const { return run_; }
  /// First step whose state was found different.
  const std::optional<long>& first_difference() const { return first_difference_; }
  /// Why nothing is compared: another scene, other settings or another backend; "" where it is.
  const std::string& not_compared() const { return not_compared_; }
  std::string result() const;  ///< one line: "120 steps, 2 states compared: the same to the bit"

 private:
  using Done = std::function<void(const Event&)>;
  void do_entries(LiveSimulation& live, bool events_too, const Done& done);

  RecordedRun run_;
  std::size_t next_ = 0;  ///< of the entries
  long done_ = 0, compared_ = 0, same_until_ = 0;
  std::optional<long> first_difference_;
  std::string not_compared_;
};

}  // namespace sinew::viewer
