// A scene that runs in a thread of its own: commands go in, states come out, and nobody waits for a frame.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sinew/simulation.hpp>

#include "viewer/session/view_state.hpp"

namespace sinew::viewer {

/// All calls are for one thread (the window's), return at once, and take effect between two frames; what goes
/// wrong later becomes a message. Loading and changes of parameters are prepared in the background while the
/// old scene runs on: the newest request wins, and a scene that cannot be built leaves the old one as it is.
class Session {
 public:
  struct Options {
    std::vector<std::string> overrides;  ///< "key.path=value", for every scene that is opened
    Backend backend = Backend::automatic;
    int threads = 0;  ///< 0: all cores
    bool hybrid = false;
    bool paused = false;      ///< scenes wait for play() after opening
    double speed = 1.0;       ///< [1], >= 0, see set_speed()
    std::string record_file;  ///< written along the way; "": only kept in memory
    bool watch = true;        ///< reload when the scene file, or a mesh file in it, changes
  };

  explicit Session(Options options);
  ~Session();  ///< gives the thread 0.5 s to end, see end()
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Scenes.
  void open(const std::string& path);
  void replay(const std::string& recording_file);  ///< opens the recording's scene and does what was done
  void reload();  ///< a fresh start of the file as it is now; parameters changed here are lost

  // What is there to see.
  std::shared_ptr<const ViewState> latest() const;  ///< null before the first scene is ready
  Status status() const;
  std::vector<Message> messages() const;                      ///< the last few hundred, oldest first
  void want_nodes(bool wanted);                               ///< ViewState::nodes
  void want_values(std::optional<SurfaceQuantity> quantity);  ///< ViewState::values

  // Hands. `seconds` is how long the hand took since the last call: targets go there evenly over that time,
  // so that few pictures a second do not make the hand jump. 0: at the end of the next frame.
  /// Its number, never used twice. A point that has moved on since it was seen is brought to the target
  /// within 0.1 s of simulated time, without a throw.
  int grab(const BodyPoint& point, const Vec3d& target, double compliance);
  void move_grab(int number, const Vec3d& target, double seconds);
  void set_grab_compliance(int number, double compliance);  ///< [m/N], >= 0
  void release_grab(int number);
  void release_all();
  void move_obstacle(std::size_t obstacle, const Pose& pose, double seconds);

  // Time.
  void play();
  void pause();
  void step(int frames = 1);  ///< pauses, and computes so many frames, without waiting for the clock
  void reset();               ///< back to time 0; what is in the hand is let go
  void set_speed(
      double speed);  ///< [1] simulated seconds per second of the wall clock; 0: as fast as it goes

  // Parameters: paths as in --set, values as JSON ("0.3", "[0, 0, -9.81]", "\"stable_neo_hookean\"").
  void set_parameter(const std::string& path, const std::string& value);
  void revert_parameters();  ///< to those of the file

  // Files.
  void save_scene(const std::string& path);  ///< with the changed parameters; comments are not kept
  void save_recording(const std::string& path);

  /// Asks the threads to end and waits at most so long: true when they have. A frame or a mesh that takes
  /// longer than that is left to itself, together with all it needs.
  bool end(double seconds);

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

}  // namespace sinew::viewer
