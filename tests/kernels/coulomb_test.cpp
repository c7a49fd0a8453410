#include "kernels/element/contact/coulomb.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

TEST_CASE("contact frames are orthonormal and right-handed") {
  test::Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3d n = normalized(random.vector());
    const auto f = make_contact_frame(n);
    CHECK(std::abs(dot(f.n, f.t1)) < 1e-15);
    CHECK(std::abs(dot(f.t1, f.t2)) < 1e-15);
    CHECK(norm(f.t1) == Approx(1.0).epsilon(1e-14));
    CHECK(norm(cross(f.t1, f.t2) - f.n) < 1e-14);
  }
}

TEST_CASE("one contact: take off, stick, slide") {
  CHECK(solve_coulomb_point(Vec3d{0.1, 1, 1}, 2.0, 0.5) == Vec3d{0, 0, 0});
  CHECK(solve_coulomb_point(Vec3d{0.0, 1, 1}, 2.0, 0.5) == Vec3d{0, 0, 0});
  CHECK(solve_coulomb_point(Vec3d{-4.0, 0.6, -0.8}, 2.0, 0.5) == Vec3d{2, -0.3, 0.4});
  const Vec3d slide = solve_coulomb_point(Vec3d{-4.0, 6.0, -8.0}, 2.0, 0.5);
  CHECK(slide.x == 2.0);
  CHECK(slide.y == Approx(-0.6));
  CHECK(slide.z == Approx(0.8));
  CHECK(solve_coulomb_point(Vec3d{-1.0, 0.0, 0.0}, 0.0, 0.5) == Vec3d{0, 0, 0});  // no compliance: dropped
}

TEST_CASE("the natural map is zero exactly on the law") {
  test::Random random(2);
  for (int i = 0; i < 2000; ++i) {
    const double r = random.uniform(0.1, 3.0), mu = i % 5 == 0 ? 0.0 : random.uniform(0.0, 1.5);
    const Vec3d free = random.vector();
    const Vec3d f = solve_coulomb_point(free, r, mu);
    const Vec3d u = free + r * f;
    CHECK(natural_map_residual(u, f, r, mu) < 1e-14);
    CHECK(u.x >= -1e-15);
    CHECK(f.x >= 0.0);
    CHECK(std::abs(u.x * f.x) < 1e-14);
    const double ft = std::hypot(f.y, f.z), d = std::hypot(u.y, u.z);
    CHECK(ft <= mu * f.x + 1e-14);
    if (f.x > 0.0 && d > 1e-12) {  // slides: force opposite to slip, on the cone
      CHECK(ft == Approx(mu * f.x).margin(1e-13));
      CHECK(f.y * u.y + f.z * u.z == Approx(-ft * d).margin(1e-13));
    }
    // Away from the law it is not zero: a force at a distance.
    CHECK(natural_map_residual(Vec3d{0.2, u.y, u.z}, f + Vec3d{0.1, 0, 0}, r, mu) > 1e-3 * r);
  }
}

TEST_CASE("projection on the cone is the nearest point") {
  CHECK(project_on_cone(Vec3d{-5, 0, 0}, 0.0) == Vec3d{0, 0, 0});
  CHECK(project_on_cone(Vec3d{5, 1, 0}, 0.0) == Vec3d{5, 0, 0});
  test::Random random(3);
  for (int i = 0; i < 500; ++i) {
    const double mu = random.uniform(0.05, 1.5);
    const Vec3d f = random.vector();
    const Vec3d p = project_on_cone(f, mu);
    CHECK(std::hypot(p.y, p.z) <= mu * p.x + 1e-14);
    for (int k = 0; k < 20; ++k) {
      const double n = random.uniform(0, 2), a = random.uniform(0, 6.3), t = random.uniform(0, mu * n);
      const Vec3d other{n, t * std::cos(a), t * std::sin(a)};
      CHECK(norm(f - p) <= norm(f - other) + 1e-13);
    }
  }
}
