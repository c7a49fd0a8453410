// Depth maps. The sky's share follows from heights seen from below: a ring of the plane at height h between
// distances r0 and r1 hides h^2 / (r0^2 + h^2) - h^2 / (r1^2 + h^2) of a point's irradiance, the form factor
// of a ring. Rings of a few places each stand for the casters.
#include "viewer/live/shadow_pass.hpp"

#include <utility>

#include "viewer/matrices.hpp"

namespace sinew::viewer {
namespace {

constexpr int kHeightSide = 256, kShadeSide = 64;  // [texel]

constexpr const char* kDepthVertexSource = R"(#version 330 core
layout(location = 0) in vec3 a_position;
uniform mat3 u_rotation;
uniform vec3 u_translation;
uniform vec4 u_cut;
uniform mat3 u_projection;
uniform vec3 u_shift;
void main() {
  vec3 p = u_rotation * a_position + u_translation;
  gl_ClipDistance[0] = dot(u_cut, vec4(p, 1.0));
  gl_Position = vec4(u_projection * p - u_shift, 1.0);
}
)";

constexpr const char* kDepthFragmentSource = R"(#version 330 core
void main() {}
)";

constexpr const char* kShadeVertexSource = R"(#version 330 core
void main() {  // one triangle over the whole map
  gl_ClipDistance[0] = 1.0;
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";

// Lengths in shares of half the map's side.
constexpr const char* kShadeFragmentSource = R"(#version 330 core
uniform sampler2D u_heights;
uniform float u_plane;  // of the ground, as a height in the map
uniform float u_side;   // [texel]
out vec4 o_color;
float hidden(vec2 at, float r0, float r1) {
  float depth = texture(u_heights, 0.5 + 0.5 * at).r;
  float h = max(2.0 * depth - 1.0 - u_plane, 1e-3);
  float h2 = h * h;
  return depth < 1.0 ? h2 / (r0 * r0 + h2) - h2 / (r1 * r1 + h2) : 0.0;
}
void main() {
  vec2 at = 2.0 * gl_FragCoord.xy / u_side - 1.0;
  float inner = 0.012, outer = 0.03;
  float sum = hidden(at, 0.0, inner);
  for (int ring = 0; ring < 7; ++ring) {
    float r = sqrt(inner * outer), turn = 0.4 * float(ring), part = 0.0;
    for (int i = 0; i < 12; ++i) {
      float a = turn + 0.52359878 * float(i);
      part += hidden(at + r * vec2(cos(a), sin(a)), inner, outer);
    }
    sum += part / 12.0;
    inner = outer;
    outer *= 1.65;
  }
  vec2 border = smoothstep(vec2(1.0), vec2(0.88), abs(at));
  o_color = vec4(sum * border.x * border.y);
}
)";

Projection projection(const Vec3d& direction, const CasterBall& casters) {
  Projection p{direction, casters.radius, light_matrix(direction, casters.radius), {}};
  p.shift = light_shift(p.matrix, casters.center);
  return p;
}

}  // namespace

ShadowPass::ShadowPass(const GlFunctions& gl)
    : gl_(gl),
      depth_program_(gl, kDepthVertexSource, kDepthFragmentSource),
      shade_program_(gl, kShadeVertexSource, kShadeFragmentSource),
      framebuffer_(gl),
      shade_framebuffer_(gl),
      light_map_(gl),
      height_map_(gl),
      shade_(gl),
      depth_sampler_(gl),
      no_vertices_(gl) {
  const auto set = [&](GLenum what, GLenum value) {
    gl_.TexParameteri(GL_TEXTURE_2D, what, static_cast<GLint>(value));
  };
  const auto make = [&](const GlTexture& texture, GLenum format, GLenum parts, int side, GLenum filter) {
    gl_.BindTexture(GL_TEXTURE_2D, texture.name());
    gl_.TexImage2D(GL_TEXTURE_2D, 0, GLint(format), side, side, 0, parts, GL_UNSIGNED_SHORT, nullptr);
    set(GL_TEXTURE_MIN_FILTER, filter);
    set(GL_TEXTURE_MAG_FILTER, filter);
    set(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    set(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  };
  make(height_map_, GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, kHeightSide, GL_NEAREST);
  make(shade_, GL_R8, GL_RED, kShadeSide, GL_LINEAR);
  make(light_map_, GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, kMapSide, GL_LINEAR);
  set(GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  set(GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  for (const auto& [what, value] : {std::pair{GL_TEXTURE_MIN_FILTER, GL_NEAREST},
                                    {GL_TEXTURE_MAG_FILTER, GL_NEAREST},
                                    {GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE},
                                    {GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE},
                                    {GL_TEXTURE_COMPARE_MODE, GL_NONE}})
    gl_.SamplerParameteri(depth_sampler_.name(), GLenum(what), value);
}

void ShadowPass::draw_casters(const LiveScene& scene, const Vec3d& target, const Projection& projection,
                              const GlTexture& map, int side, const std::array<float, 4>& cut) {
  gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, map.name(), 0);
  gl_.DrawBuffer(GL_NONE);
  gl_.ReadBuffer(GL_NONE);
  gl_.Viewport(0, 0, side, side);
  gl_.Clear(GL_DEPTH_BUFFER_BIT);
  depth_program_.use();
  gl_.UniformMatrix3fv(depth_program_.at("u_projection"), 1, GL_TRUE, projection.matrix.data());
  gl_.Uniform3fv(depth_program_.at("u_shift"), 1, projection.shift.data());
  gl_.Uniform4fv(depth_program_.at("u_cut"), 1, cut.data());
  const auto place = [&](const Pose& pose) {
    const auto rotation = to_float(pose.rotation);
    const auto translation = to_float(pose.translation - target);
    gl_.UniformMatrix3fv(depth_program_.at("u_rotation"), 1, GL_TRUE, rotation.data());
    gl_.Uniform3fv(depth_program_.at("u_translation"), 1, translation.data());
  };
  place({Mat3d::identity(), target});
  for (const DrawnSurface& surface : scene.surfaces) surface.draw();
  gl_.Uniform4f(depth_program_.at("u_cut"), 0.0f, 0.0f, 0.0f, 1.0f);
  scene.cell_mesh().draw(GL_TRIANGLES);
  for (const DrawnObstacle& o : scene.obstacles) {
    place(o.obstacle->pose);
    o.draw();
  }
}

void ShadowPass::update(const LiveScene& scene, const Vec3d& target, const Pose* ground,
                        const std::array<float, 4>& cut, bool shadows) {
  light_ = projection(scene.light, scene.casters);
  if (!shadows) return;
  gl_.Enable(GL_DEPTH_CLAMP);  // what lies outside the depth range still casts its shadow
  gl_.Enable(GL_POLYGON_OFFSET_FILL);
  gl_.PolygonOffset(1.5f, 2.0f);
  draw_casters(scene, target, light_, light_map_, kMapSide, cut);
  gl_.Disable(GL_POLYGON_OFFSET_FILL);
  if (ground) {
    const Vec3d up = ground->rotation.column(2);
    ground_ = projection(-up, scene.casters);  // seen from below: height is depth
    draw_casters(scene, target, ground_, height_map_, kHeightSide, cut);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, shade_framebuffer_.name());
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, shade_.name(), 0);
    gl_.Viewport(0, 0, kShadeSide, kShadeSide);
    gl_.Disable(GL_DEPTH_TEST);
    shade_program_.use();
    gl_.BindTexture(GL_TEXTURE_2D, height_map_.name());
    gl_.Uniform1i(shade_program_.at("u_heights"), 0);
    gl_.Uniform1f(shade_program_.at("u_side"), float(kShadeSide));
    const double plane = dot(ground->translation - target, up) / ground_.radius - double(ground_.shift[2]);
    gl_.Uniform1f(shade_program_.at("u_plane"), float(plane));
    gl_.BindVertexArray(no_vertices_.name());
    gl_.DrawArrays(GL_TRIANGLES, 0, 3);
    gl_.Enable(GL_DEPTH_TEST);
  }
  gl_.Disable(GL_DEPTH_CLAMP);
}

}  // namespace sinew::viewer
