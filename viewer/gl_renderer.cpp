// One picture: geometry to the card, depth maps of all light directions, the scene, read back.
#include "viewer/gl_renderer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <sinew/errors.hpp>

#include "viewer/caption.hpp"
#include "viewer/matrices.hpp"
#include "viewer/pattern_shader.hpp"
#include "viewer/shadow_start.hpp"

namespace sinew::viewer {
namespace {

constexpr int kKeyMapSide = 512, kSkyMapSide = 160;  // [texel]
// Directions on that disc have equal areas: spoke by spoke the radius grows in this order, ring by ring the
// spokes are turned. The order and the turn [rad] are those of the least error for the shadows of discs.
constexpr int kSpokeRank[kKeySpokes] = {0, 4, 2, 6, 1, 5, 3, 7};
constexpr double kRingTurn = -std::numbers::pi / 8;
constexpr double kKeyLightSpread = 0.11;            // radius of the light's disc at distance 1: 6 degrees
constexpr double kGoldenAngle = 2.399963229728653;  // [rad], Vogel 1979

/// Ground planes with their grid. Without one there is only background: a grid would look like a floor.
void append_planes(TriangleBatch& batch, const RenderFrame& frame, const View& view,
                   const Tessellation& fineness, double grid) {
  const double half_side = 6.0 * norm(view.eye - view.target);
  for (const RenderObstacle& obstacle : frame.obstacles) {
    if (!std::holds_alternative<HalfSpaceShape>(obstacle.shape)) continue;
    // A plane seen from behind would hide the scene.
    if (obstacle.pose.apply_inverse(view.eye).z > 0.0)
      append_plane(batch, obstacle.pose, 0.65 * obstacle.color + Vec3d{0.27, 0.27, 0.27}, Pattern::ground,
                   fineness, half_side, 10.0 * grid);
  }
}

}  // namespace

GlRenderer::GlRenderer(std::unique_ptr<GlContext> context)
    : context_(std::move(context)), gl_(context_->gl()) {
  const CurrentContext current(*context_);
  const auto text = [&](GLenum what) {
    const GLubyte* value = gl_.GetString(what);
    return std::string(value ? reinterpret_cast<const char*>(value) : "?");
  };
  const std::string version = text(GL_VERSION), renderer = text(GL_RENDERER);
  description_ = context_->name() + ", " + renderer.substr(0, renderer.find(" (")) + ", OpenGL " +
                 version.substr(0, version.find(' '));
  GLint samples = 0, side = 0;
  gl_.GetIntegerv(GL_MAX_SAMPLES, &samples);
  gl_.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
  samples_ = samples >= 4 ? 4 : 1;
  scale_ = samples >= 4 ? 1 : 2;
  largest_side_ = side;
  const auto define = [](const char* name, int value) {
    return std::string("#define ") + name + " " + std::to_string(value) + "\n";
  };
  const std::string counts = "#version 330 core\n" + define("RINGS", kKeyRings) +
                             define("SPOKES", kKeySpokes) + define("SKY", kSkyLights);
  const std::string head = counts + kCommonFragmentSource;
  shadow_program_ = GlProgram(gl_, kShadowVertexShader, kShadowFragmentShader);
  scene_program_ = GlProgram(gl_, counts + kSceneVertexShader, head + kPatternSource + kSceneFragmentShader);
  background_program_ = GlProgram(gl_, kBackgroundVertexShader, head + kBackgroundFragmentShader);
  vertex_array_ = GlVertexArray(gl_);
  vertices_ = GlBuffer(gl_);
  indices_ = GlBuffer(gl_);
  shadow_framebuffer_ = GlFramebuffer(gl_);
  key_maps_ = make_shadow_maps(kKeyMapSide, kKeyLights);
  sky_maps_ = make_shadow_maps(kSkyMapSide, kSkyLights);
  key_start_ = GlTexture(gl_);
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, key_start_.name());
  gl_.TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R32F, kShadowStartSide, kShadowStartSide, 1, 0, GL_RED, GL_FLOAT,
                 nullptr);
  for (const GLenum what : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, what, GL_NEAREST);
  for (const GLenum what : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, what, GL_CLAMP_TO_EDGE);
}

GlRenderer::~GlRenderer() {
  try {
    const CurrentContext current(*context_);
    target_ = {};
    key_maps_ = {};
    key_start_ = {};
    sky_maps_ = {};
    shadow_framebuffer_ = {};
    vertices_ = {};
    indices_ = {};
    vertex_array_ = {};
    shadow_program_ = {};
    scene_program_ = {};
    background_program_ = {};
  } catch (...) {
    // The context is gone, and its objects with it.
  }
}

GlRenderer::ShadowMaps GlRenderer::make_shadow_maps(int side, int layers) {
  ShadowMaps maps{GlTexture(gl_), side};
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, maps.texture.name());
  gl_.TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT16, side, side, layers, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_SHORT, nullptr);
  const auto set = [&](GLenum what, GLenum value) {
    gl_.TexParameteri(GL_TEXTURE_2D_ARRAY, what, static_cast<GLint>(value));
  };
  set(GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  set(GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  set(GL_TEXTURE_WRAP_S,
      GL_CLAMP_TO_EDGE);  // the edge is kept lit by the scissor; a border colour costs time
  set(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  set(GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  set(GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  return maps;
}

void GlRenderer::make_target(int width, int height) {
  if (target_.width == width && target_.height == height) return;
  Target target{GlFramebuffer(gl_),
                GlFramebuffer(gl_),
                GlRenderbuffer(gl_),
                GlRenderbuffer(gl_),
                GlRenderbuffer(gl_),
                width,
                height};
  const auto storage = [&](const GlRenderbuffer& buffer, GLenum format, int samples) {
    gl_.BindRenderbuffer(GL_RENDERBUFFER, buffer.name());
    if (samples > 1)
      gl_.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    else
      gl_.RenderbufferStorage(GL_RENDERBUFFER, format, width, height);
  };
  storage(target.color, GL_RGBA8, samples_);
  storage(target.depth, GL_DEPTH_COMPONENT24, samples_);
  storage(target.resolved_color, GL_RGBA8, 1);
  const auto check = [&] {
    if (gl_.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      throw BackendError("OpenGL cannot draw pictures of " + std::to_string(width) + " x " +
                         std::to_string(height) + " pixels; ask for smaller ones");
  };
  gl_.BindFramebuffer(GL_FRAMEBUFFER, target.resolved.name());
  gl_.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              target.resolved_color.name());
  check();
  gl_.BindFramebuffer(GL_FRAMEBUFFER, target.drawn.name());
  gl_.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target.color.name());
  gl_.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target.depth.name());
  check();
  target_ = std::move(target);
}

void GlRenderer::aim_lights(const View& view, const CasterBall& casters) {
  const Vec3d key = key_light_direction(view);
  key_direction_ = to_float(key);
  key_frame_ = light_matrix(key, casters.radius);
  key_center_ = light_shift(key_frame_, casters.center);
  for (int i = 0; i < kKeyRings; ++i) {
    const double turn = kRingTurn * i;
    key_turn_[std::size_t(i)] = {float(kKeyLightSpread * std::cos(turn)),
                                 float(kKeyLightSpread * std::sin(turn))};
    for (int j = 0; j < kKeySpokes; ++j) {
      const int rank = i * kKeySpokes + kSpokeRank[j];
      const double radius = kKeyLightSpread * std::sqrt((rank + 0.5) / kKeyLights);
      const double angle = turn + 2.0 * std::numbers::pi * j / kKeySpokes;
      LightMatrix& m = key_matrix_[std::size_t(i * kKeySpokes + j)];
      LightShift& shift = key_shift_[std::size_t(i * kKeySpokes + j)];
      m = key_frame_;
      shift = key_center_;
      for (std::size_t k = 0; k < 2; ++k) {
        const auto shear = float(radius * (k == 0 ? std::cos(angle) : std::sin(angle)));
        shift[k] += shear * shift[2];
        for (std::size_t l = 0; l < 3; ++l) m[3 * k + l] += shear * m[6 + l];
      }
    }
  }
  for (int i = 0; i < kSkyLights; ++i) {  // equal areas of the upper half of the sphere
    const double z = (i + 0.5) / kSkyLights, r = std::sqrt(1.0 - z * z), a = i * kGoldenAngle;
    const Vec3d d{r * std::cos(a), r * std::sin(a), z};
    sky_direction_[std::size_t(i)] = to_float(d);
    sky_matrix_[std::size_t(i)] = light_matrix(d, casters.radius);
    sky_shift_[std::size_t(i)] = light_shift(sky_matrix_[std::size_t(i)], casters.center);
  }
}

void GlRenderer::draw_elements(std::size_t begin, std::size_t end) {
  if (end > begin)
    gl_.DrawElements(GL_TRIANGLES, GLsizei(end - begin), GL_UNSIGNED_INT,
                     reinterpret_cast<const void*>(begin * sizeof(std::uint32_t)));
}

void GlRenderer::upload(const TriangleBatch& batch) {
  const std::vector<Vertex>& vertices = batch.vertices;
  const std::vector<std::uint32_t>& indices = batch.indices;
  gl_.BindVertexArray(vertex_array_.name());
  gl_.BindBuffer(GL_ARRAY_BUFFER, vertices_.name());
  gl_.BufferData(GL_ARRAY_BUFFER, GLsizeiptr(vertices.size() * sizeof(Vertex)), vertices.data(),
                 GL_STREAM_DRAW);
  gl_.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_.name());
  gl_.BufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(indices.size() * sizeof(std::uint32_t)), indices.data(),
                 GL_STREAM_DRAW);
  const auto attribute = [&](GLuint location, GLint size, std::size_t offset) {
    gl_.EnableVertexAttribArray(location);
    gl_.VertexAttribPointer(location, size, GL_FLOAT, GL_FALSE, sizeof(Vertex),
                            reinterpret_cast<const void*>(offset));
  };
  attribute(0, 3, offsetof(Vertex, position));
  attribute(1, 3, offsetof(Vertex, normal));
  attribute(2, 3, offsetof(Vertex, color));
  attribute(3, 3, offsetof(Vertex, local));
  attribute(4, 1, offsetof(Vertex, pattern));
}

void GlRenderer::draw_shadow_maps(const ShadowMaps& maps, const LightMatrix* matrices,
                                  const LightShift* shifts, int layers, std::size_t index_end) {
  gl_.BindFramebuffer(GL_FRAMEBUFFER, shadow_framebuffer_.name());
  gl_.DrawBuffer(GL_NONE);
  gl_.ReadBuffer(GL_NONE);
  gl_.Viewport(0, 0, maps.side, maps.side);
  gl_.Scissor(1, 1, maps.side - 2, maps.side - 2);
  gl_.Enable(GL_DEPTH_TEST);
  gl_.Enable(GL_DEPTH_CLAMP);  // what lies outside the depth range still casts its shadow
  gl_.Enable(GL_POLYGON_OFFSET_FILL);
  gl_.PolygonOffset(1.5f, 2.0f);
  gl_.Disable(GL_CULL_FACE);
  gl_.DepthMask(GL_TRUE);
  gl_.DepthFunc(GL_LESS);
  shadow_program_.use();
  const GLint light = shadow_program_.at("u_light"), shift = shadow_program_.at("u_shift");
  for (int i = 0; i < layers; ++i) {
    gl_.FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, maps.texture.name(), 0, i);
    gl_.Disable(GL_SCISSOR_TEST);
    gl_.Clear(GL_DEPTH_BUFFER_BIT);
    gl_.Enable(GL_SCISSOR_TEST);
    gl_.UniformMatrix3fv(light, 1, GL_TRUE, matrices[i].data());
    gl_.Uniform3fv(shift, 1, shifts[i].data());
    draw_elements(0, index_end);
  }
  gl_.FramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, 0, 0, 0);
  gl_.Disable(GL_SCISSOR_TEST);
  gl_.Disable(GL_POLYGON_OFFSET_FILL);
  gl_.Disable(GL_DEPTH_CLAMP);
}

void GlRenderer::prepare_picture(const View& view, const CasterBall& casters, double grid) {
  gl_.BindFramebuffer(GL_FRAMEBUFFER, target_.drawn.name());
  gl_.DrawBuffer(GL_COLOR_ATTACHMENT0);
  gl_.Viewport(0, 0, target_.width, target_.height);
  gl_.Disable(GL_DEPTH_TEST);
  background_program_.use();
  gl_.Uniform1f(background_program_.at("u_height"), float(target_.height));
  gl_.DrawArrays(GL_TRIANGLES, 0, 3);
  gl_.Enable(GL_DEPTH_TEST);
  gl_.Clear(GL_DEPTH_BUFFER_BIT);

  const GlProgram& program = scene_program_;
  program.use();
  const auto clip = clip_matrix(view, double(target_.width) / target_.height);
  const auto eye = to_float(view.eye - view.target);
  gl_.UniformMatrix4fv(program.at("u_clip"), 1, GL_TRUE, clip.data());
  gl_.Uniform3fv(program.at("u_eye"), 1, eye.data());
  gl_.UniformMatrix3fv(program.at("u_key_light"), 1, GL_TRUE, key_frame_.data());
  gl_.Uniform3fv(program.at("u_key_shift"), 1, key_center_.data());
  gl_.Uniform2fv(program.at("u_key_turn"), kKeyRings, key_turn_[0].data());
  gl_.Uniform1i(program.at("u_key_rings"), kKeyRings);
  gl_.UniformMatrix3fv(program.at("u_sky_light"), kSkyLights, GL_TRUE, sky_matrix_[0].data());
  gl_.Uniform3fv(program.at("u_sky_shift"), kSkyLights, sky_shift_[0].data());
  gl_.Uniform3fv(program.at("u_key_direction"), 1, key_direction_.data());
  gl_.Uniform3fv(program.at("u_sky_direction"), kSkyLights, sky_direction_[0].data());
  gl_.Uniform1f(program.at("u_texel"), float(2.0 * casters.radius / kKeyMapSide));
  gl_.Uniform1f(program.at("u_sky_texel"), float(2.0 * casters.radius / kSkyMapSide));
  const auto middle = to_float(casters.center);
  gl_.Uniform3fv(program.at("u_casters"), 1, middle.data());
  gl_.Uniform1f(program.at("u_shadow_radius"), float(casters.radius));
  gl_.Uniform1f(program.at("u_key_spread"), float(kKeyLightSpread));
  gl_.Uniform2f(program.at("u_grid"), float(grid), float(4.5 * norm(view.eye - view.target)));
  gl_.Uniform1f(program.at("u_height"), float(target_.height));
  gl_.Uniform1i(program.at("u_key_map"), 0);
  gl_.Uniform1i(program.at("u_sky_map"), 1);
  gl_.Uniform1i(program.at("u_key_start"), 2);
  gl_.ActiveTexture(GL_TEXTURE0);
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, key_maps_.texture.name());
  gl_.ActiveTexture(GL_TEXTURE1);
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, sky_maps_.texture.name());
  gl_.ActiveTexture(GL_TEXTURE2);
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, key_start_.name());
  gl_.ActiveTexture(GL_TEXTURE0);
}

Image GlRenderer::read_picture(int width, int height) {
  const int w = target_.width, h = target_.height;
  gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, target_.drawn.name());
  gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, target_.resolved.name());
  gl_.ReadBuffer(GL_COLOR_ATTACHMENT0);
  gl_.BlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  gl_.BindFramebuffer(GL_FRAMEBUFFER, target_.resolved.name());
  gl_.ReadBuffer(GL_COLOR_ATTACHMENT0);
  gl_.PixelStorei(GL_PACK_ALIGNMENT, 1);
  std::vector<std::uint8_t> pixels(std::size_t(w) * std::size_t(h) * 4);
  gl_.ReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  if (const GLenum error = gl_.GetError(); error != GL_NO_ERROR)
    throw BackendError("OpenGL error " + std::to_string(error) + " while drawing (" + description_ +
                       "); a smaller picture or SINEW_RENDER_BACKEND=osmesa may help");
  Image image{width, height, std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height) * 3)};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c) {
        int sum = 0;  // OpenGL's first row is the lowest
        for (int j = 0; j < scale_; ++j)
          for (int i = 0; i < scale_; ++i)
            sum += pixels[(std::size_t(h - 1 - (y * scale_ + j)) * std::size_t(w) +
                           std::size_t(x * scale_ + i)) *
                              4 +
                          std::size_t(c)];
        image.rgb[(std::size_t(y) * std::size_t(width) + std::size_t(x)) * 3 + std::size_t(c)] =
            std::uint8_t((sum + scale_ * scale_ / 2) / (scale_ * scale_));
      }
  return image;
}

View GlRenderer::frame_scene(const RenderFrame& frame, const CameraSpec& wishes, double aspect) const {
  return frame_view(frame, wishes, aspect);
}

Image GlRenderer::render(const RenderFrame& frame, const View& wished_view, int width, int height) {
  if (width < 1 || height < 1 || width > largest_side_ / scale_ || height > largest_side_ / scale_)
    throw BackendError("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                       " pixels cannot be drawn; each side must be 1 to " +
                       std::to_string(largest_side_ / scale_));
  const View view = sound_view(wished_view);
  const double aspect = double(width) / height;
  const CasterBall casters = caster_ball(frame, view, aspect);
  const double grid = grid_spacing(view);

  // Surfaces first: they are drawn and cast shadows. Then obstacles, coarse for the depth maps and fine for
  // the picture, and planes.
  const Vec3d focus = view.target + casters.center;
  const Tessellation fineness{view.target, focus, 3.0 * casters.radius, casters.radius / 24.0},
      coarse{view.target, focus, 0.0, casters.radius};
  TriangleBatch batch;
  for (const RenderSurface& surface : frame.surfaces) append_surface(batch, surface, view.target);
  const std::size_t surface_end = batch.indices.size();
  for (const RenderObstacle& obstacle : frame.obstacles) append_obstacle(batch, obstacle, coarse);
  const std::size_t caster_end = batch.indices.size();
  for (const RenderObstacle& obstacle : frame.obstacles) append_obstacle(batch, obstacle, fineness);
  append_planes(batch, frame, view, fineness, grid);

  aim_lights(view, casters);
  const std::vector<float> start =
      shadow_start(batch, caster_end, key_frame_, key_center_, float(kKeyLightSpread));
  const CurrentContext current(*context_);
  make_target(width * scale_, height * scale_);
  upload(batch);
  gl_.BindTexture(GL_TEXTURE_2D_ARRAY, key_start_.name());
  gl_.TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R32F, kShadowStartSide, kShadowStartSide, 1, 0, GL_RED, GL_FLOAT,
                 start.data());
  draw_shadow_maps(key_maps_, key_matrix_.data(), key_shift_.data(), kKeyLights, caster_end);
  draw_shadow_maps(sky_maps_, sky_matrix_.data(), sky_shift_.data(), kSkyLights, caster_end);
  prepare_picture(view, casters, grid);
  draw_elements(0, surface_end);
  draw_elements(caster_end, batch.indices.size());
  Image image = read_picture(width, height);
  draw_caption(image, frame.caption);
  return image;
}

}  // namespace sinew::viewer
