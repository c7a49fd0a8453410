// Pictures are looked at: colours, light and shade, backends, repetition. Skipped where no renderer is
// present.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <thread>

#include <sinew/errors.hpp>

#include "tests/support/catch.hpp"
#include "tests/viewer/environment.hpp"
#include "tests/viewer/scenes.hpp"
#include "viewer/framing.hpp"
#include "viewer/renderer.hpp"

namespace sinew::viewer {
namespace {

std::unique_ptr<Renderer> try_renderer(const char* backend = nullptr) {
  try {
    if (!backend) return make_renderer();
    const Environment wish("SINEW_RENDER_BACKEND", backend);
    return make_renderer();
  } catch (const BackendError& error) {
    WARN("skipped: " << error.what());
    return nullptr;
  }
}

struct Color {
  double r = 0, g = 0, b = 0;
  double sum() const { return r + g + b; }
};

/// Mean over a square of pixels about (x, y) in shares of the picture, from its top left corner.
Color look(const Image& image, double x, double y, int half = 2) {
  const int px = int(x * image.width), py = int(y * image.height);
  Color mean;
  int count = 0;
  for (int j = py - half; j <= py + half; ++j)
    for (int i = px - half; i <= px + half; ++i) {
      if (i < 0 || j < 0 || i >= image.width || j >= image.height) continue;
      const std::uint8_t* rgb = &image.rgb[std::size_t((j * image.width + i) * 3)];
      mean.r += rgb[0], mean.g += rgb[1], mean.b += rgb[2];
      ++count;
    }
  return {mean.r / count, mean.g / count, mean.b / count};
}

/// Where a point lies in the picture, in shares from the top left corner.
std::pair<double, double> project(const View& view, double aspect, const Vec3d& p) {
  const Vec3d back = normalized(view.eye - view.target), right = normalized(cross(Vec3d{0, 0, 1}, back));
  const Vec3d up = cross(back, right), d = p - view.eye;
  const double t = std::tan(view.vertical_fov_deg * std::numbers::pi / 360.0), depth = -dot(d, back);
  return {0.5 + 0.5 * dot(d, right) / (t * aspect * depth), 0.5 - 0.5 * dot(d, up) / (t * depth)};
}

RenderFrame red_ball() {
  RenderFrame frame;
  frame.surfaces.push_back(ball_surface({0, 0, 0.5}, 0.5, 32));
  frame.surfaces[0].color = {0.75, 0.05, 0.04};
  frame.obstacles.push_back({HalfSpaceShape{}, Pose{}});
  return frame;
}
/// From the front: +x is right, the key light comes over the left shoulder.
const View kFront{{0, -6, 2.0}, {0, 0, 0.5}, 35.0};

double mean_difference(const Image& a, const Image& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(int(a.rgb[i]) - int(b.rgb[i]));
  return sum / double(a.rgb.size());
}

}  // namespace

TEST_CASE("A red ball on the ground: colour, bright side, shadow, background", "[viewer]") {
  for (const char* backend : {"egl", "osmesa"}) {
    const auto renderer = try_renderer(backend);
    if (!renderer) continue;
    INFO(renderer->description());
    const Image image = renderer->render(red_ball(), kFront, 480, 270);
    REQUIRE(image.width == 480);
    REQUIRE(image.height == 270);
    REQUIRE(image.rgb.size() == 480u * 270u * 3u);
    const double aspect = 480.0 / 270.0;
    const auto at = [&](const Vec3d& p) {
      const auto [x, y] = project(kFront, aspect, p);
      return look(image, x, y);
    };
    const Color center = look(image, 0.5, 0.5);
    CHECK(center.r > 2.0 * center.g);
    CHECK(center.r > 100.0);
    // Up left is lit, down right is in its own shade.
    const Color bright = at({-0.30, -0.25, 0.80}), dark = at({0.36, -0.25, 0.25});
    CHECK(bright.sum() > 1.4 * dark.sum());
    // The light stands at (-0.62, -0.30, 1): the shadow falls to the right and back.
    const Color shaded = at({0.62, 0.20, 0.0}), lit = at({-1.2, -0.3, 0.0});
    CHECK(shaded.sum() < 0.8 * lit.sum());
    CHECK(lit.sum() > 450.0);
    // Top corners are background, equal on both sides, grey; the ground fades into it.
    const Color left = look(image, 0.01, 0.02), right = look(image, 0.99, 0.02);
    CHECK(left.sum() == Approx(right.sum()));
    CHECK(std::abs(left.r - left.b) < 20.0);
    CHECK(left.sum() > 500.0);
  }
}

TEST_CASE("Soft shadows darken step by step", "[viewer]") {
  const auto renderer = try_renderer();
  if (!renderer) return;
  RenderFrame frame = red_ball();
  for (Vec3d& p : frame.surfaces[0].points) p.z += 1.0;
  const Image image = renderer->render(frame, kFront, 480, 270);
  // Along a line on the ground across the shadow's edge, many levels lie between light and shade.
  std::vector<int> levels;
  for (int i = 0; i <= 60; ++i) {
    const auto [x, y] = project(kFront, 480.0 / 270.0, {0.9 + 1.2 * i / 60, 0.45, 0.0});
    levels.push_back(int(look(image, x, y, 0).sum()));
  }
  std::sort(levels.begin(), levels.end());
  const int range = levels.back() - levels.front();
  CHECK(range > 80);
  const auto between = std::count_if(levels.begin(), levels.end(), [&](int v) {
    return v > levels.front() + range / 8 && v < levels.back() - range / 8;
  });
  CHECK(between > 5);
}

TEST_CASE("A small thing high up has one soft shadow, darkest in its middle", "[viewer]") {
  const auto renderer = try_renderer();
  if (!renderer) return;
  const View view{{0.6, -2.2, 1.6}, {0.25, 0.1, 0.4}, 35.0};
  const Vec3d light = key_light_direction(view);
  RenderFrame ground;
  ground.obstacles.push_back({HalfSpaceShape{}, Pose{}});
  const Image plain = renderer->render(ground, view, 480, 270);
  const Vec3d center{0, 0, 1.0}, foot = center - (center.z / light.z) * light;
  RenderFrame ball = ground, rod = ground;
  ball.surfaces.push_back(ball_surface(center, 0.1, 24));
  rod.obstacles.push_back({BoxShape{{0.4, 0.02, 0.02}}, Pose{Mat3d::identity(), center}});
  for (const RenderFrame& frame : {ball, rod}) {
    const bool is_rod = frame.surfaces.empty();
    const Image image = renderer->render(frame, view, 480, 270);
    // Darkness on the ground: the same picture without the caster is brighter by this.
    const auto dark = [&](double x, double y) {
      const auto [u, v] = project(view, 480.0 / 270.0, foot + Vec3d{x, y, 0.0});
      return look(plain, u, v, 0).sum() - look(image, u, v, 0).sum();
    };
    const double middle = dark(0, 0);
    CHECK(middle > (is_rod ? 15.0 : 60.0));
    for (int k = 0; k < 16; ++k) {
      if (is_rod && k % 8 != 4) continue;  // across the rod only
      const double a = k * std::numbers::pi / 8;
      double before = middle;
      for (int i = 1; i <= 24; ++i) {  // from the middle outwards it never gets clearly darker again
        const double here = dark(0.0125 * i * std::cos(a), 0.0125 * i * std::sin(a));
        CHECK(here < before + 0.15 * middle);
        if (i <= 3) CHECK(here > 0.7 * middle);
        before = std::min(before, here);
      }
      CHECK(before < 0.1 * middle);
    }
  }
}

TEST_CASE("Without a half-space there is nothing but background around a body", "[viewer]") {
  const auto renderer = try_renderer();
  if (!renderer) return;
  RenderFrame frame = red_ball();
  frame.obstacles.clear();
  const Image nothing = renderer->render({}, kFront, 240, 135),
              image = renderer->render(frame, kFront, 240, 135);
  const auto [cx, cy] = project(kFront, 240.0 / 135.0, {0, 0, 0.5});
  int changed = 0, outside = 0;
  for (int y = 0; y < 135; ++y)
    for (int x = 0; x < 240; ++x) {
      const std::size_t i = std::size_t((y * 240 + x) * 3);
      if (std::equal(&image.rgb[i], &image.rgb[i] + 3, &nothing.rgb[i])) continue;
      ++changed;
      // The ball's picture has a radius of a quarter of the height.
      if (std::hypot(x + 0.5 - cx * 240, y + 0.5 - cy * 135) > 0.3 * 135) ++outside;
    }
  CHECK(changed > 800);
  CHECK(outside == 0);
}

TEST_CASE("Both backends draw nearly the same picture", "[viewer]") {
  const auto egl = try_renderer("egl"), osmesa = try_renderer("osmesa");
  if (!egl || !osmesa) return;
  CHECK(egl->description().find("EGL") == 0);
  CHECK(osmesa->description().find("OSMesa") == 0);
  const RenderFrame frame = rollers_frame();
  const View view = egl->frame_scene(frame, {}, 1.5);
  const View same = osmesa->frame_scene(frame, {}, 1.5);
  CHECK(view.eye == same.eye);
  CHECK(view.target == same.target);
  // Drawn in turns: each leaves the thread as it found it.
  const Image a = egl->render(frame, view, 240, 160), b = osmesa->render(frame, view, 240, 160);
  CHECK(mean_difference(a, b) < 1.0);
  CHECK(egl->render(frame, view, 240, 160).rgb == a.rgb);
}

TEST_CASE("Same frame, same bytes; sizes may change between pictures", "[viewer]") {
  const auto renderer = try_renderer();
  if (!renderer) return;
  const RenderFrame frame = rollers_frame();
  const View view = renderer->frame_scene(frame, {}, 4.0 / 3.0);
  const Image first = renderer->render(frame, view, 160, 120);
  CHECK(renderer->render(frame, view, 33, 200).rgb.size() == 33u * 200u * 3u);
  renderer->render({}, view, 160, 120);
  CHECK(renderer->render(frame, view, 160, 120).rgb == first.rgb);
  const auto again = make_renderer();
  CHECK(again->render(frame, view, 160, 120).rgb == first.rgb);
}

TEST_CASE("The caption is drawn, and nothing else changes", "[viewer]") {
  const auto renderer = try_renderer();
  if (!renderer) return;
  RenderFrame frame = red_ball();
  const Image plain = renderer->render(frame, kFront, 240, 135);
  frame.caption = "frame 12";
  const Image captioned = renderer->render(frame, kFront, 240, 135);
  int changed = 0, elsewhere = 0;
  for (int y = 0; y < 135; ++y)
    for (int x = 0; x < 240; ++x) {
      const std::size_t i = std::size_t((y * 240 + x) * 3);
      if (plain.rgb[i] == captioned.rgb[i]) continue;
      ++changed;
      if (x > 60 || y < 115) ++elsewhere;
    }
  CHECK(changed > 60);
  CHECK(elsewhere == 0);
}

TEST_CASE("Spinning shows on a roller", "[viewer]") {
  const auto renderer = try_renderer();
  if (!renderer) return;
  RenderFrame frame = rollers_frame();
  const View view = renderer->frame_scene(frame, {}, 1.5);
  const Image before = renderer->render(frame, view, 240, 160);
  frame.obstacles[1].pose.rotation =
      frame.obstacles[1].pose.rotation * rotation_from_vector(Vec3d{0, 0, 0.4});
  CHECK(mean_difference(before, renderer->render(frame, view, 240, 160)) > 0.3);
}

TEST_CASE("Strange frames and views give pictures, strange sizes an error", "[viewer]") {
  const auto renderer = try_renderer();
  if (!renderer) return;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<RenderFrame> frames(4);
  frames[1].surfaces.push_back({{{nan, 0, 0}, {1, 1, 1}, {2, 2, 2}}, {{0, 1, 2}, {1, 1, 2}, {9, -1, 4}}, {}});
  frames[2].obstacles.push_back({SphereShape{nan}, Pose{}});
  frames[2].obstacles.push_back({HalfSpaceShape{}, Pose{Mat3d::identity(), {nan, 0, 0}}});
  frames[3].surfaces.push_back(ball_surface({1e6, -1e6, 1e6}, 0.25, 12));
  for (const RenderFrame& frame : frames) {
    for (const View& view : {renderer->frame_scene(frame, {}, 2.0), View{{nan, 0, 0}, {0, 0, 0}, nan},
                             View{{1, 1, 1}, {1, 1, 1}, 0.0}})
      CHECK(renderer->render(frame, view, 64, 32).rgb.size() == 64u * 32u * 3u);
  }
  // Far from the origin the ball is as round and as warm as near it.
  const View far = renderer->frame_scene(frames[3], {}, 2.0);
  const Color center = look(renderer->render(frames[3], far, 64, 32), 0.5, 0.5, 1);
  CHECK(center.r > 1.1 * center.b);
  for (const int side : {0, -5, 1000000})
    CHECK_THROWS_AS(renderer->render(frames[0], far, side, 10), BackendError);
}

TEST_CASE("Renderers work on several threads, and in a forked child", "[viewer]") {
  const auto renderer = try_renderer("egl");
  if (!renderer) return;
  const RenderFrame frame = rollers_frame();
  const View view = renderer->frame_scene(frame, {}, 1.5);
  const Image here = renderer->render(frame, view, 96, 64);
  Image there;
  std::thread([&] { there = make_renderer()->render(frame, view, 96, 64); }).join();
  CHECK(there.rgb == here.rgb);

  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    int status = 1;
    try {
      const Environment wish("SINEW_RENDER_BACKEND", "egl");
      status = make_renderer()->render(frame, view, 96, 64).rgb == here.rgb ? 0 : 2;
    } catch (const BackendError&) {
      status = 3;
    }
    ::_exit(status);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(renderer->render(frame, view, 96, 64).rgb == here.rgb);
}

}  // namespace sinew::viewer
