// GLSL sources of the renderer.
#pragma once

namespace sinew::viewer {

inline constexpr int kKeyRings = 6, kKeySpokes = 8;  ///< directions on the disc of the key light
inline constexpr int kKeyLights = kKeyRings * kKeySpokes;
inline constexpr int kSkyLights = 40;  ///< directions of the sky's dome

extern const char* const kShadowVertexShader;
extern const char* const kShadowFragmentShader;
extern const char* const
    kCommonFragmentSource;  ///< goes between "#version", the counts of lights and a fragment shader
extern const char* const kSceneVertexShader;
extern const char* const kSceneFragmentShader;
extern const char* const kBackgroundVertexShader;
extern const char* const kBackgroundFragmentShader;

}  // namespace sinew::viewer
