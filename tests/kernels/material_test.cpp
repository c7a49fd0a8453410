// Energies and stresses of solids: derivatives, invariance, small strain, precision, extreme states.
#include "tests/support/catch.hpp"
#include "tests/support/materials.hpp"

using namespace sinew;
using test::energy;
using test::frobenius;
using test::stress;

namespace {

constexpr test::Parameters kSoft{3.0, 7.0, 0.3};

}  // namespace

TEMPLATE_LIST_TEST_CASE("stress is the derivative of the energy", "", TetMaterials) {
  for (const test::State& state : test::states()) {
    INFO(TestType::kName << ", " << state.name);
    const Mat3d expected =
        test::gradient([&](const Mat3d& x) { return energy<TestType>(kSoft, x); }, state.f, 1e-3);
    CHECK(frobenius(stress<TestType>(kSoft, state.f) - expected) < 2e-9 * (1.0 + frobenius(expected)));
  }
}

TEMPLATE_LIST_TEST_CASE("energy and stress vanish at every rotation and do not see rotations", "",
                        TetMaterials) {
  test::Random random(2);
  const test::Parameters p{2.0e5, 9.0e5, 0.3};
  CHECK(energy<TestType>(p, Mat3d::identity()) == 0.0);
  for (int i = 0; i < 50; ++i) {
    const Mat3d r = random.rotation();
    CHECK(std::abs(energy<TestType>(p, r)) < 1e-20 * p.first_lame);
    CHECK(frobenius(stress<TestType>(p, r)) < 1e-8);
    for (const double size : {0.4, 1.5}) {  // the latter: inverted states too
      const Mat3d f = Mat3d::identity() + random.matrix(size);
      if (const auto s = svd3(f).s; s.y + s.z < 0.05) continue;  // the polar rotation jumps nearby
      const double e = energy<TestType>(p, f);
      const Mat3d s = stress<TestType>(p, f);
      CHECK(energy<TestType>(p, r * f) == Approx(e).epsilon(1e-10));
      CHECK(frobenius(stress<TestType>(p, r * f) - r * s) < 1e-10 * frobenius(s) + 1e-8);
      CHECK(energy<TestType>(p, f * r) == Approx(e).epsilon(1e-10));  // isotropic
      CHECK(frobenius(stress<TestType>(p, f * r) - s * r) < 1e-10 * frobenius(s) + 1e-8);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("small strains obey Hooke's law", "", TetMaterials) {
  test::Random random(3);
  const double lambda = test::lame_of<TestType>(kSoft);
  for (int i = 0; i < 20; ++i) {
    const Mat3d g = random.matrix();
    const Mat3d eps = 0.5 * (g + transpose(g));
    const Mat3d hooke = (2.0 * kSoft.shear_modulus) * eps + (lambda * trace(eps)) * Mat3d::identity();
    // Richardson: what is left is of second order in t.
    const double t = 1e-5;
    const auto over = [&](double step) {
      return (1.0 / step) * stress<TestType>(kSoft, Mat3d::identity() + step * g);
    };
    CHECK(frobenius(0.5 * (over(t) + over(-t)) - hooke) < 1e-8 * frobenius(hooke));
  }
}

TEMPLATE_LIST_TEST_CASE("energies near rest err by rounding times strain", "", TetMaterials) {
  test::Random random(4);
  const ElasticParameters<long double> exact{3.0L, 7.0L, 0.3L};
  const test::Parameters p{3.0, 7.0, double(0.3L)};
  for (const double size : {1e-1, 1e-2, 1e-3, 1e-5, 1e-7}) {
    for (int i = 0; i < 20; ++i) {
      const Mat3d f = random.rotation() * (Mat3d::identity() + random.matrix(size));
      Mat3<long double> wide, unused;
      for (int k = 0; k < 9; ++k) wide(k / 3, k % 3) = f(k / 3, k % 3);
      const double expected = double(TestType::energy_and_stress(exact, wide, unused));
      INFO(TestType::kName << " strain " << size);
      CHECK(std::abs(energy<TestType>(p, f) - expected) < 1e-15 * 60.0 * size);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("single precision agrees with double", "", TetMaterials) {
  for (const test::State& state : test::states()) {
    INFO(TestType::kName << ", " << state.name);
    Mat3<float> narrow, narrow_stress;
    Mat3d widened;
    for (int k = 0; k < 9; ++k) {
      narrow(k / 3, k % 3) = float(state.f(k / 3, k % 3));
      widened(k / 3, k % 3) = narrow(k / 3, k % 3);
    }
    const float e =
        TestType::energy_and_stress(ElasticParameters<float>{3.0f, 7.0f, 0.3f}, narrow, narrow_stress);
    const Mat3d s = stress<TestType>(kSoft, widened);
    CHECK(e == Approx(energy<TestType>(kSoft, widened)).epsilon(1e-5).margin(1e-5));
    double error = 0.0;
    for (int k = 0; k < 9; ++k)
      error = std::max(error, std::abs(narrow_stress(k / 3, k % 3) - s(k / 3, k % 3)));
    CHECK(error < 2e-5 * (1.0 + frobenius(s)));
  }
}

TEMPLATE_LIST_TEST_CASE("every finite F has a finite energy and stress", "", TetMaterials) {
  test::Random random(5);
  std::vector<Mat3d> extreme{Mat3d{},
                             1e-200 * Mat3d::identity(),
                             Mat3d::diagonal(1, 0, 0),
                             Mat3d::diagonal(1, 1, 0),
                             Mat3d::diagonal(0, 0, -3),
                             Mat3d::diagonal(1, 1, -1),
                             Mat3d::diagonal(-1, -1, -1)};
  const Vec3d a = random.vector(), b = random.vector();
  extreme.push_back(Mat3d::columns(b.x * a, b.y * a, b.z * a));  // rank 1
  extreme.push_back(Mat3d::columns(a, b, a + b));                // rank 2
  for (const double size : {1e-30, 1e-8, 1e3, 1e8, 1e30}) {
    extreme.push_back(size * random.matrix());
    extreme.push_back(size * (-1.0 * random.rotation()));
    extreme.push_back(Mat3d::diagonal(size, 1.0, 1.0 / size));
  }
  for (const Mat3d& f : extreme) {
    INFO(TestType::kName << ' ' << f(0, 0) << ' ' << f(1, 1) << ' ' << f(2, 2));
    CHECK(std::isfinite(energy<TestType>(kSoft, f)));
    CHECK(std::isfinite(frobenius(1e-200 * stress<TestType>(kSoft, f))));
  }
}

TEMPLATE_TEST_CASE("barriers continue with continuous second derivatives", "", NeoHookean, MooneyRivlin) {
  test::Random random(6);
  for (int i = 0; i < 20; ++i) {
    Mat3d f = random.rotation() * Mat3d::diagonal(random.uniform(0.2, 1.5), random.uniform(0.2, 1.5), 1.0);
    // Scaled onto J = kLeastRatio, or (odd) onto the least I1, both of which are joints.
    const double target = i % 2 == 0 ? std::cbrt(kLeastRatio<double> / determinant(f))
                                     : std::sqrt(kLeastFirstInvariant<double> / double_dot(f, f));
    f = target * f;
    const auto at = [&](double t) { return svd3((1.0 + t) * f).s; };
    const auto below = TestType::stretch_derivatives(kSoft, at(-1e-9)),
               above = TestType::stretch_derivatives(kSoft, at(1e-9));
    CHECK(energy<TestType>(kSoft, (1 - 1e-9) * f) ==
          Approx(energy<TestType>(kSoft, (1 + 1e-9) * f)).epsilon(1e-7));
    CHECK(norm(above.gradient - below.gradient) < 1e-7 * norm(above.gradient));
    CHECK(frobenius(above.hessian - below.hessian) < 1e-7 * frobenius(above.hessian));
  }
}

TEMPLATE_TEST_CASE("inverted, flat and crushed elements are pushed open", "", NeoHookean, MooneyRivlin,
                   StableNeoHookean, FixedCorotated) {
  for (const double lambda : {0.0, 4.0, 500.0}) {
    const test::Parameters p{1.0, lambda, 0.3};
    for (const double a : {0.3, 0.9, 1.5})
      for (const double b : {0.3, 0.8})
        for (const double c : {0.0, -0.01, -0.1, -0.25})
          CHECK(stress<TestType>(p, Mat3d::diagonal(std::max(a, b), std::min(a, b), c))(2, 2) < 0.0);
  }
}

TEMPLATE_TEST_CASE("a point is a maximum of the energy with a barrier", "", NeoHookean, MooneyRivlin) {
  test::Random random(7);
  const double at_point = energy<TestType>(kSoft, Mat3d{});
  for (int i = 0; i < 30; ++i) CHECK(energy<TestType>(kSoft, 0.002 * random.matrix()) < at_point);
}
