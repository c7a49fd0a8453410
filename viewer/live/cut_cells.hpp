// Tetrahedra laid open by a plane: cut in it, or drawn whole behind it.
#pragma once

#include <array>
#include <vector>

#include "viewer/live/live_frame.hpp"
#include "viewer/live/smooth_surface.hpp"

namespace sinew::viewer {

/// As the graphics card reads it.
struct CellVertex {
  float position[3];  ///< [m], about the view's target
  float normal[3];    ///< unit, of the face
  float value;        ///< as in StreamVertex
  float corner[3];    ///< distance to the three sides in [0, 1]; 1 all over for a side that is no edge
};

/// Faces of a mesh with the one or two tetrahedra they belong to.
struct CellFace {
  Triangle nodes;             ///< counter-clockwise seen from outside of cell[0]
  std::array<Index, 2> cell;  ///< second: -1 at the boundary
};
std::vector<CellFace> cell_faces(const std::vector<Tet>& tets);

/// Appends the polygons in which the plane cuts the tetrahedra.
void append_cut(const LiveCells& cells, const CutPlane& plane, const Vec3d& origin, const ValueRange& range,
                std::vector<CellVertex>& out);

/// Appends the faces around all tetrahedra whose centre is left by the plane.
void append_whole(const LiveCells& cells, const std::vector<CellFace>& faces, const CutPlane& plane,
                  const Vec3d& origin, const ValueRange& range, std::vector<CellVertex>& out);

}  // namespace sinew::viewer
