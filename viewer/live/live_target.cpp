// Framebuffers of the live view.
#include "viewer/live/live_target.hpp"

#include <algorithm>
#include <string>

#include <sinew/errors.hpp>

namespace sinew::viewer {
namespace {

constexpr const char* kSmoothingVertexSource = R"(#version 330 core
void main() {  // one triangle over the whole picture
  gl_ClipDistance[0] = 1.0;
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";

// Steps of an edge are smoothed by a mean along it, the longer the flatter it lies (after Lottes 2009).
// Software drivers leave a loop only at its end: one place a turn, and most pixels leave after the first.
constexpr const char* kSmoothingFragmentSource = R"(#version 330 core
uniform sampler2D u_picture;
uniform vec4 u_area;  // [pixel] lower left corner, size
out vec4 o_color;
const float kLeastContrast = 0.035, kLongest = 6.0;
float brightness(ivec2 at) { return dot(texelFetch(u_picture, at, 0).rgb, vec3(0.299, 0.587, 0.114)); }
void main() {
  vec2 pixel = 1.0 / u_area.zw, here = gl_FragCoord.xy - u_area.xy, at = here * pixel;
  ivec2 i = ivec2(here), last = ivec2(u_area.zw) - 1;
  vec4 own = texelFetch(u_picture, i, 0);
  ivec2 low_i = max(i - 1, 0), high_i = min(i + 1, last);
  float sw = brightness(low_i), ne = brightness(high_i);
  float nw = brightness(ivec2(low_i.x, high_i.y)), se = brightness(ivec2(high_i.x, low_i.y));
  float mid = dot(own.rgb, vec3(0.299, 0.587, 0.114));
  float low = min(min(min(nw, ne), min(sw, se)), mid), high = max(max(max(nw, ne), max(sw, se)), mid);
  vec2 along = vec2(sw + se - nw - ne, nw + sw - ne - se);
  along /= max(min(abs(along.x), abs(along.y)), 0.03 * (high - low) + 1e-4);
  along = clamp(along, -kLongest, kLongest) * pixel;
  bool flat_here = high - low < kLeastContrast;
  vec3 sum = vec3(0.0);
  float place = -0.5;
  while (true) {
    sum += texture(u_picture, at + place * along).rgb;
    place += 0.3333333;
    if (flat_here || place > 0.6) break;
  }
  vec3 mean = 0.25 * sum;
  o_color = vec4(flat_here ? own.rgb : mean, 1.0);
}
)";

}  // namespace

LiveTarget::LiveTarget(const GlFunctions& gl, int samples)
    : gl_(&gl),
      drawn_(gl),
      resolved_(gl),
      samples_color_(gl),
      depth_(gl),
      color_(gl),
      smoothing_(gl, kSmoothingVertexSource, kSmoothingFragmentSource),
      no_vertices_(gl) {
  GLint most = 0, side = 0;
  gl.GetIntegerv(GL_MAX_SAMPLES, &most);
  gl.GetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
  most_samples_ = std::max(1, int(most));
  largest_side_ = side;
  set_samples(samples);
}

void LiveTarget::set_samples(int samples) {
  samples = std::clamp(samples, 1, most_samples_);
  if (samples == samples_) return;
  samples_ = samples;
  width_ = height_ = 0;  // made anew
}

void LiveTarget::begin(int width, int height) {
  if (width == width_ && height == height_) return gl_->BindFramebuffer(GL_FRAMEBUFFER, drawn_.name());
  const std::string size = std::to_string(width) + " x " + std::to_string(height);
  if (width < 1 || height < 1 || width > largest_side_ || height > largest_side_)
    throw BackendError("a picture of " + size + " pixels cannot be drawn; each side must be 1 to " +
                       std::to_string(largest_side_));
  width_ = height_ = 0;
  const auto attach = [&](const GlRenderbuffer& buffer, GLenum place, GLenum format) {
    gl_->BindRenderbuffer(GL_RENDERBUFFER, buffer.name());
    if (samples_ > 1)
      gl_->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples_, format, width, height);
    else
      gl_->RenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    gl_->FramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer.name());
  };
  const auto check = [&] {
    if (gl_->CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      throw BackendError("OpenGL cannot draw pictures of " + size + " pixels");
  };
  gl_->BindTexture(GL_TEXTURE_2D, color_.name());
  gl_->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  for (const GLenum what : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    gl_->TexParameteri(GL_TEXTURE_2D, what, GL_LINEAR);
  for (const GLenum what : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    gl_->TexParameteri(GL_TEXTURE_2D, what, GL_CLAMP_TO_EDGE);
  gl_->BindFramebuffer(GL_FRAMEBUFFER, resolved_.name());
  gl_->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_.name(), 0);
  check();
  gl_->BindFramebuffer(GL_FRAMEBUFFER, drawn_.name());
  if (samples_ > 1)
    attach(samples_color_, GL_COLOR_ATTACHMENT0, GL_RGBA8);
  else
    gl_->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, color_.name(), 0);
  attach(depth_, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24);
  check();
  width_ = width, height_ = height;
}

void LiveTarget::copy_to(GLuint framebuffer, int x, int y) const {
  const auto copy = [&](GLuint from, GLuint to, int to_x, int to_y) {
    gl_->BindFramebuffer(GL_READ_FRAMEBUFFER, from);
    gl_->BindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    gl_->BlitFramebuffer(0, 0, width_, height_, to_x, to_y, to_x + width_, to_y + height_,
                         GL_COLOR_BUFFER_BIT, GL_NEAREST);
  };
  if (samples_ > 1) {
    // In two steps: a window's pixels may have another format, into which samples cannot be resolved.
    copy(drawn_.name(), resolved_.name(), 0, 0);
    copy(resolved_.name(), framebuffer, x, y);
  } else {
    gl_->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl_->Viewport(x, y, width_, height_);
    smoothing_.use();
    gl_->ActiveTexture(GL_TEXTURE0);
    gl_->BindTexture(GL_TEXTURE_2D, color_.name());
    gl_->Uniform1i(smoothing_.at("u_picture"), 0);
    gl_->Uniform4f(smoothing_.at("u_area"), float(x), float(y), float(width_), float(height_));
    gl_->BindVertexArray(no_vertices_.name());
    gl_->DrawArrays(GL_TRIANGLES, 0, 3);
  }
  gl_->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

}  // namespace sinew::viewer
