// What the mouse holds: points of soft bodies (grabs) and obstacles that are marked movable.
#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include "viewer/live/screen.hpp"
#include "viewer/session/session.hpp"
#include "viewer/window/view_options.hpp"

namespace sinew::viewer {

/// First body or obstacle under the cursor.
struct Touch {
  std::optional<BodyPoint> body_point;  ///< by triangle
  std::size_t body = 0;
  std::optional<std::size_t> obstacle;
  Vec3d position;  ///< [m]
};
/// Hidden parts are looked through.
std::optional<Touch> touch(const ViewState& state, const ViewOptions& options, const Ray& ray);

class Hand {
 public:
  enum class Holds { nothing, body, obstacle };

  explicit Hand(Session& session) : session_(session) {}

  /// Takes what is under the cursor: the mark of a pinned grab (within 12 units), a body, a movable obstacle,
  /// which turns instead of moving with `turn`. False: there is nothing to take.
  bool press(const ViewState& state, const ViewOptions& options, const ScreenMap& screen, double x, double y,
             bool turn, double now);
  /// The cursor is at (x, y).
  void move(const ScreenMap& screen, double x, double y);
  /// Nearer to the eye (steps < 0) or farther away, 5 percent of the distance each.
  void change_depth(const ScreenMap& screen, double steps);
  /// Once per picture: tells the session where the hand is by now [s], any clock that goes evenly. The target
  /// goes there over the time since the last call, however many events came in between, and no faster than
  /// ten times the size of what is shown in a second: a mouse that jumps is no blow.
  void flush(double now);
  /// Lets go; keep: the grab stays where it is, pinned.
  void release(bool keep, double now);
  void unpin(int number);
  void unpin_all();
  /// A scene was opened or reset: what was held is gone.
  void forget();

  Holds holds() const { return holds_; }
  const Vec3d& target() const { return target_; }  ///< [m] where it is, of the place that was taken
  const Pose& pose() const { return pose_; }       ///< asked for, of the obstacle
  int grab() const { return grab_; }               ///< the number of the one in the hand; -1: none
  std::size_t obstacle() const { return obstacle_; }
  bool is_pinned(int number) const { return pinned_.count(number) > 0; }

 private:
  Session& session_;
  Holds holds_ = Holds::nothing;
  int grab_ = -1;
  std::size_t obstacle_ = 0;
  bool turn_ = false;
  double scene_size_ = 1.0;                 ///< [m]
  Vec3d sent_;                              ///< [m] target as the session knows it
  Vec3d target_;                            ///< [m] of the grab, or the place of the obstacle that was taken
  Pose pose_;                               ///< of the obstacle, as asked for last
  double offset_x_ = 0.0, offset_y_ = 0.0;  ///< from the cursor to where the target is seen
  double last_x_ = 0.0, last_y_ = 0.0;
  double flushed_ = 0.0;  ///< [s]
  bool moved_ = false;    ///< since then
  std::set<int> pinned_;
};

}  // namespace sinew::viewer
