// What the light does not reach: the depth map of the key light, and how much of the sky the casters hide
// from the ground below them.
#pragma once

#include <array>

#include "viewer/gl_objects.hpp"
#include "viewer/live/live_scene.hpp"

namespace sinew::viewer {

/// A parallel projection along a direction, about the view's target; see matrices.hpp.
struct Projection {
  Vec3d direction{0, 0, 1};  ///< unit, towards where it looks from
  double radius = 1.0;       ///< [m]
  std::array<float, 9> matrix{};
  std::array<float, 3> shift{};
};

class ShadowPass {
 public:
  static constexpr int kMapSide = 1024;  ///< [texel]

  explicit ShadowPass(const GlFunctions& gl);

  /// Draws both maps, or none of them. @param ground pose of the half-space that is shaded, or null.
  /// @param cut keeps of surfaces where dot(cut, (x, 1)) >= 0, x about the target; the clip distance is on.
  void update(const LiveScene& scene, const Vec3d& target, const Pose* ground,
              const std::array<float, 4>& cut, bool shadows);

  const Projection& light() const { return light_; }
  const Projection& ground() const { return ground_; }
  GLuint light_map() const { return light_map_.name(); }          ///< compares, and filters what it finds
  GLuint depth_sampler() const { return depth_sampler_.name(); }  ///< for the bare depths of that map
  /// Share of the sky that is hidden; lies in the ground's plane, spans [-1, 1]^2 of ground().
  GLuint ground_map() const { return shade_.name(); }

 private:
  void draw_casters(const LiveScene& scene, const Vec3d& target, const Projection& projection,
                    const GlTexture& map, int side, const std::array<float, 4>& cut);

  const GlFunctions& gl_;
  GlProgram depth_program_, shade_program_;
  GlFramebuffer framebuffer_, shade_framebuffer_;
  GlTexture light_map_, height_map_, shade_;
  GlSampler depth_sampler_;
  GlVertexArray no_vertices_;
  Projection light_, ground_;
};

}  // namespace sinew::viewer
