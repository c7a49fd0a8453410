// A scene that runs and is changed from outside by events. What it does follows from the scene, the overrides
// and the events alone: that is what recordings rely on.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sinew/scene.hpp>
#include <sinew/simulation.hpp>

#include "engine/scene/scene_text.hpp"
#include "viewer/session/event.hpp"

namespace sinew::viewer {

/// What the command line says and the scene does not.
struct LiveSettings {
  Backend backend = Backend::automatic;
  bool hybrid = false;
  int threads = 0;  ///< 0: all cores
};

/// A point of a body in the hand.
struct Grab {
  BodyPoint point{};
  Vec3d target{};           ///< [m]
  double compliance = 0.0;  ///< [m/N]
  HandleId id{};
};

/// A scene that is loaded and prepared, with the overrides that made it.
struct PreparedScene {
  std::vector<std::string> overrides;
  Scene scene;
  JsonNode tree;  ///< with the overrides applied
  std::shared_ptr<Simulation> simulation;
};
/// Makes a PreparedScene, in any thread; the one that it comes from may go on meanwhile, or end.
/// @throws SceneError, MeshError, ModelError, MemoryError, BackendError, and what the progress throws.
using Preparation = std::function<std::unique_ptr<PreparedScene>(const PrepareProgress&)>;

/// One thread at a time.
class LiveSimulation {
 public:
  /// @throws as a Preparation.
  LiveSimulation(SceneText text, LiveSettings settings, std::vector<std::string> overrides = {},
                 const PrepareProgress& progress = {});

  /// @throws SceneError, ModelError, ...: nothing has changed then.
  void apply(const Event& event);
  /// One frame; `most_iterations` as of Simulation::step(), to repeat a frame that a budget has cut.
  /// @throws NumericalError: nothing has changed then but that the method starts afresh; a FailedEvent tells
  /// a recording.
  const StepStatistics& step();
  const StepStatistics& step(int most_iterations);
  /// Frames since it was opened; a reset does not count back.
  long steps() const { return steps_; }

  /// A change of parameters in two parts: the first takes time and can be done elsewhere, the second is
  /// quick. Both together are apply(ParametersEvent).
  Preparation preparation(std::vector<std::string> overrides) const;
  void swap(std::unique_ptr<PreparedScene> prepared);
  /// As if it were opened anew, without preparing again what is prepared.
  void restart();

  const SceneText& text() const { return *text_; }
  const LiveSettings& settings() const { return settings_; }
  const std::vector<std::string>& first_overrides() const { return first_overrides_; }
  const std::vector<std::string>& overrides() const { return current_->overrides; }
  const Scene& scene() const { return current_->scene; }
  const JsonNode& tree() const { return current_->tree; }
  const Simulation& simulation() const { return *current_->simulation; }
  Simulation& simulation() { return *current_->simulation; }   ///< changes past apply() are in no recording
  const std::map<int, Grab>& grabs() const { return grabs_; }  ///< by number

 private:
  void do_event(const GrabEvent& event);
  void do_event(const TargetEvent& event);
  void do_event(const ComplianceEvent& event);
  void do_event(const ReleaseEvent& event);
  void do_event(const ObstacleEvent& event);
  void do_event(const ParametersEvent& event);
  void do_event(const ResetEvent& event);
  void do_event(const FailedEvent& event);
  Grab& grab(int number);

  std::shared_ptr<const SceneText> text_;
  LiveSettings settings_;
  std::vector<std::string> first_overrides_;
  std::shared_ptr<MeshCache> meshes_;
  std::unique_ptr<PreparedScene> current_;
  std::map<int, Grab> grabs_;
  long steps_ = 0;
};

}  // namespace sinew::viewer
