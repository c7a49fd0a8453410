// The renderer behind the door: draws a RenderFrame with OpenGL 3.3 core into an image.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "viewer/framing.hpp"
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
  using LightMatrix = std::array<float, 9>;  ///< rows; matrix * position - shift is in [-1, 1]^3
  using LightShift = std::array<float, 3>;

  ShadowMaps make_shadow_maps(int side, int layers);
  void make_target(int width, int height);
  void aim_lights(const View& view, const CasterBall& casters);
  void upload(const TriangleBatch& batch);
  void draw_elements(std::size_t begin, std::size_t end);  ///< of the uploaded indices
  void draw_shadow_maps(const ShadowMaps& maps, const LightMatrix* matrices, const LightShift* shifts,
                        int layers, std::size_t index_end);
  void prepare_picture(const View& view, const CasterBall& casters, double grid);  ///< background, uniforms
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
  GlTexture key_start_;  ///< see shadow_start()
  Target target_;
  LightMatrix key_frame_{};  ///< of the light's middle
  LightShift key_center_{};  ///< its shift
  std::array<float, 3> key_direction_{};
  std::array<std::array<float, 2>, kKeyRings> key_turn_{};  ///< the disc's radius times (cosine, sine)
  std::array<LightMatrix, kKeyLights> key_matrix_{};
  std::array<LightShift, kKeyLights> key_shift_{};
  std::array<std::array<float, 3>, kSkyLights> sky_direction_{};
  std::array<LightMatrix, kSkyLights> sky_matrix_{};
  std::array<LightShift, kSkyLights> sky_shift_{};
};

}  // namespace sinew::viewer
