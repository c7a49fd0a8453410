// Numbers of the camera and of the map between pixels and space.
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/catch.hpp"
#include "viewer/live/camera.hpp"
#include "viewer/live/screen.hpp"

namespace sinew::viewer {
namespace {

constexpr double kPi = std::numbers::pi;
const View kFront{{0, -4, 1}, {0, 0, 1}, 40.0};

double distance(const Vec3d& a, const Vec3d& b) {
  return norm(a - b);
}

}  // namespace

TEST_CASE("A ray through a pixel meets what is projected there", "[viewer]") {
  const View view{{1.0, -3.0, 2.0}, {0.2, 0.1, 0.4}, 35.0};
  const ScreenMap map(view, 1280, 800);
  for (const Vec3d& point : {Vec3d{0.2, 0.1, 0.4}, Vec3d{-0.4, 0.7, 0.0}, Vec3d{0.9, -0.8, 1.1}}) {
    const auto pixel = map.project(point);
    REQUIRE(pixel);
    const Ray ray = map.ray((*pixel)[0], (*pixel)[1]);
    CHECK(std::abs(norm(ray.direction) - 1.0) < 1e-12);
    CHECK(distance(ray.at(distance(point, view.eye)), point) < 1e-12);
    CHECK(distance(map.on_camera_plane((*pixel)[0], (*pixel)[1], point), point) < 1e-12);
  }
  // The target is in the middle; a point behind the eye is nowhere.
  const auto middle = map.project(view.target);
  REQUIRE(middle);
  CHECK(std::abs((*middle)[0] - 640.0) < 1e-9);
  CHECK(std::abs((*middle)[1] - 400.0) < 1e-9);
  CHECK_FALSE(map.project(view.eye + (view.eye - view.target)));
}

TEST_CASE("Pixels run to the right and down, and have the size of the plane they are in", "[viewer]") {
  const ScreenMap map(kFront, 800, 600);
  const auto right = map.project({0.5, 0, 1}), up = map.project({0, 0, 1.5});
  REQUIRE((right && up));
  const double pixel = 2.0 * 4.0 * std::tan(20.0 * kPi / 180.0) / 600.0;
  CHECK(std::abs((*right)[0] - (400.0 + 0.5 / pixel)) < 1e-9);
  CHECK(std::abs((*up)[1] - (300.0 - 0.5 / pixel)) < 1e-9);
  CHECK(std::abs(map.meters_per_pixel({3, 0, 0}) - pixel) < 1e-12);
  CHECK(std::abs(map.meters_per_pixel({0, -2, 0}) - 0.5 * pixel) < 1e-12);
  CHECK(std::abs(map.depth({3, -1, 0}) - 3.0) < 1e-12);

  // Dragging: by as many pixels as the cursor, in the plane parallel to the picture.
  const Vec3d held{0.2, -1.0, 0.7};
  const auto at = map.project(held);
  REQUIRE(at);
  const Vec3d moved = map.on_camera_plane((*at)[0] + 30, (*at)[1] - 20, held);
  const double size = map.meters_per_pixel(held);
  CHECK(distance(moved, held + Vec3d{30 * size, 0, 20 * size}) < 1e-12);
}

TEST_CASE("Orbit keeps target and distance, half a turn over the picture's height", "[viewer]") {
  OrbitCamera camera(kFront);
  CHECK(distance(camera.view().eye, kFront.eye) < 1e-12);
  camera.orbit(-300, 0, 600);  // a quarter turn: the scene goes left, the eye right
  CHECK(distance(camera.view().eye, {4, 0, 1}) < 1e-9);
  camera.orbit(0, 100, 600);  // cursor down: seen from higher up
  CHECK(distance(camera.view().eye, {4 * std::cos(kPi / 6), 0, 1 + 4 * std::sin(kPi / 6)}) < 1e-9);
  camera.orbit(0, 1e5, 600);
  CHECK(camera.view().eye.z < 5.0);  // never straight down
  CHECK(camera.view().eye.z > 4.9999);
  CHECK(distance(camera.view().target, kFront.target) < 1e-12);
}

TEST_CASE("Pan and zoom hold what is under the cursor", "[viewer]") {
  OrbitCamera camera(View{{2, -3, 2}, {0.1, 0.2, 0.3}, 35.0});
  const double width = 1000, height = 700;
  const Vec3d held = ScreenMap(camera.view(), width, height).on_camera_plane(800, 150, camera.view().target);
  camera.pan(-60, 45, height);
  auto pixel = ScreenMap(camera.view(), width, height).project(held);
  REQUIRE(pixel);
  CHECK(std::abs((*pixel)[0] - 740) < 1e-9);
  CHECK(std::abs((*pixel)[1] - 195) < 1e-9);

  const double before = norm(camera.view().eye - camera.view().target);
  camera.zoom(3, 740, 195, width, height);
  pixel = ScreenMap(camera.view(), width, height).project(held);
  REQUIRE(pixel);
  CHECK(std::abs((*pixel)[0] - 740) < 1e-9);
  CHECK(std::abs((*pixel)[1] - 195) < 1e-9);
  CHECK(std::abs(norm(camera.view().eye - camera.view().target) - before * std::pow(0.88, 3)) < 1e-9);
  camera.zoom(-3, 740, 195, width, height);
  CHECK(std::abs(norm(camera.view().eye - camera.view().target) - before) < 1e-9);
}

TEST_CASE("A framed box is inside of the picture and fills it", "[viewer]") {
  const Vec3d low{-0.5, 1.0, 0.0}, high{0.7, 1.4, 2.0};
  for (const double aspect : {0.6, 1.6}) {
    OrbitCamera camera;
    camera.frame(low, high, aspect);
    camera.finish();
    const ScreenMap map(camera.view(), 1000 * aspect, 1000);
    double reach = 0.0;  // of the corners, in shares of half the picture
    for (int k = 0; k < 8; ++k) {
      const auto at = map.project({k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z});
      REQUIRE(at);
      reach = std::max({reach, std::abs((*at)[0] / (500 * aspect) - 1.0), std::abs((*at)[1] / 500 - 1.0)});
    }
    CHECK(reach < 0.82);
    CHECK(reach > 0.75);
  }
  OrbitCamera camera(kFront);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  camera.frame({nan, 0, 0}, {1, 1, 1}, 1.0);
  camera.frame({1, 1, 1}, {0, 0, 0}, 1.0);
  camera.finish();
  CHECK(distance(camera.view().eye, kFront.eye) < 1e-12);
}

TEST_CASE("Standard views are travelled to and reached", "[viewer]") {
  OrbitCamera camera(kFront);
  camera.look_from(StandardView::right);
  CHECK(distance(camera.view().eye, kFront.eye) < 1e-12);  // not yet
  double travelled = 0.0;
  while (camera.advance(1.0 / 60)) {
    travelled += 1.0 / 60;
    CHECK(std::abs(norm(camera.view().eye - camera.view().target) - 4.0) < 1e-9);
    REQUIRE(travelled < 2.0);
  }
  CHECK(travelled > 0.1);
  CHECK(distance(camera.view().eye, {4, 0, 1}) < 1e-9);
  CHECK_FALSE(camera.advance(1.0));

  camera.look_from(StandardView::top);
  camera.finish();
  const CameraAxes axes = camera_axes(camera.view());
  CHECK(distance(axes.right, {1, 0, 0}) < 1e-9);
  CHECK(axes.back.z > 0.99999);
  camera.look_from(StandardView::front);
  camera.finish();
  CHECK(distance(camera.view().eye, kFront.eye) < 1e-9);

  // A hand that takes over ends the way.
  camera.look_from(StandardView::left);
  camera.advance(0.02);
  camera.orbit(0, 0, 600);
  CHECK(distance(camera.view().eye, {-4, 0, 1}) < 1e-9);
  CHECK_FALSE(camera.advance(0.1));
}

TEST_CASE("The field of view changes the perspective, not the size of the target", "[viewer]") {
  OrbitCamera camera(kFront);
  const double before = ScreenMap(camera.view(), 800, 600).meters_per_pixel({0, 0, 1});
  camera.set_fov(70.0);
  CHECK(camera.view().vertical_fov_deg == 70.0);
  CHECK(std::abs(ScreenMap(camera.view(), 800, 600).meters_per_pixel({0, 0, 1}) - before) < 1e-12);
  camera.set_fov(500.0);
  CHECK(camera.view().vertical_fov_deg == 90.0);
}

}  // namespace sinew::viewer
