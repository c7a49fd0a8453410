// One picture: depth map of the light, what is lit, edges, strokes; drawn aside and copied to its place.
#include "viewer/live/live_renderer.hpp"

#include <algorithm>
#include <cstddef>

#include <sinew/errors.hpp>

#include "viewer/live/color_map.hpp"
#include "viewer/live/live_objects.hpp"
#include "viewer/live/live_shaders.hpp"
#include "viewer/live/overlay.hpp"
#include "viewer/matrices.hpp"
#include "viewer/render_geometry.hpp"
#include "viewer/shaders.hpp"

namespace sinew::viewer {
namespace {

constexpr int kMapSide = 1024;  // [texel]
constexpr Vec3d kGlow{0.42, 0.26, 0.02};

constexpr const char* kBackgroundVertexSource = R"(#version 330 core
void main() {  // one triangle over the whole picture, behind everything
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 1.0, 1.0);
}
)";

std::string head(const char* variant) {
  return "#version 330 core\n#define " + std::string(variant) + "\n#define MAP_SIDE " +
         std::to_string(kMapSide) + "\n";
}

GlProgram lit_program(const GlFunctions& gl, const char* variant) {
  return GlProgram(gl, head(variant) + kLitVertexSource,
                   head(variant) + kCommonFragmentSource + kLitFragmentSource);
}

/// Where a picture is drawn before it is copied to its place.
struct Target {
  GlFramebuffer drawn, resolved;
  GlRenderbuffer color, depth, resolved_color;
  int width = 0, height = 0;  ///< [pixel]
};

struct DrawnSurface {
  const LiveSurface* surface;
  const SurfaceTopology* topology;
  GlMesh* mesh;
};

struct DrawnObstacle {
  const LiveObstacle* obstacle;
  const ObstacleMesh* mesh;
};

struct Light {
  Vec3d direction;
  CasterBall casters;
  std::array<float, 9> matrix;
  std::array<float, 3> shift;
};

/// Row-major, for UniformMatrix3fv with transposition.
std::array<float, 9> to_float(const Mat3d& m) {
  std::array<float, 9> out{};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) out[std::size_t(3 * r + c)] = float(m.row(r)[c]);
  return out;
}

}  // namespace

struct LiveRenderer::Parts {
  Parts(const GlFunctions& functions, int wished_samples);

  void draw(const LiveFrame& frame, const View& view, int x, int y, int width, int height,
            GLuint framebuffer);

 private:
  void make_target(int width, int height);
  void collect(const LiveFrame& frame, const View& view);
  void collect_cells(const LiveFrame& frame, const View& view);
  void draw_depth_map(const LiveFrame& frame);
  void set_pose(const GlProgram& program, const Pose* pose) const;
  void set_cut(const GlProgram& program, bool on) const;
  void prepare(const GlProgram& program, const LiveFrame& frame) const;
  void draw_obstacles(const LiveFrame& frame);
  void draw_ground(const LiveFrame& frame);
  void draw_surfaces(const LiveFrame& frame);
  void draw_edges();
  void draw_overlay(const LiveFrame& frame);

  const GlFunctions gl_;
  int samples_ = 1, largest_side_ = 0;
  GlProgram surface_program_, obstacle_program_, ground_program_, cell_program_;
  GlProgram depth_program_, edge_program_, background_program_, overlay_program_;
  GlTexture map_, colors_;
  GlFramebuffer map_framebuffer_;
  Target target_;
  LiveObjects objects_;
  std::vector<GlMesh> surface_meshes_;
  GlMesh ground_mesh_, cell_mesh_, overlay_mesh_;
  GlBuffer ground_indices_;

  // Of the picture that is being drawn.
  View view_;
  std::array<float, 16> clip_{};
  Light light_{};
  std::array<float, 4> cut_{};
  bool has_cut_ = false;
  std::vector<DrawnSurface> surfaces_;
  std::vector<DrawnObstacle> obstacles_;
  std::vector<StreamVertex> stream_;
  std::vector<CellVertex> cell_vertices_;
  std::vector<std::size_t> cell_start_;
};

LiveRenderer::Parts::Parts(const GlFunctions& functions, int wished_samples) : gl_(functions), objects_(gl_) {
  GLint samples = 0, side = 0;
  gl_.GetIntegerv(GL_MAX_SAMPLES, &samples);
  gl_.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
  samples_ = std::max(1, std::min(int(samples), wished_samples));
  largest_side_ = side;
  surface_program_ = lit_program(gl_, "SURFACE");
  obstacle_program_ = lit_program(gl_, "OBSTACLE");
  ground_program_ = lit_program(gl_, "GROUND");
  cell_program_ = lit_program(gl_, "CELLS");
  depth_program_ = GlProgram(gl_, head("DEPTH") + kDepthVertexSource, head("DEPTH") + kDepthFragmentSource);
  edge_program_ = GlProgram(gl_, head("SURFACE") + kLitVertexSource, head("SURFACE") + kEdgeFragmentSource);
  background_program_ = GlProgram(gl_, kBackgroundVertexSource,
                                  head("BACKGROUND") + kCommonFragmentSource + kBackgroundFragmentShader);
  overlay_program_ =
      GlProgram(gl_, head("OVERLAY") + kOverlayVertexSource, head("OVERLAY") + kOverlayFragmentSource);

  const auto set = [&](GLenum what, GLenum value) {
    gl_.TexParameteri(GL_TEXTURE_2D, what, static_cast<GLint>(value));
  };
  map_ = GlTexture(gl_);
  gl_.BindTexture(GL_TEXTURE_2D, map_.name());
  gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT16, kMapSide, kMapSide, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_SHORT, nullptr);
  set(GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  set(GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  for (const bool of_map : {true, false}) {
    if (!of_map) {
      colors_ = GlTexture(gl_);
      gl_.BindTexture(GL_TEXTURE_2D, colors_.name());
      gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGB32F, kColorMapSize, 1, 0, GL_RGB, GL_FLOAT,
                     color_table().data());
    }
    set(GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    set(GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    set(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    set(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  }
  map_framebuffer_ = GlFramebuffer(gl_);
  for (GlMesh* mesh : {&ground_mesh_, &cell_mesh_, &overlay_mesh_}) *mesh = GlMesh(gl_);
  ground_indices_ = GlBuffer(gl_);
}

void LiveRenderer::Parts::make_target(int width, int height) {
  if (target_.width == width && target_.height == height) return;
  const std::string size = std::to_string(width) + " x " + std::to_string(height);
  if (width < 1 || height < 1 || width > largest_side_ || height > largest_side_)
    throw BackendError("a picture of " + size + " pixels cannot be drawn; each side must be 1 to " +
                       std::to_string(largest_side_));
  Target target{GlFramebuffer(gl_),
                GlFramebuffer(gl_),
                GlRenderbuffer(gl_),
                GlRenderbuffer(gl_),
                GlRenderbuffer(gl_),
                width,
                height};
  const auto attach = [&](const GlRenderbuffer& buffer, GLenum place, GLenum format, int samples) {
    gl_.BindRenderbuffer(GL_RENDERBUFFER, buffer.name());
    if (samples > 1)
      gl_.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    else
      gl_.RenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    gl_.FramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer.name());
  };
  const auto check = [&] {
    if (gl_.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      throw BackendError("OpenGL cannot draw pictures of " + size + " pixels");
  };
  gl_.BindFramebuffer(GL_FRAMEBUFFER, target.resolved.name());
  attach(target.resolved_color, GL_COLOR_ATTACHMENT0, GL_RGBA8, 1);
  check();
  gl_.BindFramebuffer(GL_FRAMEBUFFER, target.drawn.name());
  attach(target.color, GL_COLOR_ATTACHMENT0, GL_RGBA8, samples_);
  attach(target.depth, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, samples_);
  check();
  target_ = std::move(target);
}

void LiveRenderer::Parts::collect(const LiveFrame& frame, const View& view) {
  view_ = sound_view(view);
  const double aspect = double(target_.width) / target_.height;
  clip_ = clip_matrix(view_, aspect);
  has_cut_ = frame.cut && squared_norm(frame.cut->normal) > 0.0 && is_finite(frame.cut->point);
  if (has_cut_) {
    const Vec3d n = normalized(frame.cut->normal);
    cut_ = {float(-n.x), float(-n.y), float(-n.z), float(dot(frame.cut->point - view_.target, n))};
  }

  objects_.begin_picture();
  const ValueRange range{frame.value_min, frame.value_max};
  surfaces_.clear();
  if (surface_meshes_.size() < frame.surfaces.size()) surface_meshes_.resize(frame.surfaces.size());
  for (std::size_t i = 0; i < frame.surfaces.size(); ++i) {
    const LiveSurface& surface = frame.surfaces[i];
    if (!surface.visible || !surface.points || !surface.triangles) continue;
    const SurfaceTopology& topology = objects_.topology(surface);
    stream(topology.surface, *surface.points, view_.target, surface.values, range, stream_);
    GlMesh& mesh = surface_meshes_[i];
    if (mesh.array() == 0) mesh = GlMesh(gl_);
    mesh.set_vertices(stream_.data(), stream_.size(), sizeof(StreamVertex),
                      {{0, 3, offsetof(StreamVertex, position)},
                       {1, 3, offsetof(StreamVertex, normal)},
                       {2, 1, offsetof(StreamVertex, value)}});
    surfaces_.push_back({&surface, &topology, &mesh});
  }

  obstacles_.clear();
  std::vector<LocalBall> balls(frame.obstacles.size());
  for (std::size_t i = 0; i < frame.obstacles.size(); ++i) {
    const LiveObstacle& obstacle = frame.obstacles[i];
    if (!obstacle.shape || std::holds_alternative<HalfSpaceShape>(*obstacle.shape)) continue;
    const ObstacleMesh& mesh = objects_.obstacle(*obstacle.shape);
    balls[i] = mesh.ball;
    obstacles_.push_back({&obstacle, &mesh});
  }
  collect_cells(frame, view_);

  light_.direction = live_light_direction();
  light_.casters = live_casters(frame, balls, view_, aspect);
  light_.matrix = light_matrix(light_.direction, light_.casters.radius);
  light_.shift = light_shift(light_.matrix, light_.casters.center);
}

void LiveRenderer::Parts::collect_cells(const LiveFrame& frame, const View& view) {
  const ValueRange range{frame.value_min, frame.value_max};
  cell_vertices_.clear();
  cell_start_.assign(frame.cells.size() + 1, 0);
  for (std::size_t i = 0; i < frame.cells.size(); ++i) {
    const LiveCells& cells = frame.cells[i];
    if (has_cut_ && cells.nodes && cells.tets) {
      if (cells.whole)
        append_whole(cells, objects_.cells(*cells.tets).faces, *frame.cut, view.target, range,
                     cell_vertices_);
      else
        append_cut(cells, *frame.cut, view.target, range, cell_vertices_);
    }
    cell_start_[i + 1] = cell_vertices_.size();
  }
  cell_mesh_.set_vertices(cell_vertices_.data(), cell_vertices_.size(), sizeof(CellVertex),
                          {{0, 3, offsetof(CellVertex, position)},
                           {1, 3, offsetof(CellVertex, normal)},
                           {2, 1, offsetof(CellVertex, value)},
                           {3, 3, offsetof(CellVertex, corner)}});
}

void LiveRenderer::Parts::set_pose(const GlProgram& program, const Pose* pose) const {
  const auto rotation = to_float(pose ? pose->rotation : Mat3d::identity());
  const auto translation = viewer::to_float(pose ? pose->translation - view_.target : Vec3d{});
  gl_.UniformMatrix3fv(program.at("u_rotation"), 1, GL_TRUE, rotation.data());
  gl_.Uniform3fv(program.at("u_translation"), 1, translation.data());
}

void LiveRenderer::Parts::set_cut(const GlProgram& program, bool on) const {
  on = on && has_cut_;
  (on ? gl_.Enable : gl_.Disable)(GL_CLIP_DISTANCE0);
  gl_.Uniform4fv(program.at("u_cut"), 1, cut_.data());
}

void LiveRenderer::Parts::draw_depth_map(const LiveFrame& frame) {
  gl_.BindFramebuffer(GL_FRAMEBUFFER, map_framebuffer_.name());
  gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map_.name(), 0);
  gl_.DrawBuffer(GL_NONE);
  gl_.ReadBuffer(GL_NONE);
  gl_.Viewport(0, 0, kMapSide, kMapSide);
  gl_.Clear(GL_DEPTH_BUFFER_BIT);
  if (!frame.shadows) return;
  gl_.Enable(GL_DEPTH_CLAMP);  // what lies outside the depth range still casts its shadow
  gl_.Enable(GL_POLYGON_OFFSET_FILL);
  gl_.PolygonOffset(1.5f, 2.0f);
  depth_program_.use();
  gl_.UniformMatrix3fv(depth_program_.at("u_light"), 1, GL_TRUE, light_.matrix.data());
  gl_.Uniform3fv(depth_program_.at("u_light_shift"), 1, light_.shift.data());
  set_cut(depth_program_, true);
  set_pose(depth_program_, nullptr);
  for (const DrawnSurface& s : surfaces_)
    s.mesh->draw(GL_TRIANGLES, s.topology->indices, s.topology->surface.indices.size());
  set_cut(depth_program_, false);
  cell_mesh_.draw(GL_TRIANGLES);
  for (const DrawnObstacle& o : obstacles_) {
    set_pose(depth_program_, &o.obstacle->pose);
    o.mesh->mesh.draw(GL_TRIANGLES, o.mesh->indices, o.mesh->index_count);
  }
  gl_.Disable(GL_POLYGON_OFFSET_FILL);
  gl_.Disable(GL_DEPTH_CLAMP);
}

void LiveRenderer::Parts::prepare(const GlProgram& program, const LiveFrame& frame) const {
  program.use();
  const auto eye = viewer::to_float(view_.eye - view_.target), direction = viewer::to_float(light_.direction);
  gl_.UniformMatrix4fv(program.at("u_clip"), 1, GL_TRUE, clip_.data());
  gl_.Uniform3fv(program.at("u_eye"), 1, eye.data());
  gl_.UniformMatrix3fv(program.at("u_light"), 1, GL_TRUE, light_.matrix.data());
  gl_.Uniform3fv(program.at("u_light_shift"), 1, light_.shift.data());
  gl_.Uniform3fv(program.at("u_light_direction"), 1, direction.data());
  gl_.Uniform1f(program.at("u_texel"), float(2.0 * light_.casters.radius / kMapSide));
  gl_.Uniform1f(program.at("u_shadows"), frame.shadows ? 1.0f : 0.0f);
  gl_.Uniform1f(program.at("u_height"), float(target_.height));
  gl_.Uniform2f(program.at("u_grid"), float(grid_spacing(view_)),
                float(4.5 * norm(view_.eye - view_.target)));
  gl_.Uniform1i(program.at("u_map"), 0);
  gl_.Uniform1i(program.at("u_colors"), 1);
  gl_.Uniform3f(program.at("u_glow"), 0.0f, 0.0f, 0.0f);
  set_pose(program, nullptr);
  set_cut(program, false);
}

void LiveRenderer::Parts::draw_obstacles(const LiveFrame& frame) {
  if (obstacles_.empty()) return;
  prepare(obstacle_program_, frame);
  gl_.Uniform1f(obstacle_program_.at("u_two_sided"), 1.0f);
  for (const DrawnObstacle& o : obstacles_) {
    const auto color = viewer::to_float(o.obstacle->color);
    const auto glow = viewer::to_float(o.obstacle->highlighted ? kGlow : Vec3d{});
    gl_.Uniform3fv(obstacle_program_.at("u_color"), 1, color.data());
    gl_.Uniform3fv(obstacle_program_.at("u_glow"), 1, glow.data());
    set_pose(obstacle_program_, &o.obstacle->pose);
    (o.mesh->closed ? gl_.Enable : gl_.Disable)(GL_CULL_FACE);
    o.mesh->mesh.draw(GL_TRIANGLES, o.mesh->indices, o.mesh->index_count);
  }
  gl_.Disable(GL_CULL_FACE);
}

void LiveRenderer::Parts::draw_surfaces(const LiveFrame& frame) {
  prepare(surface_program_, frame);
  set_cut(surface_program_, true);
  if (frame.wireframe) {
    gl_.Enable(GL_POLYGON_OFFSET_FILL);
    gl_.PolygonOffset(1.0f, 1.0f);
  }
  for (const DrawnSurface& s : surfaces_) {
    const auto color = viewer::to_float(s.surface->color);
    gl_.Uniform3fv(surface_program_.at("u_color"), 1, color.data());
    gl_.Uniform1f(surface_program_.at("u_use_values"), s.surface->values ? 1.0f : 0.0f);
    gl_.Uniform1f(surface_program_.at("u_two_sided"), s.surface->two_sided ? 1.0f : 0.0f);
    (s.topology->closed && !has_cut_ && !s.surface->two_sided ? gl_.Enable : gl_.Disable)(GL_CULL_FACE);
    s.mesh->draw(GL_TRIANGLES, s.topology->indices, s.topology->surface.indices.size());
  }
  gl_.Disable(GL_CULL_FACE);
  gl_.Disable(GL_POLYGON_OFFSET_FILL);

  if (cell_vertices_.empty()) return;
  prepare(cell_program_, frame);
  gl_.Uniform1f(cell_program_.at("u_two_sided"), 1.0f);
  for (std::size_t i = 0; i < frame.cells.size(); ++i) {
    const auto color = viewer::to_float(frame.cells[i].color);
    gl_.Uniform3fv(cell_program_.at("u_color"), 1, color.data());
    gl_.Uniform1f(cell_program_.at("u_use_values"), frame.cells[i].values ? 1.0f : 0.0f);
    cell_mesh_.draw(GL_TRIANGLES, cell_start_[i], cell_start_[i + 1] - cell_start_[i]);
  }
}

void LiveRenderer::Parts::draw_ground(const LiveFrame& frame) {
  constexpr double kNever = 1e30;
  const double half_side = 6.0 * norm(view_.eye - view_.target), period = 10.0 * grid_spacing(view_);
  prepare(ground_program_, frame);
  for (const LiveObstacle& obstacle : frame.obstacles) {
    if (!obstacle.shape || !std::holds_alternative<HalfSpaceShape>(*obstacle.shape)) continue;
    if (!(obstacle.pose.apply_inverse(view_.eye).z > 0.0)) continue;  // from behind it would hide the scene
    TriangleBatch batch;
    append_plane(batch, obstacle.pose, {}, Pattern::ground, {view_.target, view_.target, 0.0, kNever},
                 half_side, period);
    ground_mesh_.set_vertices(batch.vertices.data(), batch.vertices.size(), sizeof(Vertex),
                              {{0, 3, offsetof(Vertex, position)},
                               {1, 3, offsetof(Vertex, normal)},
                               {3, 3, offsetof(Vertex, local)}});
    gl_.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, ground_indices_.name());
    gl_.BufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(batch.indices.size() * sizeof(std::uint32_t)),
                   batch.indices.data(), GL_STREAM_DRAW);
    const Vec3d lighter =
        0.65 * obstacle.color + Vec3d{0.27, 0.27, 0.27} + (obstacle.highlighted ? 0.25 * kGlow : Vec3d{});
    const auto color = viewer::to_float(lighter);
    gl_.Uniform3fv(ground_program_.at("u_color"), 1, color.data());
    ground_mesh_.draw(GL_TRIANGLES, ground_indices_, batch.indices.size());
  }
}

void LiveRenderer::Parts::draw_edges() {
  prepare(edge_program_, {});
  set_cut(edge_program_, true);
  gl_.Uniform4f(edge_program_.at("u_edge_color"), 0.05f, 0.06f, 0.08f, 0.45f);
  gl_.Enable(GL_BLEND);
  gl_.DepthMask(GL_FALSE);
  for (const DrawnSurface& s : surfaces_)
    s.mesh->draw(GL_LINES, s.topology->edges, s.topology->surface.edges.size());
  gl_.DepthMask(GL_TRUE);
  gl_.Disable(GL_BLEND);
}

void LiveRenderer::Parts::draw_overlay(const LiveFrame& frame) {
  const std::vector<OverlayVertex> triangles = overlay_triangles(frame, view_, target_.width, target_.height);
  if (triangles.empty()) return;
  overlay_mesh_.set_vertices(triangles.data(), triangles.size(), sizeof(OverlayVertex),
                             {{0, 4, offsetof(OverlayVertex, clip)},
                              {1, 3, offsetof(OverlayVertex, color)},
                              {2, 4, offsetof(OverlayVertex, shape)}});
  overlay_program_.use();
  gl_.Disable(GL_CLIP_DISTANCE0);
  gl_.Enable(GL_BLEND);
  gl_.DepthMask(GL_FALSE);
  for (const bool hidden : {true, false}) {
    gl_.DepthFunc(hidden ? GL_GREATER : GL_LEQUAL);
    gl_.Uniform1f(overlay_program_.at("u_strength"), hidden ? 0.30f : 1.0f);
    overlay_mesh_.draw(GL_TRIANGLES);
  }
  gl_.DepthMask(GL_TRUE);
  gl_.Disable(GL_BLEND);
}

void LiveRenderer::Parts::draw(const LiveFrame& frame, const View& view, int x, int y, int width, int height,
                               GLuint framebuffer) {
  make_target(width, height);
  gl_.Disable(GL_SCISSOR_TEST);
  gl_.Disable(GL_BLEND);
  gl_.Disable(GL_CULL_FACE);
  gl_.CullFace(GL_BACK);
  gl_.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl_.DepthMask(GL_TRUE);
  gl_.Enable(GL_DEPTH_TEST);
  gl_.DepthFunc(GL_LEQUAL);
  gl_.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  collect(frame, view);
  draw_depth_map(frame);

  gl_.BindFramebuffer(GL_FRAMEBUFFER, target_.drawn.name());
  gl_.Viewport(0, 0, width, height);
  gl_.Clear(GL_DEPTH_BUFFER_BIT);
  gl_.ActiveTexture(GL_TEXTURE1);
  gl_.BindTexture(GL_TEXTURE_2D, colors_.name());
  gl_.ActiveTexture(GL_TEXTURE0);
  gl_.BindTexture(GL_TEXTURE_2D, map_.name());
  // What is near first: what it hides is not lit.
  draw_surfaces(frame);
  draw_obstacles(frame);
  draw_ground(frame);
  background_program_.use();
  gl_.Uniform1f(background_program_.at("u_height"), float(height));
  gl_.BindVertexArray(ground_mesh_.array());
  gl_.DrawArrays(GL_TRIANGLES, 0, 3);
  if (frame.wireframe) draw_edges();
  draw_overlay(frame);

  gl_.Disable(GL_DEPTH_TEST);
  gl_.Disable(GL_CLIP_DISTANCE0);
  gl_.BindVertexArray(0);
  gl_.UseProgram(0);
  // In two steps: a window's pixels may have another format, into which samples cannot be resolved.
  const auto copy = [&](GLuint from, GLuint to, int to_x, int to_y) {
    gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, from);
    gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    gl_.BlitFramebuffer(0, 0, width, height, to_x, to_y, to_x + width, to_y + height, GL_COLOR_BUFFER_BIT,
                        GL_NEAREST);
  };
  if (samples_ > 1) copy(target_.drawn.name(), target_.resolved.name(), 0, 0);
  copy(samples_ > 1 ? target_.resolved.name() : target_.drawn.name(), framebuffer, x, y);
  gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

LiveRenderer::LiveRenderer(const GlFunctions& gl, int samples)
    : parts_(std::make_unique<Parts>(gl, samples)) {}

LiveRenderer::~LiveRenderer() = default;

void LiveRenderer::draw(const LiveFrame& frame, const View& view, int x, int y, int width, int height,
                        unsigned framebuffer) {
  parts_->draw(frame, view, x, y, width, height, framebuffer);
}

}  // namespace sinew::viewer
