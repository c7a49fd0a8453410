#include "apps/sinew/frames.hpp"

#include <optional>
#include <utility>

#include "viewer/session/replay.hpp"

namespace sinew::app {

namespace {

class PlainFrames final : public Frames {
 public:
  explicit PlainFrames(const Scene& scene) : simulation_(scene.model, scene.settings) {}
  using Frames::simulation;
  Simulation& simulation() override { return simulation_; }
  const StepStatistics& step() override { return simulation_.step(); }
  std::string result(bool&) const override { return ""; }

 private:
  Simulation simulation_;
};

std::unique_ptr<viewer::LiveSimulation> opened(const RunOptions& options, const viewer::RecordedRun& run) {
  std::optional<Backend> backend;
  if (options.backend != "auto") backend = parse_backend(options.backend);
  viewer::LiveSettings settings = viewer::replay_settings(run, options.threads.value_or(0), backend);
  settings.hybrid = settings.hybrid || options.hybrid;
  return std::make_unique<viewer::LiveSimulation>(read_scene_text(options.scene), settings, run.overrides);
}

class ReplayedFrames final : public Frames {
 public:
  ReplayedFrames(std::unique_ptr<viewer::LiveSimulation> live, viewer::RecordedRun run)
      : live_(std::move(live)),
        other_backend_(run.backend.value_or(live_->settings().backend) != live_->settings().backend),
        replay_(std::move(run), *live_) {}
  using Frames::simulation;
  Simulation& simulation() override { return live_->simulation(); }
  const StepStatistics& step() override {
    if (!replay_.step(*live_)) live_->step();
    time_ += simulation().settings().time_step;
    return simulation().statistics();
  }
  void finish() override {
    if (live_->steps() == replay_.run().steps) replay_.step(*live_);
  }
  long number() const override { return live_->steps(); }
  double time() const override { return time_; }
  std::string result(bool& failed) const override {
    failed = replay_.first_difference() || (!replay_.not_compared().empty() && !other_backend_);
    return replay_.run().label + ": " + replay_.result();
  }

 private:
  std::unique_ptr<viewer::LiveSimulation> live_;
  bool other_backend_;
  viewer::Replay replay_;
  double time_ = 0.0;
};

}  // namespace

std::unique_ptr<Frames> plain_frames(const Scene& scene) {
  return std::make_unique<PlainFrames>(scene);
}

std::unique_ptr<Frames> replayed_frames(const RunOptions& options, viewer::RecordedRun run) {
  auto live = opened(options, run);
  return std::make_unique<ReplayedFrames>(std::move(live), std::move(run));
}

}  // namespace sinew::app
