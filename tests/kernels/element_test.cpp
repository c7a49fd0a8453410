// Shapes of elements and Kelvin-Voigt damping.
#include "kernels/element/material/kelvin_voigt.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/element/shape/triangle.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/materials.hpp"

using namespace sinew;
using test::energy;
using test::frobenius;

TEST_CASE("Kelvin-Voigt damping: derivative, no torque, blind to rigid motion, Rayleigh at small strain") {
  test::Random random(5);
  const double vm = 2.0, vl = 5.0;
  for (int i = 0; i < 30; ++i) {
    const Mat3d start = Mat3d::identity() + random.matrix(0.4), f = Mat3d::identity() + random.matrix(0.4);
    const Mat3d e0 = green_strain(start);
    Mat3d p;
    const double psi = add_kelvin_voigt(vm, vl, f, e0, p);
    CHECK(psi >= 0.0);
    const Mat3d g = test::gradient(
        [&](const Mat3d& x) {
          Mat3d unused;
          return add_kelvin_voigt(vm, vl, x, e0, unused);
        },
        f);
    CHECK(frobenius(p - g) < 1e-9 * (1 + frobenius(g)));
    const Mat3d moment = p * transpose(f);
    CHECK(frobenius(moment - transpose(moment)) < 1e-13);
    Mat3d rigid;
    CHECK(add_kelvin_voigt(vm, vl, random.rotation() * start, e0, rigid) < 1e-25);
    CHECK(frobenius(rigid) < 1e-13);
  }
}

TEST_CASE("tetrahedron: affine map and corner gradients") {
  test::Random random(6);
  const Vec3d x[4] = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 1, 0}, {0, 0.1, 1}};
  const Mat3d rest = inverse(tet_edges(x[0], x[1], x[2], x[3]));
  const double volume = 1.0 / (6.0 * determinant(rest));
  const Mat3d a = Mat3d::identity() + random.matrix(0.3);
  Vec3d y[4];
  for (int i = 0; i < 4; ++i) y[i] = a * x[i] + Vec3d{1, 2, 3};
  CHECK(frobenius(tet_deformation_gradient(y[0], y[1], y[2], y[3], rest) - a) < 1e-14);
  const test::Parameters p{3.0, 7.0};
  Mat3d s;
  StableNeoHookean::energy_and_stress(p, a, s);
  const Mat3d g = tet_corner_gradients(s, rest, volume);
  for (int corner = 1; corner < 4; ++corner) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = [&](double t) {
        Vec3d z[4] = {y[0], y[1], y[2], y[3]};
        z[corner][axis] += t;
        return volume * energy<StableNeoHookean>(p, tet_deformation_gradient(z[0], z[1], z[2], z[3], rest));
      };
      CHECK(g(axis, corner - 1) == Approx((at(1e-5) - at(-1e-5)) / 2e-5).margin(1e-8));
    }
  }
}

TEST_CASE("triangle: rest measure, affine map and corner gradients") {
  test::Random random(7);
  const Vec3d x[3] = {{0.3, 0.1, -1}, {1.2, 0.4, -0.7}, {0.4, 1.5, 0.2}};
  const Mat2d rest = triangle_rest_inverse(x[0], x[1], x[2]);
  const double area = triangle_area(x[0], x[1], x[2]);
  CHECK(0.5 / (rest(0, 0) * rest(1, 1)) == Approx(area).epsilon(1e-14));
  CHECK(rest(1, 0) == 0.0);
  // At rest F has orthonormal columns, the first along edge 0-1.
  const Mat32d at_rest = triangle_deformation_gradient(x[0], x[1], x[2], rest);
  CHECK(norm(at_rest.column(0) - normalized(x[1] - x[0])) < 1e-14);
  CHECK(squared_norm(at_rest.column(1)) == Approx(1.0).epsilon(1e-14));
  CHECK(std::abs(dot(at_rest.column(0), at_rest.column(1))) < 1e-14);
  // Of an affine map A in space: F = A times that.
  const Mat3d a = Mat3d::identity() + random.matrix(0.3);
  Vec3d y[3];
  for (int i = 0; i < 3; ++i) y[i] = a * x[i] + Vec3d{1, 2, 3};
  const Mat32d f = triangle_deformation_gradient(y[0], y[1], y[2], rest);
  CHECK(frobenius(f - Mat32d::columns(a * at_rest.column(0), a * at_rest.column(1))) < 1e-14);
  const test::Parameters p{3.0, 7.0};
  const Mat32d g = triangle_corner_gradients(test::stress<MembraneNeoHookean>(p, f), rest, 0.01 * area);
  for (int corner = 1; corner < 3; ++corner) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = [&](double t) {
        Vec3d z[3] = {y[0], y[1], y[2]};
        z[corner][axis] += t;
        return 0.01 * area *
               energy<MembraneNeoHookean>(p, triangle_deformation_gradient(z[0], z[1], z[2], rest));
      };
      CHECK(g(axis, corner - 1) == Approx((at(1e-5) - at(-1e-5)) / 2e-5).epsilon(1e-7).margin(1e-11));
    }
  }
}
