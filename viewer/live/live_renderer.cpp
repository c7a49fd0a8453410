// One picture: shadows, what is lit, edges, strokes.
#include "viewer/live/live_renderer.hpp"
#include "viewer/pattern_shader.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "viewer/live/color_map.hpp"
#include "viewer/live/live_scene.hpp"
#include "viewer/live/live_shaders.hpp"
#include "viewer/live/live_target.hpp"
#include "viewer/live/overlay.hpp"
#include "viewer/live/screen.hpp"
#include "viewer/live/shadow_pass.hpp"
#include "viewer/matrices.hpp"
#include "viewer/render_geometry.hpp"

namespace sinew::viewer {
namespace {

constexpr Vec3d kGroundGlow{0.10, 0.06, -0.02};  // of a ground that is highlighted
constexpr double kNever = 1e30;

constexpr const char* kSoftware[] = {"llvmpipe", "softpipe", "swrast", "SWR", "Software"};

enum TextureUnit { kLightUnit = 0, kColorUnit = 1, kGroundUnit = 2, kDepthUnit = 3 };

std::string head(const char* variant) {
  return "#version 330 core\n#define " + std::string(variant) + "\n#define MAP_SIDE " +
         std::to_string(ShadowPass::kMapSide) + "\n";
}

GlProgram lit_program(const GlFunctions& gl, const char* variant) {
  return GlProgram(gl, head(variant) + kLitVertexSource,
                   head(variant) + kToneSource + kPatternSource + kLitFragmentSource);
}

}  // namespace

struct LiveRenderer::Parts {
  Parts(const GlFunctions& functions, int samples);
  void draw(const LiveFrame& frame, const View& view, int x, int y, int width, int height,
            GLuint framebuffer);

  void set_samples(int samples) { target_.set_samples(samples); }
  const std::string& description() const { return description_; }

 private:
  bool faces_viewer(const LiveObstacle& obstacle) const;  ///< a half-space seen from its free side
  void set_pose(const GlProgram& program, const Pose& pose) const;
  void set_color(const GlProgram& program, const Vec3d& color) const;
  void set_glow(const GlProgram& program, bool highlighted) const;
  void prepare(const GlProgram& program, const LiveFrame& frame, bool cut);  ///< what all of a pass share
  void draw_surfaces(const LiveFrame& frame);
  void draw_cells(const LiveFrame& frame);
  void draw_obstacles(const LiveFrame& frame);
  void draw_ground(const LiveFrame& frame, const Pose* shaded);
  void draw_background();
  void draw_edges(const LiveFrame& frame);
  void draw_overlay(const LiveFrame& frame);

  const GlFunctions gl_;
  std::string description_;
  LiveTarget target_;
  LiveScene scene_;
  ShadowPass shadows_;
  GlProgram surface_program_, obstacle_program_, ground_program_, cell_program_;
  GlProgram edge_program_, background_program_, overlay_program_;
  GlTexture colors_;
  GlMesh ground_mesh_, overlay_mesh_;
  GlBuffer ground_indices_;

  // Of the picture that is being drawn.
  View view_;
  std::array<float, 4> cut_{};  ///< keeps where dot(cut_, (x, 1)) >= 0
};

LiveRenderer::Parts::Parts(const GlFunctions& functions, int samples)
    : gl_(functions),
      target_(gl_, samples),
      scene_(gl_),
      shadows_(gl_),
      surface_program_(lit_program(gl_, "SURFACE")),
      obstacle_program_(lit_program(gl_, "OBSTACLE")),
      ground_program_(lit_program(gl_, "GROUND")),
      cell_program_(lit_program(gl_, "CELLS")),
      edge_program_(gl_, head("SURFACE") + kLitVertexSource, head("SURFACE") + kEdgeFragmentSource),
      background_program_(gl_, head("BACKGROUND") + kFarVertexSource,
                          head("BACKGROUND") + kToneSource + kFarFragmentSource),
      overlay_program_(gl_, head("OVERLAY") + kOverlayVertexSource, head("OVERLAY") + kOverlayFragmentSource),
      colors_(gl_),
      ground_mesh_(gl_),
      overlay_mesh_(gl_),
      ground_indices_(gl_) {
  const auto text = [&](GLenum what) {
    const GLubyte* value = gl_.GetString(what);
    return std::string(value ? reinterpret_cast<const char*>(value) : "?");
  };
  const std::string renderer = text(GL_RENDERER), version = text(GL_VERSION);
  description_ = renderer.substr(0, renderer.find(" (")) + ", OpenGL " + version.substr(0, version.find(' '));
  gl_.BindTexture(GL_TEXTURE_2D, colors_.name());
  gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGB32F, kColorMapSize, 1, 0, GL_RGB, GL_FLOAT, color_table().data());
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
}

bool LiveRenderer::Parts::faces_viewer(const LiveObstacle& obstacle) const {
  return obstacle.shape && std::holds_alternative<HalfSpaceShape>(*obstacle.shape) &&
         obstacle.pose.apply_inverse(view_.eye).z > 0.0;
}

void LiveRenderer::Parts::set_pose(const GlProgram& program, const Pose& pose) const {
  const auto rotation = to_float(pose.rotation);
  const auto translation = to_float(pose.translation - view_.target);
  gl_.UniformMatrix3fv(program.at("u_rotation"), 1, GL_TRUE, rotation.data());
  gl_.Uniform3fv(program.at("u_translation"), 1, translation.data());
}

void LiveRenderer::Parts::set_color(const GlProgram& program, const Vec3d& color) const {
  const auto c = to_float(color);
  gl_.Uniform3fv(program.at("u_color"), 1, c.data());
}

void LiveRenderer::Parts::set_glow(const GlProgram& program, bool highlighted) const {
  gl_.Uniform1f(program.at("u_glow"), highlighted ? 1.0f : 0.0f);
}

void LiveRenderer::Parts::prepare(const GlProgram& program, const LiveFrame& frame, bool cut) {
  program.use();
  const auto clip = clip_matrix(view_, double(target_.width()) / target_.height());
  const auto eye = to_float(view_.eye - view_.target);
  const Projection& light = shadows_.light();
  const auto direction = to_float(light.direction);
  gl_.UniformMatrix4fv(program.at("u_clip"), 1, GL_TRUE, clip.data());
  gl_.Uniform3fv(program.at("u_eye"), 1, eye.data());
  gl_.UniformMatrix3fv(program.at("u_light"), 1, GL_TRUE, light.matrix.data());
  gl_.Uniform3fv(program.at("u_light_shift"), 1, light.shift.data());
  gl_.Uniform3fv(program.at("u_light_direction"), 1, direction.data());
  gl_.Uniform1f(program.at("u_texel"), float(2.0 * light.radius / ShadowPass::kMapSide));
  gl_.Uniform1f(program.at("u_shadows"), frame.shadows ? 1.0f : 0.0f);
  gl_.Uniform1f(program.at("u_height"), float(target_.height()));
  gl_.Uniform1i(program.at("u_map"), kLightUnit);
  gl_.Uniform1i(program.at("u_depths"), kDepthUnit);
  gl_.Uniform1i(program.at("u_colors"), kColorUnit);
  gl_.Uniform1i(program.at("u_ground_map"), kGroundUnit);
  set_glow(program, false);
  set_pose(program, {Mat3d::identity(), view_.target});
  const std::array<float, 4> nothing{0.0f, 0.0f, 0.0f, 1.0f};
  gl_.Uniform4fv(program.at("u_cut"), 1, cut ? cut_.data() : nothing.data());
}

void LiveRenderer::Parts::draw_surfaces(const LiveFrame& frame) {
  prepare(surface_program_, frame, true);
  if (frame.wireframe) {  // room for the edges in front
    gl_.Enable(GL_POLYGON_OFFSET_FILL);
    gl_.PolygonOffset(1.0f, 1.0f);
  }
  for (const DrawnSurface& s : scene_.surfaces) {
    set_color(surface_program_, s.surface->color);
    set_glow(surface_program_, s.surface->highlighted);
    gl_.Uniform1f(surface_program_.at("u_use_values"), s.surface->values ? 1.0f : 0.0f);
    gl_.Uniform1f(surface_program_.at("u_two_sided"), s.surface->two_sided ? 1.0f : 0.0f);
    (s.topology->closed && !frame.cut && !s.surface->two_sided ? gl_.Enable : gl_.Disable)(GL_CULL_FACE);
    s.draw();
  }
  gl_.Disable(GL_CULL_FACE);
  gl_.Disable(GL_POLYGON_OFFSET_FILL);
}

void LiveRenderer::Parts::draw_cells(const LiveFrame& frame) {
  if (scene_.cells.empty()) return;
  prepare(cell_program_, frame, false);
  gl_.Uniform1f(cell_program_.at("u_two_sided"), 1.0f);
  for (const DrawnCells& c : scene_.cells) {
    set_color(cell_program_, c.cells->color);
    gl_.Uniform1f(cell_program_.at("u_use_values"), c.cells->values ? 1.0f : 0.0f);
    scene_.cell_mesh().draw(GL_TRIANGLES, c.first, c.count);
  }
}

void LiveRenderer::Parts::draw_obstacles(const LiveFrame& frame) {
  if (scene_.obstacles.empty()) return;
  prepare(obstacle_program_, frame, false);
  gl_.Uniform1f(obstacle_program_.at("u_two_sided"), 1.0f);
  for (const DrawnObstacle& o : scene_.obstacles) {
    set_glow(obstacle_program_, o.obstacle->highlighted);
    set_color(obstacle_program_, o.obstacle->color);
    set_pose(obstacle_program_, o.obstacle->pose);
    (o.mesh->closed ? gl_.Enable : gl_.Disable)(GL_CULL_FACE);
    o.draw();
  }
  gl_.Disable(GL_CULL_FACE);
}

void LiveRenderer::Parts::draw_ground(const LiveFrame& frame, const Pose* shaded) {
  const double distance = norm(view_.eye - view_.target), spacing = grid_spacing(view_);
  prepare(ground_program_, frame, false);
  gl_.Uniform2f(ground_program_.at("u_grid"), float(spacing), float(4.5 * distance));
  const Projection& below = shadows_.ground();
  gl_.UniformMatrix3fv(ground_program_.at("u_ground"), 1, GL_TRUE, below.matrix.data());
  gl_.Uniform3fv(ground_program_.at("u_ground_shift"), 1, below.shift.data());
  for (const LiveObstacle& obstacle : frame.obstacles) {
    if (!faces_viewer(obstacle)) continue;  // from behind it would hide the scene
    TriangleBatch batch;
    append_plane(batch, obstacle.pose, {}, Pattern::ground, {view_.target, view_.target, 0.0, kNever},
                 6.0 * distance, 10.0 * spacing);
    ground_mesh_.set_vertices(batch.vertices.data(), batch.vertices.size(), sizeof(Vertex),
                              {{0, 3, offsetof(Vertex, position)},
                               {1, 3, offsetof(Vertex, normal)},
                               {3, 3, offsetof(Vertex, local)}});
    gl_.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, ground_indices_.name());
    gl_.BufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(batch.indices.size() * sizeof(std::uint32_t)),
                   batch.indices.data(), GL_STREAM_DRAW);
    gl_.Uniform1f(ground_program_.at("u_shaded"), &obstacle.pose == shaded ? 1.0f : 0.0f);
    set_color(ground_program_, 0.65 * obstacle.color + Vec3d{0.27, 0.27, 0.27} +
                                   (obstacle.highlighted ? kGroundGlow : Vec3d{}));
    ground_mesh_.draw(GL_TRIANGLES, ground_indices_, batch.indices.size());
  }
}

void LiveRenderer::Parts::draw_background() {
  background_program_.use();
  gl_.Uniform1f(background_program_.at("u_height"), float(target_.height()));
  gl_.BindVertexArray(ground_mesh_.array());
  gl_.DrawArrays(GL_TRIANGLES, 0, 3);
}

void LiveRenderer::Parts::draw_edges(const LiveFrame& frame) {
  prepare(edge_program_, frame, true);
  gl_.Enable(GL_BLEND);
  gl_.DepthMask(GL_FALSE);
  const ScreenMap map(view_, target_.width(), target_.height());
  for (const DrawnSurface& surface : scene_.surfaces) {
    // Edges of few pixels are drawn fainter: they would cover everything.
    const double pixels = surface.topology->surface.mean_edge / map.meters_per_pixel(view_.target);
    const double strength = 0.45 * std::clamp(pixels / 10.0, 0.25, 1.0);
    gl_.Uniform4f(edge_program_.at("u_edge_color"), 0.05f, 0.06f, 0.08f, float(strength));
    surface.draw_edges();
  }
  gl_.DepthMask(GL_TRUE);
  gl_.Disable(GL_BLEND);
}

void LiveRenderer::Parts::draw_overlay(const LiveFrame& frame) {
  const std::vector<OverlayVertex> triangles =
      overlay_triangles(frame, view_, target_.width(), target_.height());
  if (triangles.empty()) return;
  overlay_mesh_.set_vertices(triangles.data(), triangles.size(), sizeof(OverlayVertex),
                             {{0, 4, offsetof(OverlayVertex, clip)},
                              {1, 3, offsetof(OverlayVertex, color)},
                              {2, 4, offsetof(OverlayVertex, shape)}});
  overlay_program_.use();
  gl_.Enable(GL_BLEND);
  gl_.DepthMask(GL_FALSE);
  for (const bool hidden : {true, false}) {
    gl_.DepthFunc(hidden ? GL_GREATER : GL_LEQUAL);
    gl_.Uniform1f(overlay_program_.at("u_strength"), hidden ? 0.30f : 1.0f);
    overlay_mesh_.draw(GL_TRIANGLES);
  }
  gl_.DepthFunc(GL_LEQUAL);
  gl_.DepthMask(GL_TRUE);
  gl_.Disable(GL_BLEND);
}

void LiveRenderer::Parts::draw(const LiveFrame& frame, const View& view, int x, int y, int width, int height,
                               GLuint framebuffer) {
  target_.begin(width, height);  // first, as it may refuse
  view_ = sound_view(view);
  const bool has_cut = frame.cut && squared_norm(frame.cut->normal) > 0.0 && is_finite(frame.cut->point) &&
                       is_finite(frame.cut->normal);
  cut_ = {0.0f, 0.0f, 0.0f, 1.0f};
  if (has_cut) {
    const Vec3d n = normalized(frame.cut->normal);
    cut_ = {float(-n.x), float(-n.y), float(-n.z), float(dot(frame.cut->point - view_.target, n))};
  }
  scene_.update(frame, has_cut ? &*frame.cut : nullptr, view_, double(width) / height);

  gl_.Disable(GL_SCISSOR_TEST);
  gl_.Disable(GL_BLEND);
  gl_.Disable(GL_CULL_FACE);
  gl_.CullFace(GL_BACK);
  gl_.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl_.DepthMask(GL_TRUE);
  gl_.Enable(GL_DEPTH_TEST);
  gl_.DepthFunc(GL_LEQUAL);
  gl_.BlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
  gl_.Enable(GL_CLIP_DISTANCE0);  // all through: drivers keep it on between calls that differ in it alone
  gl_.ActiveTexture(GL_TEXTURE0);
  const Pose* shaded = nullptr;  // the first ground from below
  for (const LiveObstacle& obstacle : frame.obstacles)
    if (frame.shadows && !shaded && faces_viewer(obstacle) && obstacle.pose.rotation.column(2).z > 0.5)
      shaded = &obstacle.pose;
  shadows_.update(scene_, view_.target, shaded, cut_, frame.shadows);

  const auto bind = [&](TextureUnit unit, GLuint texture) {
    gl_.ActiveTexture(GL_TEXTURE0 + GLenum(unit));
    gl_.BindTexture(GL_TEXTURE_2D, texture);
  };
  bind(kColorUnit, colors_.name());
  bind(kGroundUnit, shadows_.ground_map());
  bind(kDepthUnit, shadows_.light_map());
  gl_.BindSampler(kDepthUnit, shadows_.depth_sampler());
  bind(kLightUnit, shadows_.light_map());
  target_.begin(width, height);
  gl_.Viewport(0, 0, width, height);
  gl_.Clear(GL_DEPTH_BUFFER_BIT);
  // What is near first: what it hides is not lit.
  draw_surfaces(frame);
  draw_cells(frame);
  draw_obstacles(frame);
  draw_ground(frame, shaded);
  draw_background();
  if (frame.wireframe) draw_edges(frame);
  draw_overlay(frame);

  gl_.BindSampler(kDepthUnit, 0);
  gl_.Disable(GL_DEPTH_TEST);
  target_.copy_to(framebuffer, x, y);
  gl_.Disable(GL_CLIP_DISTANCE0);
  gl_.BindVertexArray(0);
  gl_.UseProgram(0);
}

LiveRenderer::LiveRenderer(const GlFunctions& gl, int samples)
    : parts_(std::make_unique<Parts>(gl, samples)) {}

LiveRenderer::~LiveRenderer() = default;

void LiveRenderer::set_samples(int samples) {
  parts_->set_samples(samples);
}

bool LiveRenderer::is_software() const {
  const std::string& name = parts_->description();
  return std::any_of(std::begin(kSoftware), std::end(kSoftware),
                     [&](const char* driver) { return name.find(driver) != std::string::npos; });
}

std::string LiveRenderer::description() const {
  return parts_->description();
}

void LiveRenderer::draw(const LiveFrame& frame, const View& view, int x, int y, int width, int height,
                        unsigned framebuffer) {
  parts_->draw(frame, view, x, y, width, height, framebuffer);
}

}  // namespace sinew::viewer
