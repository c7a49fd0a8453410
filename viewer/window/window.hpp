// A GLFW window with an OpenGL 3.3 core context, and what was typed, clicked and dropped since the last
// picture.
#pragma once

#include <string>
#include <vector>

#include "viewer/gl_functions.hpp"

struct GLFWwindow;

namespace sinew::viewer {

/// Coordinates are in window units from the upper left corner, as GLFW counts them.
struct InputEvent {
  enum class Kind { press, release, move, wheel, key, drop };
  Kind kind = Kind::move;
  int button = 0;         ///< GLFW_MOUSE_BUTTON_...
  int key = 0;            ///< GLFW_KEY_...
  int mods = 0;           ///< GLFW_MOD_...
  bool repeated = false;  ///< a key that is held down
  double x = 0.0, y = 0.0;
  double wheel = 0.0;              ///< steps, up is positive
  std::vector<std::string> paths;  ///< of a drop
  double arrived = 0.0;            ///< [s] on the clock of Window::seconds()
};

class Window {
 public:
  /// @throws BackendError in one line: no display, no OpenGL 3.3, and what to do without a window.
  Window(int width, int height, const std::string& title);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  const GlFunctions& gl() const { return gl_; }
  std::string description() const;  ///< e.g. "llvmpipe (LLVM 15), OpenGL 4.5"

  bool should_close() const;
  void close();
  void set_title(const std::string& title);
  /// Takes what has happened; waits for it up to the given time [s].
  void poll(double wait);
  bool has_events() const { return !events_.empty(); }
  bool has_more_than_moves() const;  ///< something that should be answered at once
  std::vector<InputEvent> take_events();
  void swap();
  double seconds() const;  ///< since the window was made

  void size(int& width, int& height) const;        ///< window units
  void pixel_size(int& width, int& height) const;  ///< of the framebuffer
  /// By how much texts and widths given in window units grow: 1 on a usual display, and where the window's
  /// unit is more than a pixel already.
  double content_scale() const;

 private:
  static Window* of(GLFWwindow* window);
  void add(InputEvent event);

  GLFWwindow* window_ = nullptr;
  GlFunctions gl_;
  std::vector<InputEvent> events_;
  double x_ = 0.0, y_ = 0.0;  ///< of the cursor at the last event
};

}  // namespace sinew::viewer
