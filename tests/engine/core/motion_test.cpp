#include <sinew/model.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/finite_difference.hpp"

using namespace sinew;

TEST_CASE("paths are linear between keys and held outside") {
  const VectorPath path{{1.0, 3.0}, {{0, 0, 0}, {4, -2, 6}}};
  CHECK(evaluate(path, 0.0) == Vec3d{0, 0, 0});
  CHECK(norm(evaluate(path, 1.5) - Vec3d{1, -0.5, 1.5}) < 1e-15);
  CHECK(evaluate(path, 3.0) == Vec3d{4, -2, 6});
  CHECK(evaluate(path, 9.0) == Vec3d{4, -2, 6});
  CHECK(evaluate(VectorPath{{0.0}, {{1, 2, 3}}}, 7.0) == Vec3d{1, 2, 3});
}

TEST_CASE("motions: keyframes, velocity and spin about the origin given") {
  Motion motion;
  motion.keyframes = {{0.0, {0, 0, 0}, {0, 0, 0}}, {2.0, {1, 0, 0}, {0, 0, 1.0}}};
  const Vec3d origin{5, 0, 0};
  const Pose middle = evaluate(motion, origin, 1.0);
  CHECK(norm(middle.apply(origin) - Vec3d{5.5, 0, 0}) < 1e-15);
  CHECK(norm(middle.apply(origin + Vec3d{1, 0, 0}) - Vec3d{5.5 + std::cos(0.5), std::sin(0.5), 0}) < 1e-15);
  CHECK(norm(middle.apply_inverse(middle.apply(Vec3d{1, 2, 3})) - Vec3d{1, 2, 3}) < 1e-14);

  Motion spin;
  spin.velocity = {0, 0, 2};
  spin.spin = {0, 3, 0};
  CHECK(!spin.is_static());
  const Pose later = evaluate(spin, origin, 0.5);
  CHECK(norm(later.apply(origin) - Vec3d{5, 0, 1}) < 1e-15);
  CHECK(test::frobenius(later.rotation - rotation_from_vector(Vec3d{0, 1.5, 0})) < 1e-15);
  CHECK(Motion{}.is_static());
}
