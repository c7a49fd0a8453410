// Where the camera stands, and where shadow can begin: numbers, without graphics.
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/catch.hpp"
#include "tests/viewer/scenes.hpp"
#include "viewer/framing.hpp"
#include "viewer/render_geometry.hpp"
#include "viewer/shadow_start.hpp"

namespace sinew::viewer {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool inside_picture(const Vec3d& p, const View& view, double aspect) {
  const CameraAxes axes = camera_axes(view);
  const Vec3d d = p - view.eye;
  const double depth = -dot(d, axes.back), t = std::tan(view.vertical_fov_deg * std::numbers::pi / 360.0);
  return depth > 0.0 && std::abs(dot(d, axes.up)) < t * depth &&
         std::abs(dot(d, axes.right)) < t * aspect * depth;
}

bool all_inside(const std::vector<Vec3d>& points, const View& view, double aspect) {
  for (const Vec3d& p : points)
    if (!inside_picture(p, view, aspect)) return false;
  return !points.empty();
}

/// Height of a ball in the picture over the picture's height, about.
double share_of_ball(const Vec3d& center, double radius, const View& view) {
  return radius / (norm(center - view.eye) * std::tan(view.vertical_fov_deg * std::numbers::pi / 360.0));
}

RenderFrame ball_at(double z, double radius = 0.1) {
  RenderFrame frame;
  frame.surfaces.push_back(ball_surface({0, 0, z}, radius, 12));
  return frame;
}

}  // namespace

TEST_CASE("Framing holds every point and fills the picture", "[viewer]") {
  const RenderFrame frame = rollers_frame();
  for (const double aspect : {16.0 / 9.0, 0.5}) {
    const View view = frame_view(frame, {}, aspect);
    double fill = 0.0;
    const CameraAxes axes = camera_axes(view);
    const double t = std::tan(view.vertical_fov_deg * std::numbers::pi / 360.0);
    std::vector<Vec3d> points = used_points(frame.surfaces[0]);
    for (int k = 0; k < 2; ++k)
      for (const Vec3d& p : hull_points(frame.obstacles[std::size_t(k)])) points.push_back(p);
    for (const Vec3d& p : points) {
      REQUIRE(inside_picture(p, view, aspect));
      const Vec3d d = p - view.eye;
      const double depth = -dot(d, axes.back);
      fill = std::max({fill, std::abs(dot(d, axes.up)) / (t * depth),
                       std::abs(dot(d, axes.right)) / (t * aspect * depth)});
    }
    CHECK(fill > 0.7);
    CHECK(fill < 0.95);
    CHECK(view.eye.z > 0.2);  // above the floor
  }
}

TEST_CASE("Wishes for the camera are kept", "[viewer]") {
  const RenderFrame frame = rollers_frame();
  CameraSpec wishes;
  wishes.vertical_fov_deg = 50.0;
  wishes.direction = Vec3d{0, 2, 0};
  View view = frame_view(frame, wishes, 1.5);
  CHECK(view.vertical_fov_deg == 50.0);
  CHECK(norm(normalized(view.target - view.eye) - Vec3d{0, 1, 0}) < 1e-12);
  wishes.target = Vec3d{0.1, 0.2, 0.3};
  view = frame_view(frame, wishes, 1.5);
  CHECK(view.target == Vec3d{0.1, 0.2, 0.3});
  CHECK(norm(normalized(view.target - view.eye) - Vec3d{0, 1, 0}) < 1e-12);
  for (const Vec3d& p : used_points(frame.surfaces[0])) REQUIRE(inside_picture(p, view, 1.5));
  wishes.eye = Vec3d{4, 5, 6};
  view = frame_view(frame, wishes, 1.5);
  CHECK(view.eye == Vec3d{4, 5, 6});
  CHECK(view.target == Vec3d{0.1, 0.2, 0.3});
}

TEST_CASE("No frame and no wish gives a view that is not finite", "[viewer]") {
  std::vector<RenderFrame> frames(4);
  frames[1].surfaces.push_back({{{kNan, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {7, 8, 9}}, {}});
  frames[2].obstacles.push_back({HalfSpaceShape{}, Pose{}});
  frames[3].surfaces.push_back({{{1e11, 0, 0}, {1e11, 1, 0}, {1e11, 0, 1}}, {{0, 1, 2}}, {}});
  std::vector<CameraSpec> wishes(4);
  wishes[1].direction = Vec3d{0, 0, 0};
  wishes[2].eye = wishes[2].target = Vec3d{1, 1, 1};
  wishes[3].vertical_fov_deg = kNan;
  wishes[3].direction = Vec3d{0, 0, -1};
  wishes[3].target = Vec3d{kNan, 0, 0};
  for (const RenderFrame& frame : frames)
    for (const CameraSpec& wish : wishes)
      for (const double aspect : {1.0, 0.0, kNan}) {
        const View view = frame_view(frame, wish, aspect);
        REQUIRE(is_finite(view.eye));
        REQUIRE(is_finite(view.target));
        REQUIRE(norm(view.eye - view.target) > 0.0);
        REQUIRE(view.vertical_fov_deg >= 1.0);
        const CameraAxes axes = camera_axes(view);
        REQUIRE(norm(axes.right) == Approx(1.0));
        REQUIRE(norm(axes.up) == Approx(1.0));
        REQUIRE(norm(key_light_direction(view)) == Approx(1.0));
        REQUIRE(caster_ball(frame, view, 1.5).radius > 0.0);
      }
}

TEST_CASE("The first view holds the ground that a ball will fall on", "[viewer]") {
  RenderFrame frame = ball_at(1.3);
  frame.obstacles.push_back({HalfSpaceShape{}, Pose{}});
  for (const double aspect : {16.0 / 9.0, 0.6}) {
    const View view = frame_view(frame, {}, aspect);
    CHECK(all_inside(used_points(frame.surfaces[0]), view, aspect));
    CHECK(all_inside(ball_surface({0, 0, 0.1}, 0.1, 12).points, view, aspect));
    CHECK(share_of_ball({0, 0, 1.3}, 0.1, view) > 1.0 / 12);
    CHECK(share_of_ball({0, 0, 1.3}, 0.1, view) < 0.25);
  }
  // Too far down: the ball alone, large.
  RenderFrame high = ball_at(4.0);
  high.obstacles = frame.obstacles;
  CHECK(share_of_ball({0, 0, 4.0}, 0.1, frame_view(high, {}, 1.5)) > 0.6);
}

TEST_CASE("The first view holds a table that a ball will fall on", "[viewer]") {
  RenderFrame frame = ball_at(1.3);
  frame.obstacles.push_back({BoxShape{{0.5, 0.5, 0.05}}, Pose{Mat3d::identity(), {0, 0, 0.35}}});
  const View view = frame_view(frame, {}, 1.5);
  CHECK(all_inside(used_points(frame.surfaces[0]), view, 1.5));
  CHECK(all_inside(hull_points(frame.obstacles[0]), view, 1.5));
  CHECK(share_of_ball({0, 0, 1.3}, 0.1, view) > 1.0 / 12);

  // A hall is not shown as a whole, but where the ball comes down.
  frame.obstacles[0].shape = BoxShape{{50, 50, 0.05}};
  const View wide = frame_view(frame, {}, 1.5);
  CHECK(inside_picture({0, 0, 0.4}, wide, 1.5));
  CHECK(share_of_ball({0, 0, 1.3}, 0.1, wide) > 1.0 / 12);
  // A table beside the ball's way is none of its business.
  frame.obstacles[0] = {BoxShape{{0.5, 0.5, 0.05}}, Pose{Mat3d::identity(), {9, 0, 0.35}}};
  CHECK(share_of_ball({0, 0, 1.3}, 0.1, frame_view(frame, {}, 1.5)) > 0.6);
}

TEST_CASE("Where not all fits, the body and its ground come first", "[viewer]") {
  RenderFrame frame = ball_at(0.6);
  frame.obstacles.push_back({HalfSpaceShape{}, Pose{}});
  for (const double x : {-1.2, 1.2})
    frame.obstacles.push_back({SphereShape{0.39}, Pose{Mat3d::identity(), {x, 0, 0.6}}});
  const View view = frame_view(frame, {}, 0.5);  // a narrow picture
  CHECK(all_inside(used_points(frame.surfaces[0]), view, 0.5));
  CHECK(inside_picture({0, 0, 0}, view, 0.5));
  CHECK(!all_inside(hull_points(frame.obstacles[1]), view, 0.5));
  CHECK(share_of_ball({0, 0, 0.6}, 0.1, view) > 1.0 / 12);
  const View all = frame_view(frame, {}, 2.5);
  CHECK(all_inside(hull_points(frame.obstacles[1]), all, 2.5));
}

TEST_CASE("Depth maps fit the casters and keep their size for small motions", "[viewer]") {
  RenderFrame frame = ball_at(1.0);
  frame.obstacles.push_back({HalfSpaceShape{}, Pose{}});
  const View view{{0.6, -2.2, 1.2}, {0.1, 0, 0.4}, 35.0};
  const CasterBall ball = caster_ball(frame, view, 1.5);
  CHECK(norm(ball.center - Vec3d{-0.1, 0, 0.6}) < 1e-9);
  CHECK(ball.radius > 0.105);
  CHECK(ball.radius < 0.13);
  for (Vec3d& p : frame.surfaces[0].points) p += Vec3d{0.003, 0.001, -0.02};
  CHECK(caster_ball(frame, view, 1.5).radius == ball.radius);
  // What is far out of sight does not count.
  frame.obstacles.push_back({SphereShape{1.0}, Pose{Mat3d::identity(), {500, 0, 0}}});
  CHECK(caster_ball(frame, view, 1.5).radius == ball.radius);
}

TEST_CASE("Shadow begins at the cones of the casters, never later", "[viewer]") {
  std::uint32_t state = 7;
  const auto random = [&] { return (state = state * 1664525u + 1013904223u) / 4294967296.0 * 2.0 - 1.0; };
  TriangleBatch batch;
  const std::array<float, 9> frame{1, 0, 0, 0, 1, 0, 0, 0, 1};
  const std::array<float, 3> shift{0.1f, -0.05f, 0.02f};
  const float spread = 0.11f;
  for (int t = 0; t < 12; ++t) {
    const Vec3d a{random(), random(), random()};
    for (int k = 0; k < 3; ++k) {
      Vertex v{};
      const Vec3d p = 0.6 * a + 0.1 * Vec3d{random(), random(), random()};
      for (int c = 0; c < 3; ++c) v.position[c] = float(p[c]);
      batch.indices.push_back(std::uint32_t(batch.vertices.size()));
      batch.vertices.push_back(v);
    }
  }
  const std::size_t casters = 30;  // the last two triangles only receive
  const std::vector<float> start = shadow_start(batch, casters, frame, shift, spread);
  REQUIRE(start.size() == std::size_t(kShadowStartSide) * kShadowStartSide);
  int open = 0, hidden = 0;
  for (int n = 0; n < 20000; ++n) {
    const double x = random(), y = random(), z = 2.0 * random();
    const auto cell = [](double u) { return std::size_t((u + 1.0) / 2.0 * kShadowStartSide); };
    bool touched = false;
    for (std::size_t i = 0; i < casters; ++i) {
      const float* p = batch.vertices[batch.indices[i]].position;
      const double gap = std::hypot(p[0] - shift[0] - x, p[1] - shift[1] - y);
      touched = touched || gap <= spread * (z - (p[2] - shift[2]));
    }
    const bool sure = z < start[cell(y) * kShadowStartSide + cell(x)];
    CHECK_FALSE((touched && sure));
    open += sure;
    hidden += touched;
  }
  CHECK(hidden > 500);
  CHECK(open > 10000);  // and it is of use
}

}  // namespace sinew::viewer
