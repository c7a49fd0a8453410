// The real viewer on a display of its own, with a mouse and keys moved by xdotool.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include <json/json.h>

namespace sinew::test {

/// "": there is all that it takes; else what is missing, for SINEW_SKIP.
std::string missing_for_window();

/// A display without a screen (Xvfb) for as long as it lives.
class VirtualDisplay {
 public:
  VirtualDisplay();  ///< @throws std::runtime_error
  ~VirtualDisplay();
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;
  const std::string& name() const { return name_; }

 private:
  pid_t pid_ = -1;
  std::string name_;
};

class DrivenViewer {
 public:
  /// Starts the viewer, working in folder. Its layout is not the user's.
  DrivenViewer(const std::string& folder, std::vector<std::string> arguments);
  ~DrivenViewer();
  DrivenViewer(const DrivenViewer&) = delete;
  DrivenViewer& operator=(const DrivenViewer&) = delete;

  using Condition = std::function<bool(const Json::Value&)>;
  /// The last state that the viewer wrote; null before the first.
  Json::Value state() const;
  /// The first state from now on that the condition holds for; fails the test with `what` after the time.
  Json::Value wait(const std::string& what, const Condition& condition, double seconds = 60.0);
  /// All states written so far, oldest first.
  std::vector<Json::Value> states() const;

  void xdotool(const std::vector<std::string>& arguments) const;
  void move_to(double x, double y);
  /// There in so many steps, a few milliseconds apart.
  void move_slowly_to(double x, double y, int steps = 20);
  void press(int button = 1) const { xdotool({"mousedown", std::to_string(button)}); }
  void release(int button = 1) const { xdotool({"mouseup", std::to_string(button)}); }
  void click(int button = 1) const { xdotool({"click", std::to_string(button)}); }
  void key(const std::string& keys) const { xdotool({"key", keys}); }
  void key_down(const std::string& key) const { xdotool({"keydown", key}); }
  void key_up(const std::string& key) const { xdotool({"keyup", key}); }
  void type(const std::string& text) const { xdotool({"type", "--", text}); }
  /// Where a control or a header of the panels is, by its path in the scene.
  std::array<double, 2> place_of(const std::string& path);

  bool has_ended();
  /// Waits for the end: its status (1000 + signal), -1 when it still runs after the time.
  int finish(double seconds);
  std::string errors() const;  ///< what it wrote to stderr

 private:
  VirtualDisplay display_;
  std::string log_, error_file_;
  pid_t pid_ = -1;
  int status_ = -1;
  bool ended_ = false;
  double x_ = 0.0, y_ = 0.0;
};

std::array<double, 3> vector_of(const Json::Value& list);
double distance(const Json::Value& a, const Json::Value& b);  ///< of two lists of numbers

}  // namespace sinew::test
