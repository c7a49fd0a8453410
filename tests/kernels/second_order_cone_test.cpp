#include "kernels/element/contact/second_order_cone.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

Vec3d inside(test::Random& random) {
  Vec3d x = random.vector();
  x.x = std::hypot(x.y, x.z) + random.uniform(1e-3, 1.0);
  return x;
}

}  // namespace

TEST_CASE("second-order cone: the quotient undoes the product", "[unit]") {
  test::Random random(1);
  for (int k = 0; k < 100; ++k) {
    const Vec3d a = inside(random), b = random.vector();
    CHECK(norm(cone::quotient(cone::product(a, b), a) - b) < 1e-9);
    CHECK(norm(cone::product(Vec3d{1.0, 0.0, 0.0}, b) - b) == 0.0);
  }
}

TEST_CASE("second-order cone: the scaling takes v and x to the same point", "[unit]") {
  test::Random random(2);
  for (int k = 0; k < 100; ++k) {
    const Vec3d x = inside(random), v = inside(random), z = random.vector();
    const auto w = cone::Scaling<double>::between(x, v);
    CHECK(norm(w.apply(v) - w.apply_inverse(x)) < 1e-10);
    CHECK(norm(w.apply(w.apply(v)) - x) < 1e-10);
    CHECK(norm(w.apply_inverse(w.apply(z)) - z) < 1e-9);
    CHECK(norm(w.inverse_squared() * z - w.apply_inverse(w.apply_inverse(z))) <
          1e-7 * norm(w.inverse_squared() * z));
    // The product x . v is that of the scaled points.
    CHECK(std::abs(dot(w.apply(v), w.apply_inverse(x)) - dot(x, v)) < 1e-10);
  }
}

TEST_CASE("second-order cone: the longest step ends on the boundary", "[unit]") {
  test::Random random(3);
  int ended = 0;
  for (int k = 0; k < 300; ++k) {
    const Vec3d x = inside(random), d = random.vector();
    const double step = cone::longest_step(x, d, 10.0);
    for (const double share : {0.1, 0.5, 0.999}) CHECK(cone::depth(x + (share * step) * d) > 0.0);
    if (step == 10.0) continue;
    ++ended;
    CHECK(std::abs(cone::depth(x + step * d)) < 1e-9);
  }
  CHECK(ended > 100);
}
