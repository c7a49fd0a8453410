// The camera that a hand turns: about a target, with the world's z upright in the picture.
#pragma once

#include "viewer/live/screen.hpp"

namespace sinew::viewer {

enum class StandardView { front, back, left, right, top, bottom, iso };

/// Turntable. What a hand does (orbit, pan, zoom) takes effect at once; jumps (frame, look from a side) are
/// travelled by advance().
class OrbitCamera {
 public:
  OrbitCamera();
  explicit OrbitCamera(const View& view);  ///< takes it over, upright

  View view() const;  ///< as it is now, maybe on its way

  /// Turns by a movement of the cursor [pixel]; a way as long as the picture's height is half a turn.
  void orbit(double dx, double dy, double height);
  /// Moves so that what lies in the target's plane stays under the cursor [pixel].
  void pan(double dx, double dy, double height);
  /// Moves nearer by 12 % a step (farther where negative); what lies in the target's plane under the cursor
  /// stays there.
  void zoom(double steps, double x, double y, double width, double height);

  /// Places the camera so that a box is seen as a whole, from the direction it has. Where the box is empty or
  /// not finite nothing changes.
  void frame(const Vec3d& low, const Vec3d& high, double aspect);
  void look(const View& view);           ///< travels to a view
  void look_from(StandardView side);     ///< same target, same distance
  void set_fov(double vertical_deg);     ///< in [10, 90]; the target's size in the picture stays
  void set_target(const Vec3d& target);  ///< travels so that it is in the middle

  /// Goes on with a jump for a time [s]; true while it is on its way.
  bool advance(double seconds);
  void finish() { at_ = goal_; }  ///< ends a jump at once

 private:
  struct Place {
    Vec3d target;            ///< [m]
    double distance = 3.0;   ///< [m]
    double azimuth = 0.0;    ///< [rad] of the eye about z, from x
    double elevation = 0.0;  ///< [rad] of the eye above the horizon
    double fov = 35.0;       ///< [degree]
  };
  static Place place_of(const View& view);
  static View view_of(const Place& place);

  Place at_, goal_;
};

}  // namespace sinew::viewer
