// Streaming of a frame.
#include "viewer/live/live_scene.hpp"

#include <cstddef>

namespace sinew::viewer {

void LiveScene::update(const LiveFrame& frame, const CutPlane* cut, const View& view, double aspect) {
  objects_.begin_picture();
  const ValueRange range{frame.value_min, frame.value_max};
  surfaces.clear();
  while (surface_meshes_.size() < frame.surfaces.size()) surface_meshes_.emplace_back(gl_);
  for (std::size_t i = 0; i < frame.surfaces.size(); ++i) {
    const LiveSurface& surface = frame.surfaces[i];
    if (!surface.visible || !surface.points || !surface.triangles) continue;
    const SurfaceTopology& topology = objects_.topology(surface);
    stream(topology.surface, *surface.points, view.target, surface.values, range, stream_);
    surface_meshes_[i].set_vertices(stream_.data(), stream_.size(), sizeof(StreamVertex),
                                    {{0, 3, offsetof(StreamVertex, position)},
                                     {1, 3, offsetof(StreamVertex, normal)},
                                     {2, 1, offsetof(StreamVertex, value)}});
    surfaces.push_back({&surface, &topology, &surface_meshes_[i]});
  }

  obstacles.clear();
  std::vector<LocalBall> balls(frame.obstacles.size());
  for (std::size_t i = 0; i < frame.obstacles.size(); ++i) {
    const LiveObstacle& obstacle = frame.obstacles[i];
    if (!obstacle.shape || std::holds_alternative<HalfSpaceShape>(*obstacle.shape)) continue;
    const ObstacleMesh& mesh = objects_.obstacle(*obstacle.shape);
    balls[i] = mesh.ball;
    obstacles.push_back({&obstacle, &mesh});
  }
  update_cells(frame, cut, view);
  light = live_light_direction(frame);
  casters = live_casters(frame, balls, view, aspect);
}

void LiveScene::update_cells(const LiveFrame& frame, const CutPlane* cut, const View& view) {
  const ValueRange range{frame.value_min, frame.value_max};
  cell_vertices_.clear();
  cells.clear();
  for (const LiveCells& body : frame.cells) {
    if (!cut || !body.nodes || !body.tets) continue;
    const std::size_t first = cell_vertices_.size();
    if (body.whole)
      append_whole(body, objects_.cells(*body.tets).faces, *cut, view.target, range, cell_vertices_);
    else
      append_cut(body, *cut, view.target, range, cell_vertices_);
    cells.push_back({&body, first, cell_vertices_.size() - first});
  }
  cell_mesh_.set_vertices(cell_vertices_.data(), cell_vertices_.size(), sizeof(CellVertex),
                          {{0, 3, offsetof(CellVertex, position)},
                           {1, 3, offsetof(CellVertex, normal)},
                           {2, 1, offsetof(CellVertex, value)},
                           {3, 3, offsetof(CellVertex, corner)}});
}

}  // namespace sinew::viewer
