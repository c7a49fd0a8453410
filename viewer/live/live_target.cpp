// Framebuffers of the live view.
#include "viewer/live/live_target.hpp"

#include <algorithm>
#include <string>

#include <sinew/errors.hpp>

namespace sinew::viewer {

LiveTarget::LiveTarget(const GlFunctions& gl, int samples)
    : gl_(&gl), drawn_(gl), resolved_(gl), color_(gl), depth_(gl), resolved_color_(gl) {
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
  const auto attach = [&](const GlRenderbuffer& buffer, GLenum place, GLenum format, int samples) {
    gl_->BindRenderbuffer(GL_RENDERBUFFER, buffer.name());
    if (samples > 1)
      gl_->RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    else
      gl_->RenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    gl_->FramebufferRenderbuffer(GL_FRAMEBUFFER, place, GL_RENDERBUFFER, buffer.name());
  };
  const auto check = [&] {
    if (gl_->CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      throw BackendError("OpenGL cannot draw pictures of " + size + " pixels");
  };
  if (samples_ > 1) {
    gl_->BindFramebuffer(GL_FRAMEBUFFER, resolved_.name());
    attach(resolved_color_, GL_COLOR_ATTACHMENT0, GL_RGBA8, 1);
    check();
  }
  gl_->BindFramebuffer(GL_FRAMEBUFFER, drawn_.name());
  attach(color_, GL_COLOR_ATTACHMENT0, GL_RGBA8, samples_);
  attach(depth_, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, samples_);
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
  // In two steps: a window's pixels may have another format, into which samples cannot be resolved.
  if (samples_ > 1) copy(drawn_.name(), resolved_.name(), 0, 0);
  copy(samples_ > 1 ? resolved_.name() : drawn_.name(), framebuffer, x, y);
  gl_->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

}  // namespace sinew::viewer
