// Fast pictures for a window: one shadow map, smooth normals from cached topology, OpenGL 3.3 core.
#pragma once

#include <memory>
#include <string>

#include "viewer/gl_functions.hpp"
#include "viewer/live/live_frame.hpp"
#include "viewer/renderer.hpp"

namespace sinew::viewer {

/// Belongs to the context that is current when it is made; draw() and the destructor need the same one to be
/// current. Other state of the context is left with depth test, blending, culling and scissor off.
class LiveRenderer {
 public:
  /// @throws BackendError where the driver refuses a shader.
  explicit LiveRenderer(const GlFunctions& gl, int samples = 4);
  ~LiveRenderer();
  LiveRenderer(const LiveRenderer&) = delete;
  LiveRenderer& operator=(const LiveRenderer&) = delete;

  /// Per pixel: 4 is best; with 1 edges are smoothed afterwards, which takes half the time where
  /// is_software().
  void set_samples(int samples);
  bool is_software() const;         ///< the processor draws
  std::string description() const;  ///< e.g. "llvmpipe, OpenGL 4.5"

  /// Fills a rectangle [framebuffer pixel, (x, y): its lower left corner] of a framebuffer (0: the window).
  /// @throws BackendError where the driver cannot make a picture of that size.
  void draw(const LiveFrame& frame, const View& view, int x, int y, int width, int height,
            unsigned framebuffer = 0);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew::viewer
