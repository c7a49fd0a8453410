// Pictures of the live renderer are looked at: colours at known pixels, depth, shadow, cut, strokes.
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/viewer/live/live_picture.hpp"
#include "tests/viewer/scenes.hpp"
#include "viewer/live/color_map.hpp"
#include "viewer/live/screen.hpp"

namespace sinew::viewer {
namespace {

constexpr int kWidth = 320, kHeight = 200;
const View kFront{{0, -6, 2.0}, {0, 0, 0.5}, 35.0};

/// Colour of the pixel at a place [pixel from the upper left].
Vec3d look(const Image& image, double x, double y) {
  const auto column = std::size_t(x), row = std::size_t(y);
  REQUIRE((x >= 0 && y >= 0 && column < std::size_t(image.width) && row < std::size_t(image.height)));
  const std::uint8_t* rgb = &image.rgb[3 * (row * std::size_t(image.width) + column)];
  return {double(rgb[0]), double(rgb[1]), double(rgb[2])};
}

/// Colour where a point of space is.
Vec3d look(const Image& image, const View& view, const Vec3d& point) {
  const auto at = ScreenMap(view, image.width, image.height).project(point);
  REQUIRE(at);
  return look(image, (*at)[0], (*at)[1]);
}

double sum(const Vec3d& c) {
  return c.x + c.y + c.z;
}

/// Pixels that differ by more than a few steps.
int changed(const Image& a, const Image& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.rgb.size(); i += 3)
    if (std::abs(a.rgb[i] - b.rgb[i]) + std::abs(a.rgb[i + 1] - b.rgb[i + 1]) +
            std::abs(a.rgb[i + 2] - b.rgb[i + 2]) >
        12)
      ++count;
  return count;
}

const ObstacleShape kGround = HalfSpaceShape{};

struct RedBall {
  RenderSurface ball = ball_surface({0, 0, 0.5}, 0.5, 32);
  LiveFrame frame() const {
    LiveFrame f;
    f.surfaces.push_back({&ball.points, &ball.triangles, {0.75, 0.05, 0.04}});
    f.obstacles.push_back({&kGround, Pose{}});
    return f;
  }
};

}  // namespace

TEST_CASE("Live: a red ball on the ground has colour, light, shade and shadow", "[viewer]") {
  const auto picture = LivePicture::make();
  if (!picture) return;
  const RedBall scene;
  LiveFrame frame = scene.frame();
  const Image image = picture->draw(frame, kFront, kWidth, kHeight);
  CHECK(picture->error() == 0);
  const Vec3d middle = look(image, kFront, {0, -0.45, 0.7});
  CHECK(middle.x > 2.5 * middle.y);
  CHECK(sum(look(image, kFront, {-0.2, -0.3, 0.85})) > sum(look(image, kFront, {0.25, -0.33, 0.2})) + 60);

  // From the other side the shadow falls to the other side.
  frame.light = Vec3d{0.41, 0.55, 1.0};
  const Vec3d opposite{-0.45, -0.45, 0.0};
  CHECK(sum(look(picture->draw(frame, kFront, kWidth, kHeight), kFront, opposite)) <
        sum(look(image, kFront, opposite)) - 60);
  frame.light.reset();

  // The shadow falls away from the light, and is gone when shadows are off.
  const Vec3d shadow{0.45, 0.45, 0.0};
  const Vec3d aside{-1.2, 0.1, 0.0};
  const double dark = sum(look(image, kFront, shadow));
  frame.shadows = false;
  const Image without = picture->draw(frame, kFront, kWidth, kHeight);
  CHECK(dark < sum(look(without, kFront, shadow)) - 60);
  CHECK(std::abs(sum(look(image, kFront, aside)) - sum(look(without, kFront, aside))) < 4);
}

TEST_CASE("Live: the same frame gives the same picture, into any rectangle", "[viewer]") {
  const int samples = GENERATE(1, 4);
  const auto picture = LivePicture::make(samples);
  if (!picture) return;
  const RedBall scene;
  const Image whole = picture->draw(scene.frame(), kFront, kWidth, kHeight);
  CHECK(whole.rgb == picture->draw(scene.frame(), kFront, kWidth, kHeight).rgb);
  const Image part = picture->draw(scene.frame(), kFront, kWidth + 50, kHeight + 40, 30, 10, kWidth, kHeight);
  for (const int y : {0, 77, kHeight - 1})
    for (const int x : {0, 111, kWidth - 1})
      CHECK(look(part, x + 30, y + 30) == look(whole, x, y));  // 30 rows above it
  CHECK(look(part, 29, 100) == Vec3d{});
  CHECK(look(part, 100, kHeight + 30) == Vec3d{});
}

TEST_CASE("Live: what is nearer hides what is behind, surface or obstacle", "[viewer]") {
  const auto picture = LivePicture::make();
  if (!picture) return;
  const RedBall scene;
  const ObstacleShape box = BoxShape{{0.2, 0.2, 0.2}};
  LiveFrame frame = scene.frame();
  frame.obstacles.push_back({&box, {Mat3d::identity(), {0, 1.5, 0.5}}, {0.05, 0.1, 0.8}});
  CHECK(look(picture->draw(frame, kFront, kWidth, kHeight), kFront, {0, 0, 0.5}).x > 100);
  frame.obstacles[1].pose.translation.y = -1.5;
  const Image image = picture->draw(frame, kFront, kWidth, kHeight);
  const Vec3d front = look(image, kFront, {0, -1.7, 0.5});
  CHECK(front.z > 2.0 * front.x);
  frame.obstacles[1].highlighted = true;
  const Vec3d lit = look(picture->draw(frame, kFront, kWidth, kHeight), kFront, {0, -1.7, 0.5});
  CHECK(lit.x > front.x + 20);
  frame.obstacles[1].highlighted = false;
  frame.surfaces[0].visible = false;
  CHECK(changed(image, picture->draw(frame, kFront, kWidth, kHeight)) > 500);
}

TEST_CASE("Live: a surface that moves is drawn where it is, its box edges stay sharp", "[viewer]") {
  const auto picture = LivePicture::make();
  if (!picture) return;
  RenderSurface cube = cube_surface({0, 0, 0.5}, 0.5);
  LiveFrame frame;
  frame.surfaces.push_back({&cube.points, &cube.triangles, {0.5, 0.5, 0.5}});
  const View view{{-3, -5, 3}, {0, 0, 0.5}, 35.0};
  const Image image = picture->draw(frame, view, kWidth, kHeight);
  // One brightness a face: flat up to the edge.
  const Vec3d top = look(image, view, {0, 0, 1}), near_edge = look(image, view, {-0.45, -0.45, 1});
  CHECK(norm(top - near_edge) < 12);
  CHECK(sum(top) > sum(look(image, view, {0, -0.5, 0.5})) + 40);
  for (Vec3d& p : cube.points) p.x += 1.0;
  const Image moved = picture->draw(frame, view, kWidth, kHeight);
  CHECK(norm(look(moved, view, {1, 0, 1}) - top) < 16);
  frame.surfaces.clear();
  const Image empty = picture->draw(frame, view, kWidth, kHeight);
  CHECK(look(moved, view, {-0.4, 0, 1}) == look(empty, view, {-0.4, 0, 1}));
}

TEST_CASE("Live: values are shown by the colour map", "[viewer]") {
  const auto picture = LivePicture::make();
  if (!picture) return;
  RedBall scene;
  std::vector<double> values;
  for (const Vec3d& p : scene.ball.points) values.push_back(100.0 + 50.0 * p.x);
  LiveFrame frame = scene.frame();
  frame.shadows = false;
  frame.surfaces[0].values = &values;
  frame.value_min = 75.0, frame.value_max = 125.0;
  const Image image = picture->draw(frame, kFront, kWidth, kHeight);
  for (const double x : {-0.3, 0.0, 0.3}) {
    const Vec3d seen = look(image, kFront, {x, -std::sqrt(0.25 - x * x), 0.5});
    const Vec3d wanted = display_color(color_of(x + 0.5));
    CHECK(dot(normalized(seen), normalized(wanted)) > 0.97);  // the hue; light and shade come on top
  }
  values[5] = NAN;  // grey, no more
  picture->draw(frame, kFront, kWidth, kHeight);
  CHECK(picture->error() == 0);
}

TEST_CASE("Live: a plane cuts surfaces open and shows the tetrahedra", "[viewer]") {
  const auto picture = LivePicture::make();
  if (!picture) return;
  const RedBall scene;
  LiveFrame frame;
  frame.surfaces = scene.frame().surfaces;
  const Image whole = picture->draw(frame, kFront, kWidth, kHeight);
  frame.cut = CutPlane{{0, 0, 0.5}, {2, 0, 0}};
  const Image half = picture->draw(frame, kFront, kWidth, kHeight);
  CHECK(norm(look(half, kFront, {-0.25, -0.4, 0.5}) - look(whole, kFront, {-0.25, -0.4, 0.5})) < 16);
  CHECK(norm(look(half, kFront, {0.4, -0.2, 0.5}) - look(whole, kFront, {0.4, -0.2, 0.5})) > 60);

  // One tetrahedron, cut across: green in the plane; seen from the side that is cut away.
  const std::vector<Vec3d> nodes{{-0.5, -0.5, 0}, {-0.5, 0.5, 0}, {-0.5, 0, 1}, {1, 0, 0.5}};
  const std::vector<Tet> tets{{0, 1, 2, 3}};
  const View side{{5, 0, 0.5}, {0, 0, 0.5}, 35.0};
  frame.surfaces.clear();
  LiveCells cells{&nodes, &tets, {0.05, 0.6, 0.05}};
  frame.cells.push_back(cells);
  const Vec3d cut = look(picture->draw(frame, side, kWidth, kHeight), side, {0, 0, 0.45});
  CHECK(cut.y > 1.5 * cut.x);
  // Whole: drawn as its centre (x = -1/8) is left, with its tip in front of the plane; not drawn otherwise.
  frame.cells[0].whole = true;
  const Image crinkled = picture->draw(frame, side, kWidth, kHeight);
  CHECK(look(crinkled, side, {0.3, 0, 0.42}).y > 1.5 * look(crinkled, side, {0.3, 0, 0.42}).x);
  frame.cut->point.x = -0.2;
  const Image gone = picture->draw(frame, side, kWidth, kHeight);
  frame.cells.clear();
  CHECK(changed(gone, picture->draw(frame, side, kWidth, kHeight)) == 0);
}

TEST_CASE("Live: lines, arrows and points have their width, and shine through", "[viewer]") {
  const auto picture = LivePicture::make();
  if (!picture) return;
  const RedBall scene;
  LiveFrame frame;
  const View view{{0, -6, 0.5}, {0, 0, 0.5}, 35.0};
  const Image empty = picture->draw(frame, view, kWidth, kHeight);
  const auto count = [&] { return changed(picture->draw(frame, view, kWidth, kHeight), empty); };
  const double pixel = ScreenMap(view, kWidth, kHeight).meters_per_pixel({0, 0, 0.5});

  frame.lines.push_back({{-50 * pixel, 0, 0.5}, {50 * pixel, 0, 0.5}, {0, 0, 0}, 4.0});
  CHECK(std::abs(count() - 100 * 4) < 110);
  CHECK(sum(look(picture->draw(frame, view, kWidth, kHeight), view, {0, 0, 0.5})) < 20);
  frame.lines[0].b = {0, -20, 0.5};  // past the eye
  CHECK(count() > 50);
  frame.lines[0].b.x = NAN;
  CHECK(count() == 0);
  frame.lines.clear();

  frame.arrows.push_back({{0, 0, 0.5}, {0, 0, 60 * pixel}, {0.8, 0.1, 0.1}, 5.0});
  const Image arrow = picture->draw(frame, view, kWidth, kHeight);
  const double wide = 3.5 * pixel;  // more than half the shaft, less than half the head
  CHECK(norm(look(arrow, view, {wide, 0, 0.5 + 44 * pixel}) -
             look(empty, view, {wide, 0, 0.5 + 44 * pixel})) > 60);
  CHECK(norm(look(arrow, view, {wide, 0, 0.5 + 20 * pixel}) -
             look(empty, view, {wide, 0, 0.5 + 20 * pixel})) < 6);
  frame.arrows.clear();

  frame.points.push_back({{0, 0, 0.5}, {0.0, 0.6, 0.0}, 20.0});
  const double area = count();
  CHECK(area > 0.8 * 314);
  CHECK(area < 1.2 * 314 + 40);
  frame.points.clear();

  // Behind the ball a line is faint, in front of it full.
  frame.surfaces = scene.frame().surfaces;
  const Vec3d plain = look(picture->draw(frame, view, kWidth, kHeight), view, {0, 0, 0.5});
  frame.lines.push_back({{0, 1, 0.2}, {0, 1, 0.8}, {0, 0, 1}, 4.0});
  const Vec3d behind = look(picture->draw(frame, view, kWidth, kHeight), view, {0, 0, 0.5});
  frame.lines[0] = {{0, -1, 0.2}, {0, -1, 0.8}, {0, 0, 1}, 4.0};
  const Vec3d before = look(picture->draw(frame, view, kWidth, kHeight), view, {0, 0, 0.5});
  CHECK(behind.z > plain.z + 20);
  CHECK(behind.x > 0.5 * plain.x);
  CHECK(before.z > 240);
  CHECK(before.x < 20);
}

TEST_CASE("Live: wireframe draws each edge over its surface", "[viewer]") {
  const auto picture = LivePicture::make();
  if (!picture) return;
  const RedBall scene;
  LiveFrame frame = scene.frame();
  const Image plain = picture->draw(frame, kFront, kWidth, kHeight);
  frame.wireframe = true;
  CHECK(changed(plain, picture->draw(frame, kFront, kWidth, kHeight)) > 1000);
}

TEST_CASE("Live: edges are smooth with one sample and with four, which can be changed", "[viewer]") {
  const auto picture = LivePicture::make(1);
  if (!picture) return;
  const RedBall scene;
  LiveFrame frame;
  frame.surfaces = scene.frame().surfaces;
  frame.surfaces[0].color = {0, 0, 0};
  // Pixels whose brightness is between that of the ball and that of the background: one or two at each of
  // some 200 places of the border.
  const auto between = [&] {
    const Image image = picture->draw(frame, kFront, kWidth, kHeight);
    int count = 0;
    for (std::size_t i = 1; i < image.rgb.size(); i += 3) count += image.rgb[i] > 110 && image.rgb[i] < 190;
    return count;
  };
  const int one = between();
  picture->renderer().set_samples(4);
  const int four = between();
  picture->renderer().set_samples(1);
  CHECK(between() == one);
  CHECK(one > 50);
  CHECK(four > 50);
  CHECK(std::max(one, four) < 400);
  CHECK(picture->renderer().description().find("OpenGL") != std::string::npos);
}

TEST_CASE("Live: nothing, empty lists and values that are not finite are borne", "[viewer]") {
  const auto picture = LivePicture::make(1);
  if (!picture) return;
  picture->draw({}, kFront, kWidth, kHeight);
  CHECK(picture->error() == 0);
  RenderSurface ball = ball_surface({0, 0, 0.5}, 0.5, 6);
  ball.points[3] = {NAN, 1e300, 0};
  ball.triangles.push_back({0, 1, 12345});
  const std::vector<Vec3d> no_points;
  const std::vector<Triangle> no_triangles;
  LiveFrame frame;
  frame.surfaces = {{&ball.points, &ball.triangles}, {&no_points, &no_triangles}, {}};
  frame.obstacles.push_back({});
  frame.cells.push_back({});
  frame.cut = CutPlane{{0, 0, 0}, {0, 0, 0}};
  picture->draw(frame, {{0, 0, 0}, {0, 0, 0}, NAN}, kWidth, kHeight);
  CHECK(picture->error() == 0);
  CHECK_THROWS_AS(picture->draw({}, kFront, 8, 8, 0, 0, 0, 8), BackendError);
}

}  // namespace sinew::viewer
