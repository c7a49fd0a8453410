// What stays on the graphics card between pictures: topology of surfaces, obstacles in their own coordinates.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "viewer/gl_objects.hpp"
#include "viewer/live/cut_cells.hpp"
#include "viewer/live/live_frame.hpp"
#include "viewer/live/live_light.hpp"
#include "viewer/live/smooth_surface.hpp"

namespace sinew::viewer {

/// Vertices and indices that are drawn with one call.
class GlMesh {
 public:
  GlMesh() = default;
  explicit GlMesh(const GlFunctions& gl);
  /// Location, components, offset [byte] of floats in a vertex.
  struct Attribute {
    GLuint location;
    GLint size;
    std::size_t offset;
  };
  void set_vertices(const void* data, std::size_t count, std::size_t vertex_size,
                    const std::vector<Attribute>& attributes);
  void draw(GLenum kind) const;  ///< all vertices in their order
  void draw(GLenum kind, std::size_t first, std::size_t count) const;
  void draw(GLenum kind, const GlBuffer& indices, std::size_t count) const;
  std::size_t count() const { return count_; }
  GLuint array() const { return array_.name(); }

 private:
  const GlFunctions* gl_ = nullptr;
  GlVertexArray array_;
  GlBuffer vertices_;
  std::size_t count_ = 0;
};

struct SurfaceTopology {
  SmoothSurface surface;
  bool closed = false;
  GlBuffer indices, edges;
  long last_used = 0;  ///< number of a picture
};

struct ObstacleMesh {
  GlMesh mesh;
  GlBuffer indices;
  std::size_t index_count = 0;
  bool closed = false;
  LocalBall ball;
  long last_used = 0;
};

struct CellTopology {
  std::vector<CellFace> faces;
  long last_used = 0;
};

/// Finds things by their content: whoever hands over equal triangles in another place of memory pays nothing
/// again. What has not been used for a while is forgotten.
class LiveObjects {
 public:
  explicit LiveObjects(const GlFunctions& gl) : gl_(gl) {}

  void begin_picture();
  const SurfaceTopology& topology(const LiveSurface& surface);
  const ObstacleMesh& obstacle(const ObstacleShape& shape);
  const CellTopology& cells(const std::vector<Tet>& tets);

 private:
  const GlFunctions& gl_;
  long picture_ = 0;
  std::map<std::uint64_t, SurfaceTopology> surfaces_;
  std::map<std::uint64_t, ObstacleMesh> obstacles_;
  std::map<std::uint64_t, CellTopology> cells_;
};

}  // namespace sinew::viewer
