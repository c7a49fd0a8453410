#include "kernels/element/small_matrix/polar.hpp"
#include "kernels/element/small_matrix/svd3.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using sinew::test::frobenius;

namespace {
void check_svd(const Mat3d& f) {
  const Svd3<double> d = svd3(f);
  const double scale = frobenius(f) + 1e-300;
  const Mat3d rebuilt = d.u * Mat3d::diagonal(d.s.x, d.s.y, d.s.z) * transpose(d.v);
  CHECK(frobenius(rebuilt - f) <= 1e-14 * scale);
  CHECK(frobenius(transpose(d.u) * d.u - Mat3d::identity()) < 1e-14);
  CHECK(frobenius(transpose(d.v) * d.v - Mat3d::identity()) < 1e-14);
  CHECK(determinant(d.u) == Approx(1.0).epsilon(1e-14));
  CHECK(determinant(d.v) == Approx(1.0).epsilon(1e-14));
  CHECK(d.s.x >= d.s.y);
  CHECK(d.s.y >= std::abs(d.s.z));
}
}  // namespace

TEST_CASE("svd3 rebuilds random, scaled, inverted and singular matrices") {
  test::Random random(1);
  for (int i = 0; i < 500; ++i) {
    Mat3d f = random.matrix();
    check_svd(f);
    check_svd(1e-9 * f);
    check_svd(1e7 * f);
    for (int j = 0; j < 3; ++j) f(2, j) = f(0, j) + f(1, j);  // rank 2
    check_svd(f);
    for (int j = 0; j < 3; ++j) f(1, j) = 2.0 * f(0, j), f(2, j) = -f(0, j);  // rank 1
    check_svd(f);
  }
  check_svd(Mat3d{});
  check_svd(Mat3d::identity());
  check_svd(Mat3d::diagonal(1, 1, -1));
  check_svd(Mat3d::diagonal(-1, -1, -1));
}

TEST_CASE("svd3 keeps the digits of small singular values") {
  test::Random random(2);
  for (int i = 0; i < 50; ++i) {
    const Mat3d f = random.rotation() * Mat3d::diagonal(1.0, 1e-5, 1e-9) * random.rotation();
    const Svd3<double> d = svd3(f);
    CHECK(d.s.y == Approx(1e-5).epsilon(1e-9));
    CHECK(d.s.z == Approx(1e-9).epsilon(1e-5));
  }
}

TEST_CASE("polar rotation is the nearest rotation") {
  test::Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Mat3d f = random.matrix(1.5);
    const Mat3d r = polar_rotation(f);
    CHECK(frobenius(transpose(r) * r - Mat3d::identity()) < 1e-13);
    CHECK(determinant(r) == Approx(1.0).epsilon(1e-13));
    for (int k = 0; k < 5; ++k) {
      const Mat3d other = rotation_from_vector(random.vector(0.3)) * r;
      CHECK(frobenius(f - r) <= frobenius(f - other) + 1e-13);
    }
  }
}

TEST_CASE("polar rotation of a rotated stretch gives the rotation back") {
  test::Random random(4);
  for (int i = 0; i < 100; ++i) {
    const Mat3d r = random.rotation();
    const Mat3d v = random.rotation();
    const Mat3d s =
        v * Mat3d::diagonal(random.uniform(0.01, 3), random.uniform(0.01, 3), random.uniform(0.01, 3)) *
        transpose(v);
    CHECK(frobenius(polar_rotation(r * s) - r) < 1e-11);
  }
}

TEST_CASE("polar rotation keeps its digits near rest, whatever the size of F") {
  test::Random random(6);
  for (const double strain : {0.0, 1e-6, 1e-3, 0.03, 0.1, 0.3}) {
    for (const double size : {1e-170, 1e-31, 1e-3, 1.0, 1e4, 1e31, 1e150}) {
      for (int i = 0; i < 20; ++i) {
        const Mat3d r = random.rotation(), v = random.rotation();
        const Mat3d stretch = Mat3d::diagonal(1 + random.uniform(-strain, strain), 1 + random.uniform(-strain, strain),
                                              1 + random.uniform(-strain, strain));
        CHECK(frobenius(polar_rotation(size * (r * (v * stretch * transpose(v)))) - r) < 4e-15);
      }
    }
  }
  CHECK(frobenius(polar_rotation(Mat3d{}) - Mat3d::identity()) == 0.0);
  Mat3d bad = Mat3d::identity();
  bad(1, 2) = std::nan("");
  CHECK(std::isnan(polar_rotation(bad)(0, 0)));
}

TEST_CASE("rotation from a vector turns by its length") {
  const Vec3d turned = rotation_from_vector(Vec3d{0, 0, std::acos(-1.0) / 2}) * Vec3d{1, 0, 0};
  CHECK(norm(turned - Vec3d{0, 1, 0}) < 1e-15);
  CHECK(frobenius(rotation_from_vector(Vec3d{}) - Mat3d::identity()) == 0.0);
  const Mat3d tiny = rotation_from_vector(Vec3d{1e-9, 0, 0});
  CHECK(tiny(2, 1) == Approx(1e-9).epsilon(1e-12));
}

TEST_CASE("inverse and cofactor agree with the definition") {
  test::Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Mat3d a = random.matrix() + 2.0 * Mat3d::identity();
    CHECK(frobenius(a * inverse(a) - Mat3d::identity()) < 1e-13);
    const Mat3d g = test::gradient([](const Mat3d& x) { return determinant(x); }, a);
    CHECK(frobenius(g - cofactor(a)) < 1e-9);
  }
}
