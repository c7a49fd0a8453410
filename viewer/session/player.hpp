// The simulation's side of a session: what its thread does between two looks at the clock.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <sinew/errors.hpp>

#include "viewer/session/board.hpp"
#include "viewer/session/clock.hpp"
#include "viewer/session/hand_path.hpp"
#include "viewer/session/loader.hpp"
#include "viewer/session/recording.hpp"
#include "viewer/session/replay.hpp"
#include "viewer/session/state_pool.hpp"
#include "viewer/session/view_writer.hpp"

namespace sinew::viewer {

/// All functions belong to the simulation's thread; commands of the window call them between two frames.
class Player {
 public:
  struct Settings {
    std::vector<std::string> overrides;
    bool paused = false;
    double speed = 1.0;
    std::string record_file;
  };
  /// next_grab: number of the next grab, kept above those of recordings.
  Player(Settings settings, Board& board, Loader& loader, std::atomic<int>& next_grab);

  void run();  ///< until the board is asked to end

  void grab(int number, const BodyPoint& point, const Vec3d& target, double compliance);
  void move_grab(int number, const Vec3d& target, double seconds);
  void set_grab_compliance(int number, double compliance);
  void release_grab(int number);
  void release_all();
  void move_obstacle(std::size_t obstacle, const Pose& pose, double seconds);

  void play();
  void pause();
  void step(int frames);
  void reset();
  void set_speed(double speed);

  void set_parameter(const std::string& path, const std::string& value);
  void revert_parameters();
  void save_scene(const std::string& path);
  void save_recording(const std::string& path);
  void want_nodes(bool wanted);
  void want_values(std::optional<SurfaceQuantity> quantity);

 private:
  using Time = std::chrono::steady_clock::time_point;
  static Time now() { return std::chrono::steady_clock::now(); }
  static constexpr double kMostSpeed = 1000.0;   ///< [1]
  static constexpr double kShowSeconds = 0.004;  ///< [s] states are not handed over more often while it plays

  void take_built();
  void start_scene(Built built);
  void swap_parameters(Built built);
  void begin_replay(std::optional<RecordedRun> run);
  void begin_recording();
  void ask_for_parameters();

  void do_commands();
  void turn();  ///< what is new, a frame if it is time, and what is to be shown
  bool frame_due(Time time) const;
  void frame();
  void hands();
  bool replay_frame();  ///< false: the recording is over, no frame was computed
  void end_replay(const std::string& result);
  void take_over();  ///< a hand during a replay: it ends here, and goes on as a session of its own
  void show();
  void report();
  /// Applies and records; an error becomes a message. False: nothing has changed.
  bool apply(const Event& event);
  void took(const Event& event);  ///< the simulation has: counts and records it
  /// Does what may fail to write to the recording's file. That is said once, the log goes on in memory.
  template <class F>
  void record(const F& write) {
    if (!recording_) return;
    try {
      write();
    } catch (const IoError& error) {
      board_.say(Message::Kind::error, error.what());
    }
  }
  double hand_seconds(double wall_seconds) const;  ///< [s] simulated
  std::optional<std::size_t> body_named(const std::string& name) const;
  /// [m] now; none: there is no such point.
  std::optional<Vec3d> place_of(const BodyPoint& point, std::size_t body) const;
  HoldingHand* hand_of(int number);  ///< null: nothing is held by that number
  void forget_hands();

  const Settings settings_;
  Board& board_;
  Loader& loader_;
  std::atomic<int>& next_grab_;
  StatePool pool_;

  std::unique_ptr<LiveSimulation> live_;
  std::shared_ptr<const SceneView> scene_;
  std::unique_ptr<Recording> recording_;
  int recordings_ = 0;  ///< begun
  std::optional<Replay> replay_;
  long replay_steps_ = 0;
  std::string replay_result_;
  std::uint64_t opened_ = 0, resets_ = 0, generation_ = 0, shown_ = 0;
  std::vector<std::string> wanted_;  ///< overrides asked for last
  std::vector<std::string> saved_;   ///< overrides of the file as it is on disk

  PlayClock clock_;
  bool playing_ = false, diverged_ = false, changed_ = false;
  int steps_left_ = 0;  ///< of step()
  Time last_shown_{};
  Wants wants_;
  std::map<int, HoldingHand> hands_;
  std::map<std::size_t, HandPath<Pose>> moved_;  ///< obstacles
  std::set<std::string> fixed_;                  ///< obstacles that it was said of that they cannot be moved
};

}  // namespace sinew::viewer
