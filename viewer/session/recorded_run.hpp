// What a recording says, read from its text (docs/replay.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sinew/simulation.hpp>

#include "viewer/session/event.hpp"

namespace sinew::viewer {

struct RecordedRun {
  /// In the order in which things happened: an event, or the hash of the state.
  struct Entry {
    long step = 0;  ///< steps done when it happened
    int line = 0;   ///< of the file
    std::optional<Event> event;
    std::uint64_t state_hash = 0;  ///< where there is no event
  };

  static constexpr int kFormat = 1;

  std::string label;                 ///< the file, for messages
  std::string scene;                 ///< its path as it was given then; "": not known
  std::optional<std::uint64_t> run;  ///< Simulation::run_hash() at the start
  std::optional<Backend> backend;
  bool hybrid = false;
  std::vector<std::string> overrides;  ///< that the scene was opened with
  std::vector<Entry> entries;
  std::map<long, int> iterations;  ///< of steps that a budget cut short, by their number, 1 for the first
  long steps = 0;
  bool complete = false;  ///< false: the program that wrote it did not end orderly
};

/// @throws ModelError "label:line: what, how to mend it".
RecordedRun parse_recording(const std::string& text, const std::string& label);
/// @throws IoError too.
RecordedRun read_recording(const std::string& file);

}  // namespace sinew::viewer
