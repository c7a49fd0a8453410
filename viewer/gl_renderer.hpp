// The renderer behind the door: draws a RenderFrame with OpenGL 3.3 core into an image.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "viewer/gl_context.hpp"
#include "viewer/gl_objects.hpp"
#include "viewer/render_geometry.hpp"
#include "viewer/renderer.hpp"
#include "viewer/shaders.hpp"

namespace sinew::viewer {

class GlRenderer final : public Renderer {
 public:
  /// @throws BackendError.
  explicit GlRenderer(std::unique_ptr<GlContext> context);
  ~GlRenderer() override;

  std::string description() const override { return description_; }
  View frame_scene(const RenderFrame& frame, const CameraSpec& wishes, double aspect) const override;
  Image render(const RenderFrame& frame, const View& view, int width, int height) override;

 private:
  /// Depth maps of many directions in one texture, one layer each.
  struct ShadowMaps {
    GlTexture texture;
    int side = 0;  ///< [texel]
  };
  /// Where a picture is drawn: samples > 1 is resolved by the driver, else scale x scale pixels by us.
  struct Target {
    GlFramebuffer drawn, resolved;
    GlRenderbuffer color, depth, resolved_color;
    int width = 0, height = 0;  ///< [pixel], with the scale
  };
  /// Directions and depth-map matrices (rows) of one light, about the camera's target.
  template <int N>
  struct Directions {
    std::array<std::array<float, 3>, N> direction;
    std::array<std::array<float, 9>, N> matrix;
  };

  ShadowMaps make_shadow_maps(int side, int layers);
  void make_target(int width, int height);
  void upload(const TriangleBatch& casters, const TriangleBatch& planes);
  void draw_shadow_maps(const ShadowMaps& maps, const float* matrices, int layers, GLsizei index_count);
  void draw_picture(const View& view, double shadow_radius, double grid, GLsizei index_count);
  Image read_picture(int width, int height);

  std::unique_ptr<GlContext> context_;
  const GlFunctions& gl_;
  std::string description_;
  int samples_ = 1, scale_ = 1, largest_side_ = 0;
  GlProgram shadow_program_, scene_program_, background_program_;
  GlVertexArray vertex_array_;
  GlBuffer vertices_, indices_;
  GlFramebuffer shadow_framebuffer_;
  ShadowMaps key_maps_, sky_maps_;
  Target target_;
  Directions<kKeyLights> key_;
  Directions<kSkyLights> sky_;
  std::array<float, 3> key_direction_{};
};

}  // namespace sinew::viewer
