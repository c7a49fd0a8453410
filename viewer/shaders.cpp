// Light model: a key light of finite size and a sky, both sampled by directions with one small depth map
// each. The sum over hard shadows of many directions is the soft shadow of the area light (Haeberli and
// Akeley 1990) and, for the sky, ambient occlusion with the right falloff; no noise, so that pictures
// compress well.
#include "viewer/shaders.hpp"

namespace sinew::viewer {

const char* const kShadowVertexShader = R"(#version 330 core
in vec3 a_position;
uniform mat3 u_light;
uniform vec3 u_shift;
void main() { gl_Position = vec4(u_light * a_position - u_shift, 1.0); }
)";

const char* const kShadowFragmentShader = R"(#version 330 core
void main() {}
)";

// The sky varies slowly: it is sampled at the vertices, which also smooths its steps.
const char* const kSceneVertexShader = R"(
in vec3 a_position;  // [m], about the camera's target
in vec3 a_normal;
in vec3 a_color;
in vec3 a_local;
in float a_pattern;
uniform mat4 u_clip;
uniform mat3 u_sky_light[SKY];  // position -> [-1, 1]^3 of the depth map, less the shift
uniform vec3 u_sky_shift[SKY];
uniform vec3 u_sky_direction[SKY];
uniform sampler2DArrayShadow u_sky_map;
uniform float u_sky_texel;      // [m]
uniform vec3 u_casters;         // [m] centre of their ball
uniform float u_shadow_radius;  // [m] its radius
out vec3 v_position;
out vec3 v_normal;
out vec3 v_color;
out vec3 v_local;
out float v_sky;
flat out int v_pattern;

// Irradiance of the sky over pi, occluded; directions are uniform over the upper half.
float sky_irradiance(vec3 p, vec3 n) {
  float open = 0.5 + 0.5 * n.z;
  float leave = smoothstep(1.8, 2.9, length(p - u_casters) / u_shadow_radius);
  if (leave >= 1.0) return open;
  float sum = 0.0;
  for (int i = 0; i < SKY; ++i) {
    float c = dot(n, u_sky_direction[i]);
    if (c > 0.0) {
      vec3 q = 0.5 + 0.5 * (u_sky_light[i] * p - u_sky_shift[i]);
      sum += c * texture(u_sky_map, vec4(q.xy, float(i), min(q.z, 1.0)));
    }
  }
  return mix(2.0 * sum / float(SKY), open, leave);
}

void main() {
  v_position = a_position;
  v_normal = a_normal;
  v_color = a_color;
  v_local = a_local;
  v_sky = sky_irradiance(a_position + a_normal * u_sky_texel * 1.6, a_normal);
  v_pattern = int(a_pattern + 0.5);
  gl_Position = u_clip * vec4(a_position, 1.0);
}
)";

const char* const kCommonFragmentSource = R"(
uniform float u_height;  // [pixel] of the picture

vec3 background(float y) {
  return mix(vec3(0.60, 0.615, 0.635), vec3(0.80, 0.825, 0.86), smoothstep(0.0, 1.0, y));
}

// Linear up to 0.7, then a shoulder that never clips: hues stay.
vec3 tone(vec3 c) {
  vec3 over = max(c - 0.7, 0.0);
  return min(c, 0.7) + 0.3 * (1.0 - exp(-over / 0.3));
}
vec3 srgb(vec3 c) {
  return mix(12.92 * c, 1.055 * pow(max(c, 1e-6), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
)";

const char* const kSceneFragmentShader = R"(
in vec3 v_position;  // [m], about the camera's target
in vec3 v_normal;
in vec3 v_color;     // linear RGB
in vec3 v_local;     // [m], stripes and grids
in float v_sky;      // irradiance of the sky over pi
flat in int v_pattern;
uniform vec3 u_eye;              // [m]
uniform mat3 u_key_light;        // position -> [-1, 1]^3 of the depth map of the light's middle, less the shift
uniform vec3 u_key_shift;
uniform vec2 u_key_turn[RINGS];  // of the rings on the light's disc: its radius times (cosine, sine)
uniform int u_key_rings;
uniform vec3 u_key_direction;    // middle of the key light
uniform sampler2DArrayShadow u_key_map;
uniform sampler2DArray u_key_start;  // depth from which the light's disc may be hidden, one layer
uniform float u_texel;           // [m] of the key light's maps
uniform float u_key_spread;      // radius of the key light's disc at distance 1
uniform vec2 u_grid;             // [m] fine spacing, distance where the ground has faded away
out vec4 o_color;

const vec3 kKey = 1.02 * vec3(1.0, 0.97, 0.92);
const vec3 kSky = 0.50 * vec3(0.92, 0.96, 1.0);
const vec3 kBounce = 0.20 * vec3(1.0, 0.97, 0.93);

// Share of the key light's disc that is seen. A caster may be smaller than the disc, so no few of its directions
// stand for the rest: all are asked, except where the cone towards the disc is known to be empty. All directions
// share one depth: their maps are sheared, not turned. Software drivers leave a loop only at its end, hence one
// turn per ring.
const int kSpokeRank[SPOKES] = int[](0, 4, 2, 6, 1, 5, 3, 7);  // of the radius
float key_visibility(vec3 p) {
  vec3 q = u_key_light * p - u_key_shift;
  float depth = clamp(0.5 + 0.5 * q.z, 0.0, 1.0);
  bool open = q.z < texture(u_key_start, vec3(clamp(0.5 + 0.5 * q.xy, 0.0, 1.0), 0.0)).r;
  vec2 reach = abs(q.xy) - u_key_spread * abs(q.z);
  open = open || max(reach.x, reach.y) >= 1.0;  // beside the maps
  q = 0.5 * q;
  vec2 middle = q.xy + 0.5;
  float seen = 0.0, layer = 0.0;
  int ring = 0;
  while (true) {
    vec2 turn = u_key_turn[ring];
    for (int i = 0; i < SPOKES; ++i) {
      const float kStep = 6.28318531 / float(SPOKES);
      vec2 spoke = vec2(cos(kStep * float(i)), sin(kStep * float(i)));
      spoke *= sqrt((layer + float(kSpokeRank[i]) + 0.5) / float(RINGS * SPOKES));
      vec2 shear = vec2(turn.x * spoke.x - turn.y * spoke.y, turn.y * spoke.x + turn.x * spoke.y);
      seen += texture(u_key_map, vec4(middle + q.z * shear, layer + float(i), depth));
    }
    layer += float(SPOKES);
    if (++ring == u_key_rings || open) break;
  }
  return open ? 1.0 : seen / float(RINGS * SPOKES);
}

void main() {
  vec3 footprint = fwidth(v_local);
  vec3 to_eye = u_eye - v_position;
  vec3 view = to_eye / max(length(to_eye), 1e-9);
  vec3 n = v_normal / max(length(v_normal), 1e-9);
  if (!gl_FrontFacing) n = -n;
  vec3 albedo = v_color;
  bool plane = v_pattern == 2;
  float grid = 0.0;
  if (v_pattern == 1) albedo *= mix(1.0, 0.80, stripe_share(v_local, footprint));
  if (plane) {
    float fine = grid_share(v_local.xy, footprint.xy, u_grid.x, 0.010 * u_grid.x);
    float coarse = grid_share(v_local.xy, footprint.xy, 10.0 * u_grid.x, 0.022 * u_grid.x);
    grid = max(0.30 * fine, 0.62 * coarse);
    albedo *= 1.0 - 0.55 * grid;
  }

  // Receivers are lifted along their normal: less self-shadowing than a depth bias alone.
  float slope = sqrt(max(0.0, 1.0 - pow(dot(n, u_key_direction), 2.0)));
  float facing = dot(n, u_key_direction);
  float key = facing > -0.12 ? key_visibility(v_position + n * u_texel * (0.6 + 1.6 * slope)) : 0.0;
  float sky = gl_FrontFacing ? v_sky : 0.6 * (0.5 + 0.5 * n.z);  // known at the front only

  // The light has a size, so the terminator is soft as well.
  float lambert = facing > 0.10 ? facing : (facing > -0.10 ? (facing + 0.10) * (facing + 0.10) / 0.40 : 0.0);
  vec3 bounce = kBounce * (0.5 - 0.5 * n.z);
  vec3 light = kKey * (lambert * key) + kSky * sky + bounce;
  vec3 color = albedo * light;

  if (!plane) {
    // Dielectric with a soft sheen: Blinn-Phong for the key light, Schlick's term for the sky.
    vec3 half_way = normalize(view + u_key_direction);
    float fresnel = pow(1.0 - clamp(dot(n, view), 0.0, 1.0), 5.0);
    float shine = pow(max(dot(n, half_way), 0.0), 42.0);
    color += kKey * (0.11 * shine * key * smoothstep(-0.05, 0.15, facing));
    color += kSky * ((0.012 + 0.16 * fresnel) * (0.35 + 0.65 * clamp(sky, 0.0, 1.0)));
  }

  vec3 back = background(gl_FragCoord.y / u_height);
  if (plane) {
    float far = smoothstep(0.15, 1.0, length(v_position) / u_grid.y);
    color = mix(color, back, far);
  }
  o_color = vec4(srgb(tone(max(color, 0.0))), 1.0);
}
)";

const char* const kBackgroundVertexShader = R"(#version 330 core
void main() {  // one triangle over the whole picture
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";

const char* const kBackgroundFragmentShader = R"(
out vec4 o_color;
void main() { o_color = vec4(srgb(tone(background(gl_FragCoord.y / u_height))), 1.0); }
)";

}  // namespace sinew::viewer
