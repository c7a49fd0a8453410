// GLSL sources of the live view. One vertex and one fragment shader for all that is lit, in variants by a
// #define: SURFACE, OBSTACLE, GROUND or CELLS.
#pragma once

namespace sinew::viewer {

// Each goes behind "#version 330 core" and the #define; fragment shaders of what is lit
// and of the background behind kToneSource too.
extern const char* const kToneSource;
extern const char* const kLitVertexSource;
extern const char* const kLitFragmentSource;
extern const char* const kFarVertexSource;  ///< background
extern const char* const kFarFragmentSource;
extern const char* const kEdgeFragmentSource;   ///< wireframe; the vertex shader is that of SURFACE
extern const char* const kOverlayVertexSource;  ///< lines, arrows, points
extern const char* const kOverlayFragmentSource;

}  // namespace sinew::viewer
