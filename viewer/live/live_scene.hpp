// A frame on the graphics card: what of it is drawn, with its vertices of now.
#pragma once

#include <vector>

#include "viewer/live/live_objects.hpp"

namespace sinew::viewer {

struct DrawnSurface {
  const LiveSurface* surface;
  const SurfaceTopology* topology;
  const GlMesh* mesh;
  void draw() const { mesh->draw(GL_TRIANGLES, topology->indices, topology->surface.indices.size()); }
  void draw_edges() const { mesh->draw(GL_LINES, topology->edges, topology->surface.edges.size()); }
};

struct DrawnObstacle {
  const LiveObstacle* obstacle;
  const ObstacleMesh* mesh;
  void draw() const { mesh->mesh.draw(GL_TRIANGLES, mesh->indices, mesh->index_count); }
};

/// A part of the cells' vertices.
struct DrawnCells {
  const LiveCells* cells;
  std::size_t first, count;
};

class LiveScene {
 public:
  explicit LiveScene(const GlFunctions& gl) : gl_(gl), objects_(gl), cell_mesh_(gl) {}

  /// Streams the frame; the lists below hold until the next call.
  /// @param cut null where nothing is cut.
  void update(const LiveFrame& frame, const CutPlane* cut, const View& view, double aspect);

  std::vector<DrawnSurface> surfaces;
  std::vector<DrawnObstacle> obstacles;  ///< without half-spaces
  std::vector<DrawnCells> cells;
  CasterBall casters;
  Vec3d light;  ///< towards it, unit
  const GlMesh& cell_mesh() const { return cell_mesh_; }

 private:
  void update_cells(const LiveFrame& frame, const CutPlane* cut, const View& view);

  const GlFunctions& gl_;
  LiveObjects objects_;
  std::vector<GlMesh> surface_meshes_;
  GlMesh cell_mesh_;
  std::vector<StreamVertex> stream_;
  std::vector<CellVertex> cell_vertices_;
};

}  // namespace sinew::viewer
