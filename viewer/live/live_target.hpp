// Where a picture is drawn before it is copied to its place: with its own samples and depth, whatever the
// window has. With one sample, edges are smoothed on the way.
#pragma once

#include "viewer/gl_objects.hpp"

namespace sinew::viewer {

class LiveTarget {
 public:
  LiveTarget() = default;
  LiveTarget(const GlFunctions& gl, int samples);

  void set_samples(int samples);  ///< per pixel; as many as the driver has, at most
  /// Binds it, made anew where the size has changed. @throws BackendError where the driver cannot.
  void begin(int width, int height);
  /// Copies the picture into a framebuffer, (x, y) its lower left corner, and leaves that one bound.
  void copy_to(GLuint framebuffer, int x, int y) const;

  int width() const { return width_; }
  int height() const { return height_; }

 private:
  const GlFunctions* gl_ = nullptr;
  int samples_ = 1, most_samples_ = 1, largest_side_ = 0;
  GlFramebuffer drawn_, resolved_;
  GlRenderbuffer samples_color_, depth_;
  GlTexture color_;  ///< one sample
  GlProgram smoothing_;
  GlVertexArray no_vertices_;
  int width_ = 0, height_ = 0;  ///< [pixel]
};

}  // namespace sinew::viewer
