// The text log of a run that was changed from outside: enough to run it again to the bit (docs/replay.md).
#pragma once

#include <string>

#include "viewer/session/live_simulation.hpp"

namespace sinew::viewer {

/// Kept in memory, and written line by line to a file where one is given.
class Recording {
 public:
  static constexpr long kStateEvery = 100;  ///< steps between hashes of the state

  /// The simulation is just opened or restarted. file: "" for none. @throws IoError
  explicit Recording(const LiveSimulation& live, const std::string& file = "");
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// After the simulation took the event, before its next step. @throws IoError, once: the log in memory goes
  /// on without the file.
  void add(const LiveSimulation& live, const Event& event);
  /// After each step. @throws as add().
  void stepped(const LiveSimulation& live);
  /// The last line of the file. @throws as add().
  void finish(const LiveSimulation& live);

  const std::string& file() const { return path_; }  ///< that is being written; "": none
  long events() const { return events_; }
  std::string text(const LiveSimulation& live) const;  ///< complete, up to now

 private:
  class File;
  void line(const std::string& text);

  std::string text_, path_;
  long events_ = 0;
  std::unique_ptr<File> file_;
};

}  // namespace sinew::viewer
