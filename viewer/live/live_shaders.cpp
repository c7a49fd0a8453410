// Key light with one depth map, a sky by hemisphere, a faint light from the camera: cheap enough for a
// processor that draws. Software drivers run both sides of an if and leave a loop only at its end, hence the
// loop in key_visibility().
#include "viewer/live/live_shaders.hpp"

namespace sinew::viewer {

const char* const kLitVertexSource = R"(
layout(location = 0) in vec3 a_position;  // [m], about the view's target; obstacles: their own coordinates
layout(location = 1) in vec3 a_normal;
layout(location = 2) in float a_value;
layout(location = 3) in vec3 a_local;
uniform mat4 u_clip;
uniform vec4 u_cut;  // keeps where dot(u_cut, (x, 1)) >= 0
uniform mat3 u_rotation;
uniform vec3 u_translation;
out vec3 v_position;
out vec3 v_normal;
out vec3 v_local;
out float v_value;

void main() {
  v_position = u_rotation * a_position + u_translation;
  v_normal = u_rotation * a_normal;
  v_local = a_local;
  v_value = a_value;
  gl_ClipDistance[0] = dot(u_cut, vec4(v_position, 1.0));
  gl_Position = u_clip * vec4(v_position, 1.0);
}
)";

const char* const kToneSource = R"(
uniform float u_height;  // [pixel] of the picture

vec3 background(float y) {
  return mix(vec3(0.60, 0.615, 0.635), vec3(0.80, 0.825, 0.86), smoothstep(0.0, 1.0, y));
}

// Linear up to 0.7, then a shoulder that never clips: hues stay. Then sRGB, to a step of 255, with two roots
// in place of powers.
vec3 shown(vec3 c) {
  vec3 over = max(c - 0.7, 0.0);
  c = min(c, 0.7) + 0.3 * over / (0.3 + over);
  vec3 root = sqrt(max(c, 0.0));
  return 1.16905 * root + 0.04778 * sqrt(root) - 0.19023 * c - 0.03153;
}
)";

const char* const kLitFragmentSource = R"(
in vec3 v_position;  // [m], about the view's target
in vec3 v_normal;
in vec3 v_local;     // obstacle: [m]; ground: [m] in the plane; cells: distances to their edges in [0, 1]
in float v_value;
uniform vec3 u_eye;              // [m]
uniform vec3 u_color;            // linear RGB
uniform float u_glow;            // 1: highlighted
uniform float u_use_values;      // 1: v_value gives the colour
uniform float u_two_sided;
uniform mat3 u_light;            // position -> [-1, 1]^3 of the depth map, less the shift
uniform vec3 u_light_shift;
uniform vec3 u_light_direction;
uniform float u_texel;           // [m] of the depth map
uniform float u_shadows;         // 1: there is a depth map
uniform vec2 u_grid;             // [m] fine spacing, distance where the ground has faded away
uniform sampler2DShadow u_map;
uniform sampler2D u_depths;      // of the same map
uniform sampler2D u_colors;
uniform mat3 u_ground;           // position -> [-1, 1]^2 of the map of the hidden sky, less the shift
uniform vec3 u_ground_shift;
uniform float u_shaded;          // 1: there is such a map for this ground
uniform sampler2D u_ground_map;
out vec4 o_color;

const vec3 kKey = 1.00 * vec3(1.0, 0.97, 0.92);
const vec3 kSky = 0.44 * vec3(0.92, 0.96, 1.0);
const vec3 kBounce = 0.20 * vec3(1.0, 0.97, 0.93);
const float kFill = 0.09;  // from the camera

// Share of the key light that is seen. Four bare depths around tell whether the border of a shadow is near;
// only there a disc of filtered ones is asked.
float key_visibility(vec3 p) {
  const float kTexel = 1.0 / float(MAP_SIDE);
  vec3 q = 0.5 + 0.5 * (u_light * p - u_light_shift);
  q.z = min(q.z, 1.0);
  vec2 far = abs(q.xy - 0.5);
  vec2 turn = vec2(3.4, 1.2) * kTexel;
  vec4 depth = vec4(texture(u_depths, q.xy + turn).r, texture(u_depths, q.xy - turn).r,
                    texture(u_depths, q.xy + vec2(-turn.y, turn.x)).r,
                    texture(u_depths, q.xy + vec2(turn.y, -turn.x)).r);
  float open = dot(step(vec4(q.z), depth), vec4(0.25));
  bool sure = open == 0.0 || open == 1.0;
  if (max(far.x, far.y) > 0.496 || u_shadows < 0.5) {
    open = 1.0;
    sure = true;
  }
  float seen = 0.0, asked = 0.0;
  vec2 spoke = vec2(1.0, 0.0);
  while (true) {  // places spread evenly over a disc (Vogel 1979)
    seen += texture(u_map, q + vec3(sqrt(asked + 0.5) * 0.9 * kTexel * spoke, 0.0));
    asked += 1.0;
    spoke = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888) * spoke;  // by the golden angle
    if (sure || asked == 16.0) break;
  }
  return sure ? open : seen / 16.0;
}

void main() {
  vec3 to_eye = u_eye - v_position;
  vec3 view = to_eye / max(length(to_eye), 1e-9);
  vec3 n = v_normal / max(length(v_normal), 1e-9);
  vec3 albedo = u_color;
  float inside = 0.0;
#ifndef GROUND
  if (!gl_FrontFacing) {
    n = -n;
    inside = 1.0 - u_two_sided;
  }
#endif
#if defined(SURFACE) || defined(CELLS)
  vec3 mapped = v_value < -0.004 ? vec3(0.3) : texture(u_colors, vec2(v_value * 255.0 / 256.0 + 0.5 / 256.0, 0.5)).rgb;
  albedo = mix(albedo, mapped, u_use_values);
  albedo *= 1.0 - 0.45 * inside;
#endif
#ifdef CELLS
  vec3 width = fwidth(v_local);
  vec3 near = smoothstep(0.3 * width, 1.3 * width, v_local);
  float fine = smoothstep(0.10, 0.45, max(width.x, max(width.y, width.z)));  // too small to tell apart
  albedo *= 1.0 - mix(0.55, 0.12, fine) * (1.0 - min(near.x, min(near.y, near.z)));
#endif
#ifdef OBSTACLE
  albedo *= mix(1.0, 0.80, v_value * stripe_share(v_local, fwidth(v_local)));
#endif
#ifdef GROUND
  vec2 footprint = fwidth(v_local.xy);
  float fine = grid_share(v_local.xy, footprint, u_grid.x, 0.010 * u_grid.x);
  float coarse = grid_share(v_local.xy, footprint, 10.0 * u_grid.x, 0.022 * u_grid.x);
  albedo *= 1.0 - 0.55 * max(0.30 * fine, 0.62 * coarse);
#endif

  // Receivers are lifted along their normal: less self-shadowing than a depth bias alone.
  float facing = dot(n, u_light_direction);
  float slope = sqrt(max(0.0, 1.0 - facing * facing));
  float key = key_visibility(v_position + n * u_texel * (0.8 + 2.2 * slope));
  // The light has a size, so the terminator is soft.
  float lambert = facing > 0.10 ? facing : (facing > -0.10 ? (facing + 0.10) * (facing + 0.10) / 0.40 : 0.0);
  float sky = (0.5 + 0.5 * n.z) * (1.0 - 0.5 * inside);
#ifdef GROUND
  // Not all of it: what hides the sky is lit itself.
  vec2 below = 0.5 + 0.5 * (u_ground * v_position - u_ground_shift).xy;
  sky *= 1.0 - 0.8 * u_shaded * texture(u_ground_map, below).r;
#endif
  vec3 color = albedo * (kKey * (lambert * key) + kSky * sky + kBounce * (0.5 - 0.5 * n.z));
#ifdef GROUND
  vec3 back = background(gl_FragCoord.y / u_height);
  color = mix(color, back, smoothstep(0.15, 1.0, length(v_position) / u_grid.y));
#else
  float front = max(dot(n, view), 0.0);
  color += albedo * (kFill * front);
  vec3 half_way = normalize(view + u_light_direction);
  float shine = max(dot(n, half_way), 0.0);
  shine *= shine, shine *= shine, shine *= shine;
  shine *= shine * shine * shine * shine;  // to the 40th
  float rim = 1.0 - front;
  rim = rim * rim * rim;
  color += (1.0 - inside) * (kKey * (0.11 * shine * key * smoothstep(-0.05, 0.15, facing)) +
                             kSky * ((0.012 + 0.14 * rim * rim) * (0.35 + 0.65 * sky)));
  float bright = 0.30 + 0.9 * dot(color, vec3(0.3, 0.5, 0.2));
  color = mix(color, bright * vec3(1.0, 0.62, 0.10), 0.55 * u_glow) + 0.6 * u_glow * rim * vec3(1.0, 0.7, 0.2);
#endif
  o_color = vec4(shown(color), 1.0);
}
)";

const char* const kFarVertexSource = R"(
void main() {  // one triangle over the whole picture, behind everything
  gl_ClipDistance[0] = 1.0;
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 1.0, 1.0);
}
)";

const char* const kFarFragmentSource = R"(
out vec4 o_color;
void main() { o_color = vec4(shown(background(gl_FragCoord.y / u_height)), 1.0); }
)";

const char* const kEdgeFragmentSource = R"(
uniform vec4 u_edge_color;
out vec4 o_color;
void main() { o_color = u_edge_color; }
)";

const char* const kOverlayVertexSource = R"(
layout(location = 0) in vec4 a_clip;
layout(location = 1) in vec3 a_color;  // as shown
layout(location = 2) in vec4 a_shape;  // [pixel] place in the stroke (2), its radius, width of a white rim
out vec3 v_color;
noperspective out vec4 v_shape;
void main() {
  v_color = a_color;
  v_shape = a_shape;
  gl_ClipDistance[0] = 1.0;
  gl_Position = a_clip;
}
)";

const char* const kOverlayFragmentSource = R"(
in vec3 v_color;
noperspective in vec4 v_shape;
uniform float u_strength;
out vec4 o_color;
void main() {
  float inner = v_shape.z - length(v_shape.xy);  // [pixel] from the border
  float rim = v_shape.w > 0.0 ? 1.0 - clamp(inner - v_shape.w + 0.5, 0.0, 1.0) : 0.0;
  o_color = vec4(mix(v_color, vec3(1.0), rim), u_strength * clamp(inner + 0.5, 0.0, 1.0));
}
)";

}  // namespace sinew::viewer
