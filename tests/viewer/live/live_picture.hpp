// Pictures of the live renderer without a window.
#pragma once

#include <memory>

#include <sinew/errors.hpp>

#include "tests/support/catch.hpp"
#include "viewer/gl_context.hpp"
#include "viewer/gl_objects.hpp"
#include "viewer/live/live_renderer.hpp"

namespace sinew::viewer {

class LivePicture {
 public:
  /// Null (with a warning) where no off-screen OpenGL is present.
  static std::unique_ptr<LivePicture> make(int samples = 4) {
    try {
      return std::make_unique<LivePicture>(samples);
    } catch (const BackendError& error) {
      WARN("skipped: " << error.what());
      return nullptr;
    }
  }

  explicit LivePicture(int samples) : context_(make_gl_context()) {
    const CurrentContext current(*context_);
    renderer_ = std::make_unique<LiveRenderer>(context_->gl(), samples);
  }
  ~LivePicture() {
    const CurrentContext current(*context_);
    renderer_.reset();
  }

  Image draw(const LiveFrame& frame, const View& view, int width, int height) {
    return draw(frame, view, width, height, 0, 0, width, height);
  }

  /// Into a rectangle of a black picture; y from its lower border.
  Image draw(const LiveFrame& frame, const View& view, int full_width, int full_height, int x, int y,
             int width, int height) {
    const CurrentContext current(*context_);
    const GlFunctions& gl = context_->gl();
    const GlFramebuffer framebuffer(gl);
    const GlRenderbuffer color(gl);
    gl.BindRenderbuffer(GL_RENDERBUFFER, color.name());
    gl.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, full_width, full_height);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color.name());
    gl.ClearColor(0.0f, 0.0f, 0.0f, 1.0f);
    gl.Clear(GL_COLOR_BUFFER_BIT);
    renderer_->draw(frame, view, x, y, width, height, framebuffer.name());
    gl.PixelStorei(GL_PACK_ALIGNMENT, 1);
    std::vector<std::uint8_t> pixels(std::size_t(full_width) * std::size_t(full_height) * 4);
    gl.ReadPixels(0, 0, full_width, full_height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    error_ = gl.GetError();
    Image image{full_width, full_height, {}};
    for (int row = full_height - 1; row >= 0; --row)  // OpenGL's first row is the lowest
      for (int column = 0; column < full_width; ++column)
        for (std::size_t c = 0; c < 3; ++c)
          image.rgb.push_back(
              pixels[4 * (std::size_t(row) * std::size_t(full_width) + std::size_t(column)) + c]);
    return image;
  }

  LiveRenderer& renderer() { return *renderer_; }
  unsigned error() const { return error_; }  ///< of OpenGL in the last picture

 private:
  std::unique_ptr<GlContext> context_;
  std::unique_ptr<LiveRenderer> renderer_;
  unsigned error_ = 0;
};

}  // namespace sinew::viewer
