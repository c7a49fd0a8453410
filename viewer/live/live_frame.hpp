// What one picture of the live view shows. Everything is borrowed for the length of a call; topology
// (triangles, tetrahedra, shapes) that is the same as in the picture before costs nothing again.
#pragma once

#include <optional>
#include <vector>

#include <sinew/mesh.hpp>
#include <sinew/model.hpp>

namespace sinew::viewer {

// Colours are linear RGB in [0, 1].

struct LiveSurface {
  const std::vector<Vec3d>* points = nullptr;        ///< [m], {surface points}
  const std::vector<Triangle>* triangles = nullptr;  ///< indices of points
  Vec3d color{0.76, 0.30, 0.15};
  const std::vector<double>* values = nullptr;  ///< {surface points}: shown by color_of() in place of color
  bool visible = true;
  bool two_sided = false;    ///< a sheet: both sides are outside
  bool highlighted = false;  ///< e.g. chosen in a list
};

struct LiveObstacle {
  const ObstacleShape* shape = nullptr;
  Pose pose{};
  Vec3d color{0.42, 0.45, 0.49};  ///< a half-space is drawn lighter, with a grid
  bool highlighted = false;       ///< under the cursor, or in the hand
};

// Lines, arrows and points shine faintly through what hides them. Sizes in framebuffer pixels.

struct LiveLine {
  Vec3d a, b;  ///< [m]
  Vec3d color;
  double width_px = 2.0;
};

struct LiveArrow {
  Vec3d from, vector;  ///< [m], as drawn
  Vec3d color;
  double width_px = 2.0;  ///< of the shaft
};

struct LivePoint {
  Vec3d x;  ///< [m]
  Vec3d color;
  double size_px = 8.0;  ///< diameter; above 6 with a white rim
};

/// What lies on the side to which the normal points is cut away.
struct CutPlane {
  Vec3d point, normal;  ///< [m]; any length > 0
};

/// The inside of a body that the plane lays open. Its surface is drawn too, as far as it is left.
struct LiveCells {
  const std::vector<Vec3d>* nodes = nullptr;  ///< [m]
  const std::vector<Tet>* tets = nullptr;
  Vec3d color{0.76, 0.30, 0.15};
  const std::vector<double>* values = nullptr;  ///< {nodes}: shown by color_of() in place of color
  /// false: tetrahedra are cut in the plane. true: those whose centre is left are drawn whole; leave the
  /// surface invisible then, the outer faces are drawn.
  bool whole = false;
};

struct LiveFrame {
  std::vector<LiveSurface> surfaces;
  std::vector<LiveObstacle> obstacles;
  std::vector<LiveLine> lines;
  std::vector<LiveArrow> arrows;
  std::vector<LivePoint> points;
  double value_min = 0.0, value_max = 1.0;  ///< the ends of the colour map
  bool wireframe = false;                   ///< edges of surfaces are drawn over them
  bool shadows = true;
  /// Towards the light; empty: as the usual first view likes it. Kept while the camera turns, shadows stay
  /// where they are; key_light_direction(first view) of a scene makes good pictures.
  std::optional<Vec3d> light = std::nullopt;
  std::optional<CutPlane> cut;
  std::vector<LiveCells> cells;  ///< shown where there is a cut
};

}  // namespace sinew::viewer
