#include "kernels/element/obstacle/obstacle_list.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {
template <class F>
void check_distance_field(const F& query, double extent) {
  test::Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const Vec3d x = random.vector(extent);
    const auto q = query(x);
    CHECK(norm(q.normal) == Approx(1.0).epsilon(1e-13));
    // The nearest point lies on the surface, at |distance|, along the normal.
    CHECK(std::abs(query(q.point).distance) < 1e-13);
    CHECK(norm(x - q.point - q.distance * q.normal) < 1e-13);
    // No other surface point is nearer: a distance function is 1-Lipschitz.
    const Vec3d y = random.vector(extent);
    CHECK(std::abs(query(y).distance - q.distance) <= norm(x - y) + 1e-13);
    // Convex: the whole obstacle lies behind the plane of the nearest point.
    if (query(y).distance <= 0.0) CHECK(dot(y - q.point, q.normal) <= 1e-12);
  }
}
}  // namespace

TEST_CASE("every obstacle is a true distance field of a convex body") {
  check_distance_field([](const Vec3d& x) { return query_half_space(x); }, 2.0);
  check_distance_field([](const Vec3d& x) { return query_sphere(0.7, x); }, 2.0);
  check_distance_field([](const Vec3d& x) { return query_capsule(0.3, 0.6, x); }, 2.0);
  check_distance_field([](const Vec3d& x) { return query_box(Vec3d{0.5, 0.7, 0.9}, x); }, 2.0);
  check_distance_field([](const Vec3d& x) { return query_cylinder(0.6, 0.8, x); }, 2.0);
}

TEST_CASE("known distances, inside and outside") {
  CHECK(query_half_space(Vec3d{3, 4, -0.5}).distance == -0.5);
  CHECK(query_sphere(1.0, Vec3d{0, 3, 4}).distance == Approx(4.0));
  CHECK(query_sphere(1.0, Vec3d{0, 0, 0}).distance == Approx(-1.0));
  CHECK(query_capsule(0.5, 1.0, Vec3d{0, 0, 2.0}).distance == Approx(0.5));
  CHECK(query_capsule(0.5, 1.0, Vec3d{2.0, 0, 0.3}).distance == Approx(1.5));
  CHECK(query_box(Vec3d{1, 1, 1}, Vec3d{2, 2, 1}).distance == Approx(std::sqrt(2.0)));
  CHECK(query_box(Vec3d{1, 1, 1}, Vec3d{0.9, 0.2, 0}).distance == Approx(-0.1));
  CHECK(query_box(Vec3d{1, 1, 1}, Vec3d{0.9, 0.2, 0}).normal == Vec3d{1, 0, 0});
  CHECK(query_cylinder(1.0, 2.0, Vec3d{2, 0, 3}).distance == Approx(std::sqrt(2.0)));
  CHECK(query_cylinder(1.0, 2.0, Vec3d{0, 0, 1.5}).distance == Approx(-0.5));
  CHECK(query_cylinder(1.0, 2.0, Vec3d{0.9, 0, 0}).distance == Approx(-0.1));
}
