// GLSL of what is drawn on obstacles and on the ground: stands before the fragment shaders of both renderers.
#pragma once

namespace sinew::viewer {

inline constexpr const char* kPatternSource = R"(
// Share of a line of given half width [m] in this pixel; footprint = width of the pixel [m].
float line_share(float x, float spacing, float half_width, float footprint) {
  float d = abs(x - spacing * floor(x / spacing + 0.5));
  float w = max(half_width, 0.5 * footprint);
  float share = 1.0 - smoothstep(w - 0.5 * footprint, w + 0.5 * footprint, d);
  return share * half_width / w * (1.0 - smoothstep(0.25, 0.6, footprint / spacing));
}
float grid_share(vec2 x, vec2 footprint, float spacing, float half_width) {
  return max(line_share(x.x, spacing, half_width, footprint.x), line_share(x.y, spacing, half_width, footprint.y));
}

// Six darker sectors about the local axis, so that spinning shows.
float stripe_share(vec3 x, vec3 footprint) {
  const float kSectors = 6.0;
  float r = length(x.xy);
  float width = kSectors / 6.2831853 * length(footprint.xy) / max(r, 1e-6);  // of the pixel, in periods
  float phase = atan(x.y, x.x) * kSectors / 6.2831853;
  float edge = 0.25 - abs(fract(phase) - 0.5);  // > 0 inside the stripe
  return mix(clamp(0.5 + edge / max(width, 1e-4), 0.0, 1.0), 0.5, smoothstep(0.3, 1.0, width));
}
)";

}  // namespace sinew::viewer
