// What the window shows and how: nothing here changes the simulation.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <sinew/simulation.hpp>

namespace sinew::viewer {

/// A point or a contact whose numbers are shown.
struct Inspected {
  std::size_t body = 0;
  Index surface_point = -1;
  Vec3d position;        ///< [m] where it was picked, or is now
  bool contact = false;  ///< the contact nearest to position, else the surface point
};

struct ViewOptions {
  bool wireframe = false, shadows = true;
  bool contacts = false;         ///< forces as arrows
  bool normals = false;          ///< of contacts
  bool centers = false;          ///< of mass
  bool obstacle_forces = false;  ///< read-out at each obstacle
  double arrow_factor = 1.0;     ///< length of arrows, over that chosen by itself

  std::optional<SurfaceQuantity> color_by;
  bool automatic_range = true;
  double range_min = 0.0, range_max = 1.0;  ///< of the colour map, in the unit of the quantity

  bool cut = false;        ///< by a plane that lays the inside open
  bool cut_whole = false;  ///< tetrahedra stay whole
  int cut_axis = 0;        ///< 0 to 2: world x, y, z
  double cut_place = 0.5;  ///< [1] of the extent of all bodies along the axis
  bool cut_flip = false;

  std::vector<char> body_hidden, obstacle_hidden;
  std::optional<Inspected> inspected;

  double compliance_mm = 0.0;  ///< [mm/N] of new grabs
  bool show_panels = true, show_help = false;

  bool hidden_body(std::size_t body) const { return body < body_hidden.size() && body_hidden[body]; }
  bool hidden_obstacle(std::size_t obstacle) const {
    return obstacle < obstacle_hidden.size() && obstacle_hidden[obstacle];
  }
};

}  // namespace sinew::viewer
