// The program behind `sinew view`: window, panels and picture around a Session.
#pragma once

#include <csignal>
#include <memory>
#include <optional>
#include <string>

#include "viewer/live/camera.hpp"
#include "viewer/live/live_renderer.hpp"
#include "viewer/session/session.hpp"
#include "viewer/window/drawing.hpp"
#include "viewer/window/hand.hpp"
#include "viewer/window/history.hpp"
#include "viewer/window/panels.hpp"
#include "viewer/window/state_log.hpp"
#include "viewer/window/window.hpp"

namespace sinew::viewer {

struct ViewerOptions {
  std::string scene, replay;
  Session::Options session;
  int width = 1280, height = 800;  ///< window units
  bool panels = true;
  std::string color;  ///< quantity shown at the start: stress, strain, speed, displacement
  bool contacts = false, cut = false;
  std::string screenshot;  ///< written after `frames` frames, then the program ends
  long frames = 0;
  std::string state_log;
};

class ViewerApp {
 public:
  /// @throws BackendError, IoError, Error in one line.
  explicit ViewerApp(const ViewerOptions& options);
  ~ViewerApp();
  /// Until the window is closed, or interrupted is set. Returns the exit status.
  int run(const volatile std::sig_atomic_t& interrupted);
  /// Ends the threads of the simulation; false: one is in the middle of something long, and is best left
  /// behind with the whole process.
  bool end(double seconds) { return session_.end(seconds); }

 private:
  struct Gui {
    Gui(Window& window, bool remembered);
    ~Gui();
  };

  void handle(const InputEvent& event);
  void handle_key(const InputEvent& event);
  void handle_press(const InputEvent& event);
  void inspect(double x, double y);
  void follow_inspected();
  void take_state();
  void frame_all(bool at_once);
  void draw_overlay();
  void draw();
  void act_on(const Wishes& wishes);
  void save_picture(const std::string& path);
  void wait_for_picture();     ///< until one is due, or something happens
  bool still_waiting() const;  ///< a screenshot was asked for and its frame is not there yet
  ScreenMap screen() const;    ///< of the picture's area, in window units from its corner
  double slower_or_faster(bool faster) const;

  ViewerOptions options_;
  Window window_;
  std::string graphics_;  ///< driver and version
  Gui gui_;
  Session session_;
  LiveRenderer renderer_;
  OrbitCamera camera_;
  std::optional<Vec3d> light_;  ///< towards the light, as the scene's first view likes it
  Hand hand_;
  ViewOptions view_;
  Panels panels_;
  History history_;
  std::unique_ptr<StateLog> state_log_;
  std::shared_ptr<const ViewState> state_;
  Status status_;
  std::vector<Message> messages_;
  Wishes key_wishes_;
  std::optional<SurfaceQuantity> wanted_values_;  ///< as the session was told
  bool wanted_nodes_ = false;
  std::string framed_path_;  ///< of the scene that the camera was placed for
  bool framed_ = true, panels_settled_ = false;
  double arrow_length_ = 0.0;     ///< [m/N], smoothed
  double last_picture_ = 0.0;     ///< [s]
  double picture_seconds_ = 0.0;  ///< that the last one took
  bool orbiting_ = false, panning_ = false;
  double last_x_ = 0.0, last_y_ = 0.0;
  int screenshots_ = 0;
  std::string picture_to_;  ///< file for the picture that is drawn next; "": none
  int status_code_ = 0;
  bool stepped_ = false, written_ = false;
};

}  // namespace sinew::viewer
