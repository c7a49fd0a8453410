// A surface that can meet others: points, edges and triangles of a body or of an obstacle, with what is next
// to what. Topology is shared by instances; offsets and owners belong to each surface.
//
// Feature numbers, as contact keys hold them: face f -> f, edge e -> F + e, point v -> F + E + number of v,
// F and E the numbers of faces and edges.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "engine/precompute/body_precompute.hpp"

namespace sinew {

/// Triangles first; then, only on mesh obstacles, single edges and single points as degenerate triangles: a
/// point meets them the same way.
struct SurfaceTopology {
  struct Edge {
    std::array<Index, 2> point{};           ///< ascending
    std::array<Index, 2> face{-1, -1};      ///< triangles at it; -1: boundary, or none (wires)
    std::array<Index, 2> opposite{-1, -1};  ///< their corners off the edge
  };

  std::vector<ContactPoint> points;  ///< of a body; of an obstacle only surface_point is set
  std::vector<Vec3d> rest;           ///< [m], {points}: at rest; of an obstacle in its coordinates
  std::vector<char> movable;         ///< {points}: a force on it moves it
  std::vector<Triangle> triangles;   ///< of places in points
  std::vector<std::array<Index, 3>> triangle_edges;  ///< {triangles}: from corner k to the next
  std::vector<Edge> edges;                           ///< in the order of their points
  std::vector<Index> neighbour_start;                ///< {points + 1}
  std::vector<Index> neighbour;                      ///< points at the other end of an edge
  std::vector<Index> face_start;                     ///< {points + 1}
  std::vector<Index> point_faces;                    ///< triangles at a point, ascending
  Index face_count = 0;                              ///< true triangles
  bool closed = false;                               ///< has an inside: no boundary, faces outward

  Index edge_feature(Index edge) const { return static_cast<Index>(triangles.size()) + edge; }
  Index point_feature(Index point) const {
    return static_cast<Index>(triangles.size() + edges.size()) + points[point].surface_point;
  }
};

/// Fills all that follows from points and triangles; extra: single edges and points of obstacles.
void connect(SurfaceTopology& topology, const std::vector<std::array<Index, 2>>& extra_edges = {},
             const std::vector<Index>& extra_points = {});

/// Of a body; all points that its surface triangles use.
std::shared_ptr<const SurfaceTopology> body_topology(const BodyData& data, const BodyPrecomputed& body);

/// The nodes inside a solid, as points without triangles.
std::shared_ptr<const SurfaceTopology> inner_topology(const BodyData& data, const BodyPrecomputed& body);

/// Of a mesh obstacle, or the corners, edges and faces of a box; null: the others have no features.
std::shared_ptr<const SurfaceTopology> obstacle_topology(const ObstacleSpec& spec);

/// Whether two features (by their numbers in keys) share a point.
bool features_touch(const SurfaceTopology& topology, Index a, Index b);

struct Surface {
  std::shared_ptr<const SurfaceTopology> topology;
  Index body = -1, obstacle = -1;  ///< owner: one of both
  double offset = 0.0;             ///< [m] against bodies and mesh obstacles
  double shape_offset = 0.0;       ///< [m] of a body against analytic obstacles
  bool self_contact = false;
  bool inner = false;     ///< points are nodes inside a body: see narrow_phase_nodes.cpp
  bool analytic = false;  ///< of a box: its faces against points are looked after elsewhere
};

}  // namespace sinew
