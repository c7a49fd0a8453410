// Normals with creases, tessellated obstacles and captions, all without graphics.
#include <cmath>
#include <limits>
#include <numbers>

#include "tests/support/catch.hpp"
#include "tests/viewer/scenes.hpp"
#include "viewer/caption.hpp"
#include "viewer/render_geometry.hpp"

namespace sinew::viewer {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Vec3d normal_of(const Vertex& v) {
  return {v.normal[0], v.normal[1], v.normal[2]};
}
Vec3d position_of(const Vertex& v) {
  return {v.position[0], v.position[1], v.position[2]};
}

/// Every triangle's winding agrees with its vertices' normals, and every normal has length 1.
void check_orientation(const TriangleBatch& batch) {
  REQUIRE(batch.indices.size() % 3 == 0);
  for (std::size_t t = 0; t < batch.indices.size(); t += 3) {
    const Vertex &a = batch.vertices[batch.indices[t]], &b = batch.vertices[batch.indices[t + 1]],
                 &c = batch.vertices[batch.indices[t + 2]];
    const Vec3d face = cross(position_of(b) - position_of(a), position_of(c) - position_of(a));
    const Vec3d mean = normal_of(a) + normal_of(b) + normal_of(c);
    REQUIRE(dot(face, mean) > 0.0);
    REQUIRE(norm(normal_of(a)) == Approx(1.0).margin(1e-5));
  }
}

}  // namespace

TEST_CASE("A cube keeps its edges: three normals per corner", "[viewer]") {
  TriangleBatch batch;
  append_surface(batch, cube_surface({1, 2, 3}, 0.5), {1, 2, 3});
  CHECK(batch.vertices.size() == 24);
  CHECK(batch.indices.size() == 36);
  check_orientation(batch);
  for (const Vertex& v : batch.vertices) {
    const Vec3d n = normal_of(v);
    CHECK(std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}) == Approx(1.0));
  }
}

TEST_CASE("A ball is smooth: one normal per point, close to the radius", "[viewer]") {
  TriangleBatch batch;
  const RenderSurface ball = ball_surface({0.2, -0.1, 5.0}, 0.3, 12);
  append_surface(batch, ball, {0.2, -0.1, 5.0});
  CHECK(batch.vertices.size() == ball.points.size());
  check_orientation(batch);
  for (const Vertex& v : batch.vertices) CHECK(dot(normal_of(v), normalized(position_of(v))) > 0.995);
}

TEST_CASE("Faulty triangles are left out, and no vertex is ever not finite", "[viewer]") {
  RenderSurface s;
  s.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {kNan, 0, 0}, {1e300, 0, 0}, {5, 5, 5}};
  s.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {0, 1, -1}, {0, 1, 6}, {0, 0, 1}, {0, 1, 1}};
  s.color = {kNan, 2.0, -1.0};
  TriangleBatch batch;
  append_surface(batch, s, {});
  REQUIRE(batch.vertices.size() == 3);
  for (const Vertex& v : batch.vertices) {
    CHECK(normal_of(v) == Vec3d{0, 0, 1});
    CHECK(v.color[0] == 0.5f);
    CHECK(v.color[1] == 1.0f);
    CHECK(v.color[2] == 0.0f);
  }
  CHECK(used_points(s).size() == 3);
}

TEST_CASE("Obstacles are closed outward surfaces on their shape", "[viewer]") {
  const Pose pose{rotation_from_vector(Vec3d{0.3, -0.4, 0.5}), {1, 2, 3}};
  const std::vector<ObstacleShape> shapes{SphereShape{0.4}, CapsuleShape{0.2, 0.5}, CylinderShape{0.3, 0.6},
                                          BoxShape{{0.1, 0.2, 50.0}}};
  const std::vector<double> volumes{4.0 / 3.0 * std::numbers::pi * 0.064,
                                    std::numbers::pi * 0.04 * (1.0 + 4.0 / 3.0 * 0.2),
                                    std::numbers::pi * 0.09 * 1.2, 8.0 * 0.1 * 0.2 * 50.0};
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    TriangleBatch batch;
    append_obstacle(batch, {shapes[k], pose}, {{1, 2, 3}, 2.0, 0.05});
    check_orientation(batch);
    double volume = 0.0;
    for (std::size_t t = 0; t < batch.indices.size(); t += 3)
      volume += dot(position_of(batch.vertices[batch.indices[t]]),
                    cross(position_of(batch.vertices[batch.indices[t + 1]]),
                          position_of(batch.vertices[batch.indices[t + 2]]))) /
                6.0;
    CHECK(volume == Approx(volumes[k]).epsilon(0.006));
    CHECK(batch.vertices.size() < 60000);
  }
  for (const ObstacleShape& shape : {ObstacleShape{SphereShape{0.0}}, ObstacleShape{SphereShape{kNan}},
                                     ObstacleShape{BoxShape{{-1, 1, 1}}}, ObstacleShape{HalfSpaceShape{}}}) {
    TriangleBatch batch;
    append_obstacle(batch, {shape, pose}, {});
    CHECK(batch.indices.empty());
    CHECK(hull_points({shape, pose}).empty());
  }
}

TEST_CASE("Mesh obstacles are drawn as they are, their edges and points with their thickness", "[viewer]") {
  const Pose pose{rotation_from_vector(Vec3d{0.3, -0.4, 0.5}), {1, 2, 3}};
  const auto volume_of = [&](const MeshShape& shape) {
    TriangleBatch batch;
    append_obstacle(batch, {shape, pose}, {{1, 2, 3}, 2.0, 0.05});
    check_orientation(batch);
    double volume = 0.0;
    for (std::size_t t = 0; t < batch.indices.size(); t += 3)
      volume += dot(position_of(batch.vertices[batch.indices[t]]),
                    cross(position_of(batch.vertices[batch.indices[t + 1]]),
                          position_of(batch.vertices[batch.indices[t + 2]]))) /
                6.0;
    return volume;
  };
  MeshShape shape;
  shape.mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  shape.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  CHECK(volume_of(shape) == Approx(1.0 / 6.0).epsilon(1e-5));
  TriangleBatch split;  // edges of 1.41 m against cells of 0.2 m: twice into four
  append_obstacle(split, {shape, pose}, {{1, 2, 3}, {1, 2, 3}, 2.0, 0.2});
  CHECK(split.indices.size() == 3 * 4 * 16);
  CHECK(hull_points({shape, pose}).size() == 4);
  CHECK(norm(hull_points({shape, pose})[3] - pose.apply({0, 0, 1})) < 1e-12);
  shape.mesh.triangles.clear();
  CHECK(hull_points({shape, pose}).empty());
  shape.thickness = 0.1;
  const double ball = 4.0 / 3.0 * std::numbers::pi * 1e-3, rod = std::numbers::pi * 1e-2;
  shape.points = {2};
  const double made_ball = volume_of(shape);
  CHECK(made_ball < ball);
  CHECK(made_ball > 0.9 * ball);
  shape.points.clear();
  shape.edges = {{0, 1}};
  CHECK(volume_of(shape) < rod + ball);
  CHECK(volume_of(shape) > made_ball + 0.95 * rod);
  shape.edges = {{0, 9}, {-1, 0}};  // out of range: not drawn
  CHECK(volume_of(shape) == 0.0);
}

TEST_CASE("A caption inks the lower left corner only", "[viewer]") {
  Image image{320, 180, std::vector<std::uint8_t>(320 * 180 * 3, 200)};
  draw_caption(image, "I");
  int left = 1000, right = -1, top = 1000, bottom = -1, inked = 0;
  for (int y = 0; y < 180; ++y)
    for (int x = 0; x < 320; ++x)
      if (image.rgb[std::size_t((y * 320 + x) * 3)] != 200) {
        left = std::min(left, x), right = std::max(right, x), top = std::min(top, y),
        bottom = std::max(bottom, y);
        ++inked;
      }
  CHECK(inked == 11);  // two bars of three and five in the stem
  CHECK(right - left == 2);
  CHECK(bottom - top == 6);
  CHECK(left < 10);
  CHECK(bottom > 160);

  // Too long, several lines, not ASCII, tiny pictures: never outside.
  const std::string nasty = std::string(5000, 'W') + "\n\n\t\xC3\xA9\xFF\x01" + std::string(300, '\n');
  draw_caption(image, nasty);
  for (int side : {1, 3, 12, 20}) {
    Image small{side, side, std::vector<std::uint8_t>(std::size_t(side * side * 3), 20)};
    draw_caption(small, nasty);
    CHECK(small.rgb.size() == std::size_t(side * side * 3));
  }
}

TEST_CASE("A long caption stays on one line and keeps its end", "[viewer]") {
  const auto drawn = [](const std::string& caption) {
    Image image{320, 180, std::vector<std::uint8_t>(320 * 180 * 3, 200)};
    draw_caption(image, caption);
    return image.rgb;
  };
  const std::string name(60, 'H'), longer(90, 'H');
  const auto image = drawn(name + "  t = 0.25 s");
  int top = 1000, bottom = -1, right = -1;
  for (int y = 0; y < 180; ++y)
    for (int x = 0; x < 320; ++x)
      if (image[std::size_t((y * 320 + x) * 3)] != 200)
        top = std::min(top, y), bottom = std::max(bottom, y), right = std::max(right, x);
  CHECK(bottom - top < 8);
  CHECK(right > 300);
  CHECK(right < 316);
  CHECK(drawn(longer + "  t = 0.25 s") == image);
  CHECK(drawn(name + "  t = 0.26 s") != image);
  // 51 columns: the shortened text by hand.
  CHECK(drawn(std::string(36, 'H') + "...  t = 0.25 s") == image);
  CHECK(drawn(name) == drawn(std::string(48, 'H') + "..."));
  CHECK(drawn(std::string(51, 'H')) != drawn(std::string(48, 'H') + "..."));
}

}  // namespace sinew::viewer
