#include "viewer/session/replay.hpp"

#include <limits>
#include <utility>

#include <sinew/errors.hpp>

#include "engine/common/solver_names.hpp"
#include "viewer/session/words.hpp"

namespace sinew::viewer {

namespace {

Backend named(Backend backend) {
  return backend == Backend::automatic ? Backend::cpu : backend;
}

std::string counted(long count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string why_not_compared(const RecordedRun& run, const LiveSimulation& live) {
  const SimulationSettings& settings = live.simulation().settings();
  const Backend backend = named(settings.backend);
  if (run.backend && (named(*run.backend) != backend || run.hybrid != settings.hybrid))
    return "recorded with backend " + to_string(named(*run.backend)) + (run.hybrid ? " hybrid" : "") +
           ", run with " + to_string(backend) + (settings.hybrid ? " hybrid" : "");
  if (run.run && *run.run != live.simulation().run_hash())
    return "the scene or its settings are not those that were recorded";
  return "";
}

}  // namespace

LiveSettings replay_settings(const RecordedRun& run, int threads, std::optional<Backend> backend) {
  const Backend chosen = backend.value_or(run.backend.value_or(Backend::automatic));
  const bool same = !backend || (run.backend && named(*run.backend) == named(chosen));
  return {chosen, same && run.hybrid, threads};
}

Replay::Replay(RecordedRun run, const LiveSimulation& live)
    : run_(std::move(run)), not_compared_(why_not_compared(run_, live)) {}

void Replay::do_entries(LiveSimulation& live, bool events_too, const Done& done) {
  for (; next_ < run_.entries.size() && run_.entries[next_].step == done_; ++next_) {
    const RecordedRun::Entry& entry = run_.entries[next_];
    if (entry.event) {
      if (!events_too) return;
      try {
        live.apply(*entry.event);
      } catch (const NumericalError&) {
        throw;
      } catch (const Error& error) {
        throw ModelError(run_.label + ":" + std::to_string(entry.line) + ": " + error.what());
      }
      if (done) done(*entry.event);
      continue;
    }
    if (!not_compared_.empty()) continue;
    ++compared_;
    const bool same = entry.state_hash == live.simulation().state_hash();
    if (!same && !first_difference_) first_difference_ = done_;
    if (!first_difference_) same_until_ = done_;
  }
}

bool Replay::step(LiveSimulation& live, const Done& done) {
  do_entries(live, true, done);
  if (done_ >= run_.steps) return false;
  // Without a line of its own a frame was not cut, whatever the budget of the scene.
  const auto cut = run_.iterations.find(done_ + 1);
  live.step(cut != run_.iterations.end() ? cut->second : std::numeric_limits<int>::max());
  ++done_;
  do_entries(live, false, done);
  return true;
}

std::string Replay::result() const {
  const std::string steps = counted(done_, "step");
  if (!not_compared_.empty()) return steps + ", not compared: " + not_compared_;
  if (compared_ == 0) return steps + ", nothing to compare: the recording holds no state";
  if (!first_difference_)
    return steps + ", " + counted(compared_, "state") + " compared: the same to the bit";
  return steps + ": the state differs from the recording at step " + std::to_string(*first_difference_) +
         (same_until_ > 0 ? ", it is the same at step " + std::to_string(same_until_) : "");
}

}  // namespace sinew::viewer
