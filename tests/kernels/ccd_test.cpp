// First hits of moving points, triangles and segments: closed forms, dense sampling, degenerate motions.
#include <algorithm>
#include <cmath>

#include "kernels/element/contact/ccd.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using test::Random;
using Corners = MovingCorners<double>;

namespace {

template <bool kSegments>
double first_below(const Corners& m, double reach, int samples) {
  for (int k = 0; k <= samples; ++k) {
    const double t = static_cast<double>(k) / samples;
    if (distance_at<double, kSegments>(m, t) <= reach) return t;
  }
  return 2.0;
}

Corners random_corners(Random& random, double move) {
  Corners m;
  for (int k = 0; k < 4; ++k) {
    m.start[k] = random.vector();
    m.end[k] = m.start[k] + random.vector(move);
  }
  return m;
}

template <bool kSegments>
void compare_with_samples(std::uint64_t seed) {
  Random random(seed);
  const double reach = 1e-6;
  int hits = 0;
  for (int n = 0; n < 400; ++n) {
    const Corners m = random_corners(random, 2.0);
    const auto hit = first_hit<double, kSegments>(m, reach);
    // Between samples the distance falls by at most the motion: the coarse net is sure to see every hit.
    const int samples = 2000;
    const double coarse = motion_bound<double, kSegments>(m) / samples;
    const double sampled = first_below<kSegments>(m, reach + coarse, samples);
    if (hit.hit) {
      ++hits;
      CHECK(distance_at<double, kSegments>(m, hit.time) <= 2.0 * reach);
      CHECK(sampled <= hit.time + 1.0 / samples);
    } else {
      // Missing is allowed only where the two never come within the reach: look closely at the least
      // distance.
      double least = 1.0;
      for (int k = 0; k <= 20000; ++k)
        least = std::min(least, distance_at<double, kSegments>(m, k / 20000.0));
      CHECK(least > 1e-7);
    }
  }
  CHECK(hits > 20);
}

}  // namespace

TEST_CASE("a point through a still triangle hits at the plane", "[ccd]") {
  const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  Corners m{{{0.2, 0.2, 3.0}, a, b, c}, {{0.2, 0.2, -1.0}, a, b, c}};
  const auto hit = first_hit_point_triangle(m, 1e-9);
  REQUIRE(hit.hit);
  CHECK(hit.time == Approx(0.75).margin(1e-8));
  m.start[0].x = m.end[0].x = 0.9;  // beside it
  CHECK_FALSE(first_hit_point_triangle(m, 1e-9).hit);
  // From below, and moving together with the triangle: only the difference counts.
  Corners fast{{{0.2, 0.2, -1.0}, a, b, c}, {{20.2, 0.2, 1.0}, a, b, c}};
  for (int k = 1; k < 4; ++k) fast.end[k].x += 20.0;
  const auto moving = first_hit_point_triangle(fast, 1e-9);
  REQUIRE(moving.hit);
  CHECK(moving.time == Approx(0.5).margin(1e-8));
}

TEST_CASE("the first of two crossings counts", "[ccd]") {
  // Height over the plane: -0.05 - t (2 t - 1), as the triangle tilts while the point moves along it.
  const Corners m{{{0.0, 0.1, -0.05}, {0, 0, 0}, {1, 0, -1}, {0, 1, 0}},
                  {{1.0, 0.1, -0.05}, {0, 0, 0}, {1, 0, 1}, {0, 1, 0}}};
  const auto hit = first_hit_point_triangle(m, 1e-9);
  REQUIRE(hit.hit);
  CHECK(hit.time == Approx((1.0 - std::sqrt(0.6)) / 4.0).margin(1e-8));
}

TEST_CASE("hits agree with dense sampling", "[ccd]") {
  compare_with_samples<false>(17);
  compare_with_samples<true>(19);
}

TEST_CASE("crossing segments hit at the right time", "[ccd]") {
  Corners m{{{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}}, {{-1, 0, -3}, {1, 0, -3}, {0, -1, 0}, {0, 1, 0}}};
  const auto hit = first_hit_segments(m, 1e-9);
  REQUIRE(hit.hit);
  CHECK(hit.time == Approx(0.25).margin(1e-8));
}

TEST_CASE("motions in a plane and degenerate shapes hit too", "[ccd]") {
  const double reach = 1e-4;
  const auto near = [&](const FirstHit<double>& hit, double time) {
    REQUIRE(hit.hit);
    CHECK(hit.time <= time + 1e-9);
    CHECK(hit.time >= time - 1e-3);
  };
  SECTION("a point slides in the triangle's plane onto its edge") {
    const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
    near(first_hit_point_triangle(Corners{{{0.3, -1, 0}, a, b, c}, {{0.3, 1, 0}, a, b, c}}, reach), 0.5);
  }
  SECTION("parallel segments") {
    near(first_hit_segments(Corners{{{0, 0, 1}, {1, 0, 1}, {0.2, 0, 0}, {0.7, 0, 0}},
                                    {{0, 0, -1}, {1, 0, -1}, {0.2, 0, 0}, {0.7, 0, 0}}},
                            reach),
         0.5);
  }
  SECTION("segments in one line") {
    near(first_hit_segments(Corners{{{-3, 0, 0}, {-2, 0, 0}, {0, 0, 0}, {1, 0, 0}},
                                    {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}}},
                            reach),
         2.0 / 3.0);
  }
  SECTION("a point onto a wire, and onto a point") {
    const Vec3d a{0, 0, 0}, b{1, 0, 0};
    near(first_hit_point_triangle(Corners{{{0.5, 0, 2}, a, b, b}, {{0.5, 0, -2}, a, b, b}}, reach), 0.5);
    near(first_hit_point_triangle(Corners{{{0, 0, 2}, a, a, a}, {{0, 0, -2}, a, a, a}}, reach), 0.5);
    CHECK_FALSE(
        first_hit_point_triangle(Corners{{{0.5, 0.1, 2}, a, b, b}, {{0.5, 0.1, -2}, a, b, b}}, reach).hit);
  }
}

TEST_CASE("sliding along at a distance is no hit, however far", "[ccd]") {
  const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  CHECK_FALSE(
      first_hit_point_triangle(Corners{{{-500, 0.1, 1e-3}, a, b, c}, {{500, 0.1, 1e-3}, a, b, c}}, 1e-4).hit);
}

TEST_CASE("hits do not depend on the unit of length", "[ccd]") {
  Random random(23);
  for (int n = 0; n < 100; ++n) {
    const Corners m = random_corners(random, 2.0);
    const auto one = first_hit_point_triangle(m, 1e-6);
    for (const double size : {1e-6, 1e6}) {
      Corners scaled = m;
      for (int k = 0; k < 4; ++k) {
        scaled.start[k] = size * m.start[k];
        scaled.end[k] = size * m.end[k];
      }
      const auto other = first_hit_point_triangle(scaled, 1e-6 * size);
      CHECK(other.hit == one.hit);
      CHECK(other.time == Approx(one.time).margin(1e-8));
    }
  }
}
