#include "engine/meshing/winding_number.hpp"

#include <cmath>
#include <numbers>

#include "engine/meshing/triangle_bvh.hpp"
#include "tests/engine/meshing/surfaces.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;

namespace {
constexpr double kPi = std::numbers::pi;

// Points in [-1.5, 1.5]^3 from a low-discrepancy sequence (powers of the plastic number).
Vec3d sample(int i) {
  const auto fraction = [](double x) { return x - std::floor(x); };
  return {3.0 * fraction(0.5 + 0.8191725133961645 * i) - 1.5,
          3.0 * fraction(0.5 + 0.6710436067037893 * i) - 1.5,
          3.0 * fraction(0.5 + 0.5497004779019703 * i) - 1.5};
}
}  // namespace

TEST_CASE("winding number is 1 inside and 0 outside a closed surface") {
  const SurfaceMesh s = sphere_surface(1.0, 24, 48, -0.5 * kPi);
  const TriangleBvh bvh(s);
  const WindingNumber winding(bvh);
  for (int i = 0; i < 300; ++i) {
    const Vec3d x = sample(i);
    const double r = norm(x);
    if (r > 0.98 && r < 1.02) continue;  // facets lie inside the sphere
    REQUIRE(winding_number_by_sum(s, x) == Approx(r < 1.0 ? 1.0 : 0.0).margin(1e-12));
    REQUIRE(winding(x) == Approx(r < 1.0 ? 1.0 : 0.0).margin(1e-2));
  }
}

TEST_CASE("winding number of an open hemisphere is the solid angle of its rim") {
  // On the axis at height z the rim of radius 1 at z = 0 covers the cone 2 pi (1 - |z|/sqrt(1 + z^2)). Above
  // it the hemisphere and its missing disk together count 1 inside, 0 outside.
  const SurfaceMesh s = sphere_surface(1.0, 60, 240, 0.0);
  const TriangleBvh bvh(s);
  const WindingNumber winding(bvh);
  for (const double z : {-2.0, -0.5, -0.1, 0.1, 0.5, 0.9, 1.1, 3.0}) {
    const double disk = 0.5 * (1.0 - std::abs(z) / std::sqrt(1.0 + z * z));
    const double expected = z < 0.0 ? disk : (z < 1.0 ? 1.0 - disk : -disk);
    CHECK(winding_number_by_sum(s, {0, 0, z}) == Approx(expected).margin(2e-4));
    CHECK(winding({0, 0, z}) == Approx(expected).margin(1e-2));
  }
}

TEST_CASE("clusters stay within their tolerance of the plain sum, and closer with a longer reach") {
  const SurfaceMesh s = wavy_torus_surface(0.9, 0.3, 150, 50);
  const TriangleBvh bvh(s);
  struct Case {
    double reach, largest, mean;
  };
  for (const Case c : {Case{1.5, 3e-2, 6e-3}, Case{2.0, 1e-2, 2e-3}, Case{3.0, 1.5e-3, 4e-4}}) {
    const WindingNumber winding(bvh, c.reach);
    double largest = 0.0, mean = 0.0;
    for (int i = 0; i < 400; ++i) {
      const double error = std::abs(winding(sample(i)) - winding_number_by_sum(s, sample(i)));
      largest = std::max(largest, error);
      mean += error / 400.0;
    }
    CHECK(largest < c.largest);
    CHECK(mean < c.mean);
    CHECK(largest > 1e-8);  // otherwise no cluster was used
  }
}

TEST_CASE("tree distance equals the least distance of all triangles") {
  const SurfaceMesh s = wavy_torus_surface(0.9, 0.3, 40, 20);
  const TriangleBvh bvh(s);
  for (int i = 0; i < 200; ++i) {
    double least = 1e300;
    for (const Triangle& t : s.triangles)
      least = std::min(
          least, squared_distance_to_triangle(sample(i), s.points[t[0]], s.points[t[1]], s.points[t[2]]));
    REQUIRE(bvh.distance(sample(i)) == std::sqrt(least));
  }
}

TEST_CASE("distance to a triangle: face, edges, corners, and a degenerate one") {
  const Vec3d a = {0, 0, 0}, b = {2, 0, 0}, c = {0, 2, 0};
  CHECK(squared_distance_to_triangle({0.5, 0.5, 3}, a, b, c) == Approx(9.0));
  CHECK(squared_distance_to_triangle({1, -2, 0}, a, b, c) == Approx(4.0));
  CHECK(squared_distance_to_triangle({2, 2, 1}, a, b, c) == Approx(3.0));
  CHECK(squared_distance_to_triangle({-3, -4, 0}, a, b, c) == Approx(25.0));
  CHECK(squared_distance_to_triangle({4, 0, 0}, a, b, c) == Approx(4.0));
  CHECK(squared_distance_to_triangle({1, 1, 0}, a, b, b) == Approx(1.0));
  CHECK(squared_distance_to_triangle({0, 3, 4}, a, a, a) == Approx(25.0));
}
