// Rays against triangles and obstacles.
#include <cmath>
#include <numbers>

#include "tests/support/catch.hpp"
#include "tests/viewer/scenes.hpp"
#include "viewer/live/pick.hpp"

namespace sinew::viewer {
namespace {

double distance(const Vec3d& a, const Vec3d& b) {
  return norm(a - b);
}

Ray towards(const Vec3d& from, const Vec3d& to) {
  return {from, normalized(to - from)};
}

/// Where a ray meets one shape, -1 where it does not.
double hit(const ObstacleShape& shape, const Pose& pose, const Ray& ray) {
  const auto found = pick_obstacle(ray, {{&shape, pose}});
  if (!found) return -1.0;
  CHECK(found->obstacle == 0);
  CHECK(distance(found->position, ray.at(found->distance)) < 1e-12);
  return found->distance;
}

}  // namespace

TEST_CASE("The first triangle along a ray is picked, with its place in it", "[viewer]") {
  const std::vector<Vec3d> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const std::vector<Triangle> triangles{{0, 1, 2}, {3, 5, 4}, {0, 0, 1}, {0, 1, 99}};
  const auto found = pick_triangle(towards({0.2, 0.3, 3}, {0.2, 0.3, 0}), points, triangles);
  REQUIRE(found);
  CHECK(found->triangle == 1);
  CHECK(std::abs(found->distance - 2.0) < 1e-12);
  CHECK(distance(found->position, {0.2, 0.3, 1}) < 1e-12);
  CHECK(distance(found->barycentric, {0.5, 0.3, 0.2}) < 1e-12);
  CHECK(pick_triangle(towards({0.2, 0.3, 0.5}, {0.2, 0.3, 0}), points, triangles)->triangle == 0);
  CHECK_FALSE(pick_triangle(towards({0.6, 0.6, 3}, {0.6, 0.6, 0}), points, triangles));
  CHECK_FALSE(pick_triangle(towards({0.2, 0.3, 3}, {0.2, 0.3, 9}), points, triangles));
}

TEST_CASE("A closed surface has no cracks for rays along its edges", "[viewer]") {
  const RenderSurface ball = ball_surface({0, 0, 0}, 1.0, 12);
  for (const Triangle& t : ball.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3d middle = 0.5 * (ball.points[std::size_t(t[k])] + ball.points[std::size_t(t[(k + 1) % 3])]);
      CHECK(pick_triangle(towards({0.01, -0.02, 0.03}, middle), ball.points, ball.triangles));
    }
}

TEST_CASE("Shapes are met where they are", "[viewer]") {
  const Pose moved{rotation_from_vector(Vec3d{0, std::numbers::pi / 2, 0}), {1, 2, 3}};  // z along x
  CHECK(std::abs(hit(SphereShape{0.5}, moved, towards({1, -4, 3}, {1, 2, 3})) - 5.5) < 1e-12);
  CHECK(hit(SphereShape{0.5}, moved, towards({1, -4, 3.51}, {1, 2, 3.51})) == -1.0);
  CHECK(hit(SphereShape{0.5}, moved, towards({1, -4, 3}, {1, -5, 3})) == -1.0);
  CHECK(std::abs(hit(SphereShape{0.5}, moved, towards({1, 2, 3}, {1, 3, 3})) - 0.5) < 1e-12);  // from inside

  const BoxShape box{{0.1, 0.2, 0.3}};
  CHECK(std::abs(hit(box, moved, towards({-4, 2.1, 3}, {1, 2.1, 3})) - 4.7) < 1e-12);
  CHECK(std::abs(hit(box, moved, towards({1, 2.1, 9}, {1, 2.1, 3})) - 5.9) < 1e-12);
  CHECK(hit(box, moved, towards({1, 2.25, 9}, {1, 2.25, 3})) == -1.0);

  const CylinderShape cylinder{0.2, 0.4};
  CHECK(std::abs(hit(cylinder, moved, towards({-4, 2.1, 3}, {1, 2.1, 3})) - 4.6) < 1e-12);  // a flat end
  CHECK(std::abs(hit(cylinder, moved, towards({1.3, 2, 9}, {1.3, 2, 3})) - 5.8) < 1e-12);   // the mantle
  CHECK(hit(cylinder, moved, towards({1.45, 2, 9}, {1.45, 2, 3})) == -1.0);

  const CapsuleShape capsule{0.2, 0.4};
  CHECK(std::abs(hit(capsule, moved, towards({-4, 2, 3}, {1, 2, 3})) - 4.4) < 1e-12);  // a cap
  CHECK(std::abs(hit(capsule, moved, towards({1.4, 2, 9}, {1.4, 2, 3})) - 5.8) < 1e-12);
  CHECK(hit(capsule, moved, towards({1.58, 2, 9}, {1.58, 2, 3})) > 5.9);

  CHECK(std::abs(hit(HalfSpaceShape{}, Pose{}, towards({0, 0, 2}, {0, 1.5, 0})) - 2.5) < 1e-12);
  CHECK(hit(HalfSpaceShape{}, Pose{}, towards({0, 0, -2}, {0, 0, 5})) == -1.0);  // from the solid side
  CHECK(hit(HalfSpaceShape{}, Pose{}, towards({0, 0, 2}, {0, 1, 3})) == -1.0);
}

TEST_CASE("Meshes are met with their wires and points as thick as they are drawn", "[viewer]") {
  MeshShape shape;
  shape.mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  shape.mesh.triangles = {{0, 1, 2}};
  shape.edges = {{0, 3}};
  shape.points = {3};
  shape.thickness = 0.05;
  CHECK(std::abs(hit(shape, Pose{}, towards({0.2, 0.2, 2}, {0.2, 0.2, 0})) - 2.0) < 1e-12);
  CHECK(std::abs(hit(shape, Pose{}, towards({-2, 0, 0.5}, {0, 0, 0.5})) - 1.95) < 1e-12);
  CHECK(std::abs(hit(shape, Pose{}, towards({0, 0, 3}, {0, 0, 0})) - 1.95) < 1e-12);
  CHECK(hit(shape, Pose{}, towards({-2, 0.06, 0.5}, {0, 0.06, 0.5})) == -1.0);
}

TEST_CASE("Of several obstacles the nearest is picked", "[viewer]") {
  const ObstacleShape sphere = SphereShape{0.5}, ground = HalfSpaceShape{};
  const std::vector<LiveObstacle> obstacles{{&ground, Pose{}},
                                            {&sphere, {Mat3d::identity(), {0, 0, 1}}},
                                            {&sphere, {Mat3d::identity(), {0, 0, 3}}}};
  CHECK(pick_obstacle(towards({0, 0, 9}, {0, 0, 0}), obstacles)->obstacle == 2);
  CHECK(pick_obstacle(towards({0, 0, 2.3}, {0, 0, 0}), obstacles)->obstacle == 1);
  CHECK(pick_obstacle(towards({2, 0, 2}, {2, 0, 0}), obstacles)->obstacle == 0);
}

}  // namespace sinew::viewer
