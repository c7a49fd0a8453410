#include "viewer/session/live_simulation.hpp"

#include <utility>

#include <sinew/errors.hpp>

namespace sinew::viewer {

namespace {

/// Everything that a preparation needs, kept by it: it may outlive the simulation that it comes from.
struct Source {
  std::shared_ptr<const SceneText> text;
  LiveSettings settings;
  std::shared_ptr<MeshCache> meshes;
  std::shared_ptr<const Simulation> like;  ///< may be null
};

std::unique_ptr<PreparedScene> prepare(const Source& source, const std::vector<std::string>& overrides,
                                       const PrepareProgress& progress) {
  auto prepared = std::make_unique<PreparedScene>();
  prepared->overrides = overrides;
  prepared->tree = read_scene_tree(*source.text, overrides);
  prepared->scene = load_scene_text(*source.text, overrides, source.meshes.get());
  SimulationSettings& settings = prepared->scene.settings;
  settings.backend = source.settings.backend;
  settings.hybrid = source.settings.hybrid;
  if (source.settings.threads > 0) settings.threads = source.settings.threads;
  prepared->simulation =
      std::make_shared<Simulation>(prepared->scene.model, settings, source.like.get(), progress);
  return prepared;
}

}  // namespace

LiveSimulation::LiveSimulation(SceneText text, LiveSettings settings, std::vector<std::string> overrides,
                               const PrepareProgress& progress)
    : text_(std::make_shared<const SceneText>(std::move(text))),
      settings_(settings),
      first_overrides_(std::move(overrides)),
      meshes_(std::make_shared<MeshCache>()) {
  current_ = prepare({text_, settings_, meshes_, nullptr}, first_overrides_, progress);
}

void LiveSimulation::apply(const Event& event) {
  std::visit([this](const auto& e) { do_event(e); }, event);
}

const StepStatistics& LiveSimulation::step() {
  const StepStatistics& statistics = simulation().step();
  ++steps_;
  return statistics;
}

const StepStatistics& LiveSimulation::step(int most_iterations) {
  const StepStatistics& statistics = simulation().step(most_iterations);
  ++steps_;
  return statistics;
}

Preparation LiveSimulation::preparation(std::vector<std::string> overrides) const {
  return [source = Source{text_, settings_, meshes_, current_->simulation}, overrides = std::move(overrides)](
             const PrepareProgress& progress) { return prepare(source, overrides, progress); };
}

void LiveSimulation::swap(std::unique_ptr<PreparedScene> prepared) {
  prepared->simulation->continue_from(simulation());
  current_ = std::move(prepared);
  std::erase_if(grabs_, [this](const auto& grab) { return !simulation().has_handle(grab.second.id); });
}

void LiveSimulation::restart() {
  if (overrides() == first_overrides_)
    simulation().reset();
  else
    current_ = preparation(first_overrides_)({});
  grabs_.clear();
  steps_ = 0;
}

Grab& LiveSimulation::grab(int number) {
  const auto found = grabs_.find(number);
  if (found == grabs_.end()) throw ModelError("grab " + std::to_string(number) + ": there is none now");
  return found->second;
}

void LiveSimulation::do_event(const GrabEvent& event) {
  const std::string name = "grab " + std::to_string(event.number);
  if (event.number < 0) throw ModelError(name + ": numbers of grabs are 0 or more");
  if (grabs_.contains(event.number)) throw ModelError(name + ": is in use; release it first");
  const VectorPath target{{0.0}, {event.target}};
  const HandleId id = simulation().add_handle(GrabSpec{"", event.point, target, event.compliance});
  grabs_[event.number] = {event.point, event.target, event.compliance, id};
}

void LiveSimulation::do_event(const TargetEvent& event) {
  Grab& held = grab(event.number);
  simulation().set_target(held.id, event.target);
  held.target = event.target;
}

void LiveSimulation::do_event(const ComplianceEvent& event) {
  Grab& held = grab(event.number);
  simulation().set_compliance(held.id, event.compliance);
  held.compliance = event.compliance;
}

void LiveSimulation::do_event(const ReleaseEvent& event) {
  simulation().remove_handle(grab(event.number).id);
  grabs_.erase(event.number);
}

void LiveSimulation::do_event(const ObstacleEvent& event) {
  simulation().set_obstacle_pose(scene().model.obstacle_index(event.obstacle), event.pose);
}

void LiveSimulation::do_event(const ParametersEvent& event) {
  swap(preparation(event.overrides)({}));
}

void LiveSimulation::do_event(const ResetEvent&) {
  simulation().reset();
  grabs_.clear();
}

void LiveSimulation::do_event(const FailedEvent&) {
  simulation().clear_history();
}

}  // namespace sinew::viewer
