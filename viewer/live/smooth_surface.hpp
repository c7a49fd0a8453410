// Vertices with smooth normals for a surface that moves: what depends on the triangles alone is found once.
#pragma once

#include <cstdint>
#include <vector>

#include <sinew/mesh.hpp>

namespace sinew::viewer {

/// As the graphics card reads it.
struct StreamVertex {
  float position[3];  ///< [m], about the view's target
  float normal[3];    ///< unit
  float value;        ///< in [0, 1] where it can be mapped, -1 where not finite
};

/// A surface split at its creases: each vertex has one normal.
struct SmoothSurface {
  std::vector<std::uint32_t> indices;  ///< three vertices a triangle
  std::vector<std::uint32_t> edges;    ///< two vertices an edge, each edge once
  std::vector<std::uint32_t> point;    ///< {vertices}, of the surface
  double mean_edge = 0.0;              ///< [m] length at the split
};

/// Splits points where faces meet at more than kCreaseAngleDeg now; triangles out of range are left out. The
/// split is kept while the surface moves: an edge of a box stays an edge.
SmoothSurface smooth_surface(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles);

/// How values become places in the colour map.
struct ValueRange {
  double min = 0.0, max = 1.0;
  float place(double value) const;
};

/// Vertices of now, with normals weighted by area. Points that are not finite are put at the origin.
/// @param values {points} or null.
void stream(const SmoothSurface& surface, const std::vector<Vec3d>& points, const Vec3d& origin,
            const std::vector<double>* values, const ValueRange& range, std::vector<StreamVertex>& out);

}  // namespace sinew::viewer
