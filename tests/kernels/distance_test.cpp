// Closest points against a dense search, and degenerate shapes.
#include <algorithm>
#include <cmath>

#include "kernels/element/contact/distance.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using test::Random;

namespace {

double triangle_distance(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  return norm(x - triangle_point(closest_on_triangle(x, a, b, c), a, b, c));
}

double segment_distance(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b) {
  const auto s = closest_on_segments(p, q, a, b);
  return norm(p + s.s * (q - p) - a - s.t * (b - a));
}

/// Least over a grid of the triangle, refined about the best: f is convex.
template <class F>
double least(F f, bool square) {
  double u = 0.5, v = 0.25, size = 0.5, best = 1e300;
  for (int level = 0; level < 40; ++level, size *= 0.6) {
    const double u0 = u, v0 = v;
    for (int i = -4; i <= 4; ++i)
      for (int j = -4; j <= 4; ++j) {
        double s = std::clamp(u0 + size * i / 4.0, 0.0, 1.0), t = std::clamp(v0 + size * j / 4.0, 0.0, 1.0);
        if (!square && s + t > 1.0) t = 1.0 - s;
        const double d = f(s, t);
        if (d < best) {
          best = d;
          u = s;
          v = t;
        }
      }
  }
  return best;
}

}  // namespace

TEST_CASE("closest point of a triangle is the least over all its points", "[distance]") {
  Random random(3);
  for (int n = 0; n < 300; ++n) {
    const Vec3d x = random.vector(2.0), a = random.vector(), b = random.vector(), c = random.vector();
    const double d = triangle_distance(x, a, b, c);
    const double search =
        least([&](double s, double t) { return norm(x - a - s * (b - a) - t * (c - a)); }, false);
    CHECK(d == Approx(search).margin(1e-6));
    const auto p = closest_on_triangle(x, a, b, c);
    CHECK(p.weight[0] + p.weight[1] + p.weight[2] == Approx(1.0));
    // Residual direction: straight off the face, across an edge, or anywhere at a corner.
    const Vec3d r = x - triangle_point(p, a, b, c);
    const Vec3d side[3] = {b - a, c - b, a - c};
    const int part = static_cast<int>(p.part);
    if (part == 0) CHECK(std::abs(dot(r, side[0])) + std::abs(dot(r, side[1])) < 1e-10);
    if (part > 0 && part < 4) CHECK(std::abs(dot(r, side[part - 1])) < 1e-10);
    if (part >= 4) CHECK(p.weight[part - 4] == 1.0);
  }
}

TEST_CASE("closest points of segments are the least over all pairs", "[distance]") {
  Random random(5);
  for (int n = 0; n < 300; ++n) {
    const Vec3d p = random.vector(), q = random.vector(), a = random.vector(), b = random.vector();
    const double search =
        least([&](double s, double t) { return norm(p + s * (q - p) - a - t * (b - a)); }, true);
    CHECK(segment_distance(p, q, a, b) == Approx(search).margin(1e-6));
    CHECK(segment_distance(a, b, p, q) == Approx(segment_distance(p, q, a, b)));
  }
}

TEST_CASE("degenerate triangles and segments have distances", "[distance]") {
  const Vec3d o{0, 0, 0}, x{1, 0, 0}, y{0, 1, 0}, far{1.5, 2, 0};
  CHECK(triangle_distance(y, o, x, x) == Approx(1.0));  // a segment
  CHECK(triangle_distance(far, o, x, x) == Approx(std::hypot(0.5, 2.0)));
  CHECK(triangle_distance(far, x, x, x) == Approx(std::hypot(0.5, 2.0)));  // a point
  CHECK(triangle_distance({0.5, 1, 0}, o, {2, 0, 0}, x) == Approx(1.0));   // corners on a line
  CHECK(segment_distance(o, o, x, far) == Approx(1.0));
  CHECK(segment_distance(x, far, o, o) == Approx(1.0));
  CHECK(segment_distance(o, o, x, x) == Approx(1.0));
  // Parallel: the middle of the stretch that faces the other.
  const auto s = closest_on_segments<double>({0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {3, 1, 0});
  CHECK(s.s == Approx(0.5));
  CHECK(s.t == Approx(0.5));
  const auto apart = closest_on_segments<double>({0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {3, 1, 0});
  CHECK(apart.s == 1.0);
  CHECK(apart.t == 0.0);
}

TEST_CASE("parts of a triangle do not depend on its size", "[distance]") {
  for (const double size : {1e-9, 1.0, 1e9}) {
    const Vec3d a{0, 0, 0}, b{size, 0, 0}, c{0, size, 0};
    const auto at = [&](double x, double y, double z) {
      return closest_on_triangle(Vec3d{x * size, y * size, z * size}, a, b, c).part;
    };
    CHECK(at(0.3, 0.3, 1) == TrianglePart::face);
    CHECK(at(0.5, -1, 1) == TrianglePart::edge_0);
    CHECK(at(1, 1, 1) == TrianglePart::edge_1);
    CHECK(at(-1, 0.5, 0) == TrianglePart::edge_2);
    CHECK(at(-1, -1, 0) == TrianglePart::corner_0);
    CHECK(at(3, -1, 0) == TrianglePart::corner_1);
    CHECK(at(-1, 3, 0) == TrianglePart::corner_2);
  }
}
