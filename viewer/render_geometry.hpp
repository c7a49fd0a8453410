// From surfaces and obstacles to vertices with normals. No graphics here: numbers in, numbers out.
#pragma once

#include <cstdint>
#include <vector>

#include "viewer/renderer.hpp"

namespace sinew::viewer {

/// What a vertex shows besides its colour.
enum class Pattern { none = 0, stripes = 1, ground = 2 };

/// As the graphics card reads it; positions relative to an origin near the camera's target, so that float
/// is enough far from the world's origin.
struct Vertex {
  float position[3];  ///< [m]
  float normal[3];    ///< unit
  float color[3];     ///< linear RGB
  float local[3];     ///< stripes: obstacle coordinates [m]; ground: plane coordinates [m]
  float pattern;      ///< Pattern
};

struct TriangleBatch {
  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> indices;  ///< three per triangle
};

/// How finely smooth shading needs obstacles and planes: cells of size cell within reach of focus.
struct Tessellation {
  Vec3d origin;         ///< [m] positions are relative to it
  Vec3d focus;          ///< [m]
  double reach = 10.0;  ///< [m]
  double cell = 0.1;    ///< [m]
};

/// Edges between faces that meet at a larger angle stay sharp.
inline constexpr double kCreaseAngleDeg = 50.0;

/// Angle-weighted vertex normals in double (Thuermer and Wuethrich 1998), split at creases. Triangles that
/// are degenerate, not finite or out of range are left out; points without triangles too.
void append_surface(TriangleBatch& batch, const RenderSurface& surface, const Vec3d& origin);

/// Tessellated obstacle; a half-space or a shape without size adds nothing. Edges and points of a mesh become
/// rods and balls.
void append_obstacle(TriangleBatch& batch, const RenderObstacle& obstacle, const Tessellation& fineness);

/// Radius [m] of the rods and balls that stand for edges and points of a mesh.
double drawn_thickness(const MeshShape& shape);

/// Square of the plane z = 0 of pose with half_side [m], centred at the foot of the origin; plane coordinates
/// are kept modulo period [m], so that a grid stays put in the plane.
void append_plane(TriangleBatch& batch, const Pose& pose, const Vec3d& color, Pattern pattern,
                  const Tessellation& fineness, double half_side, double period);

/// Points whose convex hull is (nearly) the obstacle's [m]; empty for a half-space or where not finite.
std::vector<Vec3d> hull_points(const RenderObstacle& obstacle);

/// Points used by at least one sound triangle [m].
std::vector<Vec3d> used_points(const RenderSurface& surface);

}  // namespace sinew::viewer
