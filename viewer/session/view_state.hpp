// What the simulation thread hands to the window: one picture's worth of numbers, never changed once handed
// over.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sinew/scene.hpp>

#include "engine/scene/json_node.hpp"

namespace sinew::viewer {

/// The scene that runs, as it was built: the same object in all states until the next build.
struct SceneView {
  std::string path, name;
  Model model;
  SimulationSettings settings;
  OutputSpec output;
  JsonNode tree;                       ///< with the overrides applied
  std::vector<std::string> overrides;  ///< of the command line and of the window, "key.path=value"
  std::vector<std::string> warnings;   ///< of loading and preparing, one line each
  std::uint64_t generation = 0;        ///< 1 for the first build of the session, then counting
  ModelSizes sizes;
  std::string backend;  ///< Simulation::backend_name()
};

/// A point of a body in the hand.
struct GrabView {
  int number = 0;  ///< as Session::grab() gave it
  std::size_t body = 0;
  Vec3d point;              ///< [m] where the held point is
  Vec3d target;             ///< [m] where it is pulled to
  Vec3d force;              ///< [N] on the body in the last frame
  double compliance = 0.0;  ///< [m/N]
};

/// The simulation between two frames.
struct ViewState {
  std::uint64_t number = 0;  ///< grows with every state handed over
  std::uint64_t opened = 0;  ///< scenes opened or reloaded so far; changes of parameters do not count
  std::uint64_t resets = 0;  ///< resets so far, of all scenes, replayed ones included
  std::shared_ptr<const SceneView> scene;  ///< never null
  long frame = 0;                          ///< of the simulation's time: reset() sets it to 0
  long steps = 0;                          ///< frames computed since the scene was opened
  double time = 0.0;                       ///< [s]
  StepStatistics statistics;
  std::vector<std::vector<Vec3d>> points;   ///< [m] {bodies}{surface points}
  std::vector<std::vector<Vec3d>> nodes;    ///< [m] {bodies}{nodes}; empty unless wanted
  std::vector<std::vector<double>> values;  ///< {bodies}{surface points}; empty unless wanted
  std::vector<std::vector<double>>
      node_values;                          ///< {bodies}{nodes}; empty unless nodes and values are wanted
  std::optional<SurfaceQuantity> quantity;  ///< of values and node_values; none: empty
  std::vector<Pose> obstacle_pose;          ///< {obstacles}
  std::vector<Wrench> obstacle_wrench;      ///< {obstacles} on it, about its origin
  std::vector<ContactForce> contacts;
  std::vector<GrabView> grabs;        ///< by number, ascending
  std::vector<Vec3d> center_of_mass;  ///< [m] {bodies}
  bool diverged = false;              ///< the next frame could not be computed
};

/// What the session is doing.
struct Status {
  bool loading = false;          ///< a scene is being built; the old one runs on
  double loading_seconds = 0.0;  ///< since it began
  std::string loading_what;      ///< "preparing body 2 of 3: liver"
  bool playing = false;
  double speed = 1.0;             ///< [1] wanted, simulated time by wall time; 0: as fast as it goes
  double achieved_speed = 0.0;    ///< [1] over the last second; 0 while nothing moves
  double steps_per_second = 0.0;  ///< over the last second
  bool replaying = false;
  long replay_steps = 0;       ///< length of the recording
  std::string replay_result;   ///< how the last replay ended; "" before
  bool scene_changed = false;  ///< parameters differ from the file
};

struct Message {
  enum class Kind { info, warning, error };
  Kind kind = Kind::info;
  std::string text;          ///< one line
  double seconds = 0.0;      ///< since the session began
  std::uint64_t number = 0;  ///< 1 for the first of the session, then counting
};

}  // namespace sinew::viewer
