// Where the frames of a run come from: a simulation by itself, or one that a recording acts on.
#pragma once

#include <memory>
#include <string>

#include <sinew/scene.hpp>
#include <sinew/simulation.hpp>

#include "apps/sinew/run_options.hpp"
#include "viewer/session/recorded_run.hpp"

namespace sinew::app {

class Frames {
 public:
  virtual ~Frames() = default;
  virtual Simulation& simulation() = 0;
  const Simulation& simulation() const { return const_cast<Frames*>(this)->simulation(); }
  virtual const StepStatistics& step() = 0;  ///< @throws NumericalError
  virtual void finish() {}                   ///< what is left to do after the last frame
  /// Of the last frame. They only grow; those of the simulation itself begin again after a reset.
  virtual long number() const { return simulation().frame(); }
  virtual double time() const { return simulation().time(); }  ///< [s]
  /// One line at the end; "" for none. failed: the frames are not those that were recorded.
  virtual std::string result(bool& failed) const = 0;
};

std::unique_ptr<Frames> plain_frames(const Scene& scene);
/// Frames of the recording, then those that follow without anybody acting.
std::unique_ptr<Frames> replayed_frames(const RunOptions& options, viewer::RecordedRun run);

}  // namespace sinew::app
