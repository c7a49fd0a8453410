// Caches by content.
#include "viewer/live/live_objects.hpp"

#include <cstddef>
#include <cstring>

#include "viewer/render_geometry.hpp"

namespace sinew::viewer {
namespace {

constexpr long kForgottenAfter = 200;  // pictures

class Hash {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* at = static_cast<const unsigned char*>(data);
    for (; bytes > 0; at += 8) {
      std::uint64_t word = 0;
      const std::size_t part = bytes < 8 ? bytes : 8;
      std::memcpy(&word, at, part);
      bytes -= part;
      value_ = (value_ ^ word) * 0x9E3779B97F4A7C15u;
      value_ ^= value_ >> 32;
    }
  }
  template <class T>
  void add(const std::vector<T>& list) {
    const std::size_t count = list.size();
    add(&count, sizeof count);
    add(list.data(), count * sizeof(T));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0x51AE;
};

std::uint64_t hash_of(const ObstacleShape& shape) {
  Hash hash;
  const std::size_t kind = shape.index();
  hash.add(&kind, sizeof kind);
  std::visit(
      [&](const auto& s) {
        using Shape = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<Shape, MeshShape>) {
          hash.add(s.mesh.points);
          hash.add(s.mesh.triangles);
          hash.add(s.edges);
          hash.add(s.points);
          hash.add(&s.thickness, sizeof s.thickness);
        } else if constexpr (!std::is_empty_v<Shape>) {
          hash.add(&s, sizeof s);
        }
      },
      shape);
  return hash.value();
}

void fill(const GlFunctions& gl, GlBuffer& buffer, const std::vector<std::uint32_t>& indices) {
  buffer = GlBuffer(gl);
  gl.BindVertexArray(0);
  gl.BindBuffer(GL_ARRAY_BUFFER, buffer.name());
  gl.BufferData(GL_ARRAY_BUFFER, GLsizeiptr(indices.size() * sizeof(std::uint32_t)), indices.data(),
                GL_STATIC_DRAW);
}

}  // namespace

GlMesh::GlMesh(const GlFunctions& gl) : gl_(&gl), array_(gl), vertices_(gl) {}

void GlMesh::set_vertices(const void* data, std::size_t count, std::size_t vertex_size,
                          const std::vector<Attribute>& attributes) {
  gl_->BindVertexArray(array_.name());
  gl_->BindBuffer(GL_ARRAY_BUFFER, vertices_.name());
  gl_->BufferData(GL_ARRAY_BUFFER, GLsizeiptr(count * vertex_size), data, GL_STREAM_DRAW);
  for (const Attribute& a : attributes) {
    gl_->EnableVertexAttribArray(a.location);
    gl_->VertexAttribPointer(a.location, a.size, GL_FLOAT, GL_FALSE, GLsizei(vertex_size),
                             reinterpret_cast<const void*>(a.offset));
  }
  count_ = count;
}

void GlMesh::draw(GLenum kind) const {
  draw(kind, 0, count_);
}

void GlMesh::draw(GLenum kind, std::size_t first, std::size_t count) const {
  if (count == 0) return;
  gl_->BindVertexArray(array_.name());
  gl_->DrawArrays(kind, GLint(first), GLsizei(count));
}

void GlMesh::draw(GLenum kind, const GlBuffer& indices, std::size_t count) const {
  if (count == 0) return;
  gl_->BindVertexArray(array_.name());
  gl_->BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices.name());
  gl_->DrawElements(kind, GLsizei(count), GL_UNSIGNED_INT, nullptr);
}

void LiveObjects::begin_picture() {
  ++picture_;
  const auto old = [&](const auto& entry) { return entry.second.last_used + kForgottenAfter < picture_; };
  std::erase_if(surfaces_, old);
  std::erase_if(obstacles_, old);
  std::erase_if(cells_, old);
}

const SurfaceTopology& LiveObjects::topology(const LiveSurface& surface) {
  Hash hash;
  const std::size_t points = surface.points->size();
  hash.add(&points, sizeof points);
  hash.add(*surface.triangles);
  SurfaceTopology& known = surfaces_[hash.value()];
  if (known.last_used == 0) {
    known.surface = smooth_surface(*surface.points, *surface.triangles);
    known.closed = is_closed(*surface.triangles);
    fill(gl_, known.indices, known.surface.indices);
    fill(gl_, known.edges, known.surface.edges);
  }
  known.last_used = picture_;
  return known;
}

const ObstacleMesh& LiveObjects::obstacle(const ObstacleShape& shape) {
  ObstacleMesh& known = obstacles_[hash_of(shape)];
  if (known.last_used == 0) {
    constexpr double kNever = 1e30;  // light is looked up at pixels: no need for fine cells
    TriangleBatch batch;
    append_obstacle(batch, {shape, Pose{}}, {{}, {}, 0.0, kNever});
    known.mesh = GlMesh(gl_);
    known.mesh.set_vertices(batch.vertices.data(), batch.vertices.size(), sizeof(Vertex),
                            {{0, 3, offsetof(Vertex, position)},
                             {1, 3, offsetof(Vertex, normal)},
                             {2, 1, offsetof(Vertex, pattern)},
                             {3, 3, offsetof(Vertex, local)}});
    fill(gl_, known.indices, batch.indices);
    known.index_count = batch.indices.size();
    const auto* mesh = std::get_if<MeshShape>(&shape);
    known.closed = !mesh || mesh->mesh.triangles.empty() || is_closed(mesh->mesh.triangles);
    known.ball = ball_around(shape);
  }
  known.last_used = picture_;
  return known;
}

const CellTopology& LiveObjects::cells(const std::vector<Tet>& tets) {
  Hash hash;
  hash.add(tets);
  CellTopology& known = cells_[hash.value()];
  if (known.last_used == 0) known.faces = cell_faces(tets);
  known.last_used = picture_;
  return known;
}

}  // namespace sinew::viewer
