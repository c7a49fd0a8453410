#include "kernels/element/material/kelvin_voigt.hpp"
#include "kernels/element/material/material_list.hpp"
#include "kernels/element/shape/tet.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/finite_difference.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using sinew::test::frobenius;

namespace {

template <class M>
double energy(const typename M::template Params<double>& p, const Mat3d& f) {
  Mat3d stress;
  return M::energy_and_stress(p, f, stress);
}
template <class M>
Mat3d stress(const typename M::template Params<double>& p, const Mat3d& f) {
  Mat3d result;
  M::energy_and_stress(p, f, result);
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("stress is the derivative of the energy", "", Arap, StableNeoHookean, Corotated,
                   FixedCorotated, NeoHookean, StVenantKirchhoff, MooneyRivlin) {
  test::Random random(1);
  const typename TestType::template Params<double> p{3.0, 7.0};
  const auto check = [&](const Mat3d& f) {
    const Mat3d expected = test::gradient([&](const Mat3d& x) { return energy<TestType>(p, x); }, f, 1e-3);
    CHECK(frobenius(stress<TestType>(p, f) - expected) < 2e-9 * (1.0 + frobenius(expected)));
  };
  for (int i = 0; i < 50; ++i) {
    const Mat3d r = random.rotation();
    check(r);                                                       // at rest, rotated
    check(r * Mat3d::diagonal(1.5, 0.7, 1.1) * random.rotation());  // stretched
    check(r * (Mat3d::identity() + random.matrix(0.3)));            // sheared
  }
  check(Mat3d::diagonal(1.2, 0.9, -0.5));     // inverted
  check(Mat3d::diagonal(0.97, 1.03, -0.92));  // inverted, with the strain of a small one
  check(Mat3d::diagonal(1.2, 0.9, -1e-2));    // nearly flat, inverted
  check(Mat3d::diagonal(1.3, 0.8, 1e-2));     // nearly flat
}

TEMPLATE_TEST_CASE("energy and stress vanish at every rotation and do not see rotations", "", Arap,
                   StableNeoHookean, Corotated, FixedCorotated, NeoHookean, StVenantKirchhoff, MooneyRivlin) {
  test::Random random(2);
  const typename TestType::template Params<double> p{2.0e5, 9.0e5};
  for (int i = 0; i < 50; ++i) {
    const Mat3d r = random.rotation();
    CHECK(std::abs(energy<TestType>(p, r)) < 1e-9);
    CHECK(frobenius(stress<TestType>(p, r)) < 1e-8);
    const Mat3d f = Mat3d::identity() + random.matrix(0.4);
    CHECK(energy<TestType>(p, r * f) == Approx(energy<TestType>(p, f)).epsilon(1e-11));
    CHECK(frobenius(stress<TestType>(p, r * f) - r * stress<TestType>(p, f)) <
          1e-10 * frobenius(stress<TestType>(p, f)) + 1e-8);
    CHECK(energy<TestType>(p, f * r) == Approx(energy<TestType>(p, f)).epsilon(1e-11));  // isotropic
  }
}

TEMPLATE_TEST_CASE("small strains obey Hooke's law", "", Arap, StableNeoHookean, Corotated, FixedCorotated,
                   NeoHookean, StVenantKirchhoff, MooneyRivlin) {
  test::Random random(3);
  const typename TestType::template Params<double> p{3.0, 7.0};
  const double lambda = std::is_same_v<TestType, Arap> ? 0.0 : p.first_lame;
  for (int i = 0; i < 20; ++i) {
    const Mat3d g = random.matrix();
    const Mat3d eps = 0.5 * (g + transpose(g));
    const Mat3d hooke = (2.0 * p.shear_modulus) * eps + (lambda * trace(eps)) * Mat3d::identity();
    const double t = 1e-6;
    const Mat3d p1 = stress<TestType>(p, Mat3d::identity() + t * g);
    CHECK(frobenius((1.0 / t) * p1 - hooke) < 2e-4 * frobenius(hooke));
  }
}

TEST_CASE("stable Neo-Hookean closed forms: uniform scaling and simple shear") {
  const StableNeoHookean::Params<double> p{3.0, 7.0};
  const double mu = 4.0, lambda = 7.0 + 2.5, alpha = 1.0 + 0.75 * mu / lambda;
  for (const double s : {0.3, 0.8, 1.0, 1.7}) {
    const double j = s * s * s, ic = 3 * s * s;
    const double expected = mu * (1 - 1 / (ic + 1)) * s + lambda * (j - alpha) * s * s;
    CHECK(stress<StableNeoHookean>(p, Mat3d::diagonal(s, s, s))(1, 1) == Approx(expected).margin(1e-13));
  }
  Mat3d f = Mat3d::identity();
  f(0, 1) = 0.6;  // J = 1: P_01 = mu (1 - 1/(I_C + 1)) gamma, since cof(F)_01 = 0
  CHECK(stress<StableNeoHookean>(p, f)(0, 1) == Approx(mu * (1 - 1 / (4 + 0.36)) * 0.6).epsilon(1e-13));
}

TEST_CASE("ARAP closed form: P = 2 mu (F - R) on a rotated stretch") {
  test::Random random(4);
  const Arap::Params<double> p{3.0, 0.0};
  const Mat3d r = random.rotation(), s = Mat3d::diagonal(1.4, 0.8, 1.1);
  CHECK(frobenius(stress<Arap>(p, r * s) - 6.0 * (r * (s - Mat3d::identity()))) < 1e-12);
  CHECK(energy<Arap>(p, r * s) == Approx(3.0 * (0.16 + 0.04 + 0.01)).epsilon(1e-12));
}

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
  const StableNeoHookean::Params<double> p{3.0, 7.0};
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
