// What the live renderer computes before it draws: normals, cuts, strokes, colours, the light's reach.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/viewer/scenes.hpp"
#include "viewer/live/color_map.hpp"
#include "viewer/live/cut_cells.hpp"
#include "viewer/live/live_light.hpp"
#include "viewer/live/overlay.hpp"
#include "viewer/live/screen.hpp"
#include "viewer/live/smooth_surface.hpp"

namespace sinew::viewer {
namespace {

constexpr double kPi = std::numbers::pi;

/// Unit cube [0, 1]^3 of six tetrahedra around its diagonal.
struct CubeCells {
  std::vector<Vec3d> nodes;
  std::vector<Tet> tets{{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  CubeCells() {
    for (int k = 0; k < 8; ++k) nodes.push_back({double(k & 1), double(k >> 1 & 1), double(k >> 2)});
  }
};

Vec3d position(const CellVertex& v) {
  return {v.position[0], v.position[1], v.position[2]};
}

/// Sum of the triangles' areas along their own normals.
double area(const std::vector<CellVertex>& vertices) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 2 < vertices.size(); i += 3) {
    const Vec3d a = position(vertices[i]), b = position(vertices[i + 1]), c = position(vertices[i + 2]);
    const Vec3d n{vertices[i].normal[0], vertices[i].normal[1], vertices[i].normal[2]};
    sum += 0.5 * dot(cross(b - a, c - a), n);
  }
  return sum;
}

}  // namespace

TEST_CASE("Live: a ball is smooth, a cube is split at its edges, and stays so", "[viewer]") {
  const RenderSurface ball = ball_surface({1, 2, 3}, 0.5, 24);
  const SmoothSurface smooth = smooth_surface(ball.points, ball.triangles);
  CHECK(smooth.point.size() == ball.points.size());
  CHECK(smooth.edges.size() == 2 * (3 * ball.triangles.size() / 2));  // closed: each edge has two faces
  std::vector<StreamVertex> vertices;
  stream(smooth, ball.points, {1, 0, 0}, nullptr, {}, vertices);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    const Vec3d x = ball.points[smooth.point[v]], out = normalized(x - Vec3d{1, 2, 3});
    CHECK(norm(Vec3d{vertices[v].position[0], vertices[v].position[1], vertices[v].position[2]} -
               (x - Vec3d{1, 0, 0})) < 1e-6);
    CHECK(dot(out, Vec3d{vertices[v].normal[0], vertices[v].normal[1], vertices[v].normal[2]}) > 0.995);
  }

  RenderSurface cube = cube_surface({0, 0, 0}, 1.0);
  const SmoothSurface split = smooth_surface(cube.points, cube.triangles);
  CHECK(split.point.size() == 24);
  CHECK(split.edges.size() == 2 * 18);
  for (Vec3d& p : cube.points) p = rotation_from_vector(Vec3d{0.3, -0.2, 0.9}) * Vec3d{p.x, 2 * p.y, p.z};
  stream(split, cube.points, {}, nullptr, {}, vertices);
  std::set<std::array<int, 3>> directions;
  for (const StreamVertex& v : vertices)
    directions.insert({int(std::lround(1000 * v.normal[0])), int(std::lround(1000 * v.normal[1])),
                       int(std::lround(1000 * v.normal[2]))});
  CHECK(directions.size() == 6);
}

TEST_CASE("Live: values are placed in their range; points that are not finite stay in reach", "[viewer]") {
  const ValueRange range{2.0, 4.0};
  CHECK(range.place(3.0) == 0.5f);
  CHECK(range.place(9.0) == 1.0f);
  CHECK(range.place(-9.0) == 0.0f);
  CHECK(range.place(NAN) == -1.0f);
  CHECK(ValueRange{1.0, 1.0}.place(5.0) == 0.0f);
  RenderSurface cube = cube_surface({0, 0, 0}, 1.0);
  const SmoothSurface split = smooth_surface(cube.points, cube.triangles);
  cube.points[2] = {NAN, 1e200, 0};
  const std::vector<double> values{2.0, 2.5};  // too few: the others are at the start
  std::vector<StreamVertex> vertices;
  stream(split, cube.points, {}, &values, range, vertices);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    for (int c = 0; c < 3; ++c) {
      CHECK(std::isfinite(vertices[v].position[c]));
      CHECK(std::isfinite(vertices[v].normal[c]));
    }
    CHECK(vertices[v].value == (split.point[v] == 1 ? 0.25f : 0.0f));
  }
}

TEST_CASE("Live: a cut through cells has the area and the values of the section", "[viewer]") {
  const CubeCells cube;
  std::vector<double> heights;
  for (const Vec3d& p : cube.nodes) heights.push_back(p.z);
  LiveCells cells{&cube.nodes, &cube.tets};
  cells.values = &heights;
  std::vector<CellVertex> vertices;
  append_cut(cells, {{0, 0, 0.3}, {0, 0, 5}}, {0, 0, 0}, {0.0, 1.0}, vertices);
  CHECK(std::abs(area(vertices) - 1.0) < 1e-6);
  for (const CellVertex& v : vertices) {
    CHECK(std::abs(v.position[2] - 0.3f) < 1e-6f);
    CHECK(std::abs(v.value - 0.3f) < 1e-6f);
  }
  // Across a diagonal: 1 x sqrt(2), counter-clockwise about the plane's normal, either way round.
  for (const double sign : {1.0, -1.0}) {
    vertices.clear();
    append_cut(cells, {{0.5, 0.5, 0.5}, {sign, -sign * 1.0000001, 0}}, {}, {}, vertices);
    CHECK(std::abs(area(vertices) - std::sqrt(2.0)) < 1e-4);
  }
  vertices.clear();
  append_cut(cells, {{0, 0, 1.5}, {0, 0, 1}}, {}, {}, vertices);
  CHECK(vertices.empty());
}

TEST_CASE("Live: whole cells are drawn with all faces around those that are left", "[viewer]") {
  const CubeCells cube;
  const LiveCells cells{&cube.nodes, &cube.tets};
  const std::vector<CellFace> faces = cell_faces(cube.tets);
  CHECK(faces.size() == 12 + 6);  // outer and inner
  std::vector<CellVertex> vertices;
  append_whole(cells, faces, {{0, 0, 9}, {0, 0, 1}}, {}, {}, vertices);
  CHECK(vertices.size() == 3 * 12);
  CHECK(std::abs(area(vertices) - 6.0) < 1e-6);
  // Half of them: closed again, so that the area vectors cancel.
  vertices.clear();
  append_whole(cells, faces, {{0.5, 0.5, 0.5}, {1, -1, 0}}, {}, {}, vertices);
  CHECK(std::abs(area(vertices) - (3.0 + std::sqrt(2.0))) < 1e-6);
  Vec3d sum;
  for (std::size_t i = 0; i < vertices.size(); i += 3)
    sum += cross(position(vertices[i + 1]) - position(vertices[i]),
                 position(vertices[i + 2]) - position(vertices[i]));
  CHECK(norm(sum) < 1e-6);
}

TEST_CASE("Live: the colour map grows evenly in lightness and can be shown", "[viewer]") {
  const auto luminance = [](const Vec3d& c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; };
  const auto lightness = [&](double t) {  // CIE L*
    return 116.0 * std::cbrt(luminance(color_of(t))) - 16.0;
  };
  for (int i = 0; i <= 200; ++i) {
    const Vec3d c = color_of(i / 200.0);
    for (int k = 0; k < 3; ++k) {
      CHECK(c[k] >= 0.0);
      CHECK(c[k] <= 1.0);
    }
  }
  for (int i = 0; i < 20; ++i) {
    const double step = lightness((i + 1) / 20.0) - lightness(i / 20.0);
    CHECK(step > 1.5);
    CHECK(step < 7.0);
  }
  CHECK(color_of(-3.0) == color_of(0.0));
  CHECK(color_of(7.0) == color_of(1.0));
  CHECK(color_of(NAN) == Vec3d{0.3, 0.3, 0.3});
  CHECK(std::abs(display_color({0.214041, 0, 1}).x - 0.5) < 1e-5);  // sRGB
}

TEST_CASE("Live: the light reaches all casters, and spinning does not change its reach", "[viewer]") {
  const RenderSurface ball = ball_surface({0, 0, 0.92}, 0.25, 12);
  const ObstacleShape cylinder = CylinderShape{0.25, 0.5}, ground = HalfSpaceShape{};
  const LocalBall around = ball_around(cylinder);
  CHECK(norm(around.center) < 1e-12);
  CHECK(std::abs(around.radius - std::hypot(0.25, 0.5)) < 1e-9);
  CHECK(ball_around(ground).radius < 0.0);

  const View view{{0, -4, 1.5}, {0, 0, 0.5}, 35.0};
  LiveFrame frame;
  frame.surfaces.push_back({&ball.points, &ball.triangles});
  frame.obstacles.push_back({&cylinder, {Mat3d::identity(), {0.5, 0, 0.5}}});
  frame.obstacles.push_back({&ground, Pose{}});
  const std::vector<LocalBall> balls{around, ball_around(ground)};
  const CasterBall casters = live_casters(frame, balls, view, 1.6);
  for (const Vec3d& p : ball.points) CHECK(norm(p - view.target - casters.center) <= casters.radius);
  CHECK(norm(Vec3d{0.5 + around.radius, 0, 0.5} - view.target - casters.center) <= casters.radius);
  CHECK(casters.radius < 1.6);
  frame.obstacles[0].pose.rotation = rotation_from_vector(Vec3d{0.7, 0.2, kPi / 3});
  const CasterBall turned = live_casters(frame, balls, view, 1.6);
  CHECK(turned.radius == casters.radius);
  CHECK(norm(turned.center - casters.center) < 1e-12);
}

TEST_CASE("Live: strokes lie where the map between space and pixels says", "[viewer]") {
  const View view{{1, -4, 2}, {0, 0, 0.5}, 40.0};
  const int width = 900, height = 600;
  LiveFrame frame;
  frame.arrows.push_back({{0.1, 0.2, 0.3}, {0.2, -0.1, 0.5}, {1, 0, 0}, 3.0});
  const std::vector<OverlayVertex> vertices = overlay_triangles(frame, view, width, height);
  REQUIRE(vertices.size() == 3 * 6 + 3);  // a shaft in three parts, a head
  const auto place = [&](const OverlayVertex& v) {
    return std::array{0.5 * width * (1 + v.clip[0] / v.clip[3]), 0.5 * height * (1 - v.clip[1] / v.clip[3])};
  };
  const auto tip = ScreenMap(view, width, height).project({0.3, 0.1, 0.8});
  REQUIRE(tip);
  const auto drawn = place(vertices.back());
  CHECK(std::hypot(drawn[0] - (*tip)[0], drawn[1] - (*tip)[1]) < 1e-3);
  // The head begins where its length in pixels says: perspective does not move it.
  const auto left = place(vertices[18]), right = place(vertices[19]);
  CHECK(std::abs(std::hypot(0.5 * (left[0] + right[0]) - (*tip)[0], 0.5 * (left[1] + right[1]) - (*tip)[1]) -
                 4.2 * 3.0) < 0.01);
  frame.arrows[0].vector = {0, 0, NAN};
  frame.lines.push_back({{0, -9, 2}, {0, -8, 2}, {1, 0, 0}, 2.0});  // behind the eye
  frame.points.push_back({{0, INFINITY, 0}, {1, 0, 0}, 5.0});
  CHECK(overlay_triangles(frame, view, width, height).empty());
}

}  // namespace sinew::viewer
