// Proximal maps argmin_P w/2 |P - F|^2 + psi(P), and why their plain fixed point is a softer material.
#include "tests/support/catch.hpp"
#include "tests/support/materials.hpp"

using namespace sinew;
using test::energy;
using test::frobenius;
using test::stress;

namespace {

constexpr test::Parameters kSoft{3.0, 7.0, 0.3};

template <class M>
double objective(const test::Parameters& p, const Mat3d& at, const Mat3d& f, double weight) {
  return 0.5 * weight * double_dot(at - f, at - f) + energy<M>(p, at);
}

template <class M>
void check_minimum(const test::Parameters& p, const Mat3d& at, const Mat3d& f, double weight) {
  test::Random random(13);
  const double value = objective<M>(p, at, f, weight);
  for (const double size : {1e-3, 1e-1, 0.5})
    for (int i = 0; i < 20; ++i)
      CHECK(value <= objective<M>(p, at + random.matrix(size), f, weight) + 1e-13 * std::abs(value));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("projection is stationary and a minimum", "", TetMaterials) {
  for (const test::State& state : test::states()) {
    for (const double weight : {1.0, 2 * kSoft.shear_modulus + kSoft.first_lame, 200.0}) {
      INFO(TestType::kName << ", " << state.name << ", weight " << weight);
      const Mat3d p = TestType::projection(kSoft, state.f, weight);
      const Mat3d residual = weight * (p - state.f) + stress<TestType>(kSoft, p);
      CHECK(frobenius(residual) < 1e-11 * (weight + 10.0));
      check_minimum<TestType>(kSoft, p, state.f, weight);
    }
  }
}

TEMPLATE_TEST_CASE("projection of collapsed, mirrored and strongly stretched states lowers the objective", "",
                   StableNeoHookean, FixedCorotated, NeoHookean, StVenantKirchhoff, MooneyRivlin) {
  test::Random random(14);
  for (const Vec3d s : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{1, 1, 0}, Vec3d{1, 1, -1}, Vec3d{6, 1, -0.1},
                        Vec3d{0.2, 0.1, -0.1}, Vec3d{20, 1, 1}}) {
    const Mat3d f = random.rotation() * Mat3d::diagonal(s.x, s.y, s.z) * random.rotation();
    const double weight = 2 * kSoft.shear_modulus + kSoft.first_lame;
    const Mat3d p = TestType::projection(kSoft, f, weight);
    INFO(TestType::kName << ' ' << s.x << ' ' << s.y << ' ' << s.z);
    CHECK(frobenius(weight * (p - f) + stress<TestType>(kSoft, p)) <
          1e-10 * (weight + frobenius(stress<TestType>(kSoft, p))));
    CHECK(objective<TestType>(kSoft, p, f, weight) <= energy<TestType>(kSoft, f) * (1 + 1e-12));
  }
}

TEST_CASE("projection of corotated elasticity onto its kink") {
  // Strongly stretched and flat: lambda tr > 2 mu, and the minimum has s_2 + s_3 = 0 and no classical
  // derivative.
  const test::Parameters p{1.0, 50.0};
  test::Random random(15);
  const Mat3d f = random.rotation() * Mat3d::diagonal(6, 0.2, -0.1) * random.rotation();
  const Mat3d at = Corotated::projection(p, f, 5.0);
  const Vec3d s = svd3(at).s;
  CHECK(std::abs(s.y + s.z) < 1e-12);
  CHECK(s.y == Approx(5.0 * 0.3 / (2 * (5.0 + 2.0))).epsilon(1e-12));
  check_minimum<Corotated>(p, at, f, 5.0);
}

TEMPLATE_LIST_TEST_CASE("plain projection is a softer material, the dual one is not", "", TetMaterials) {
  // One element under the stress of a small strain. The fixed point of plain projections has the stress
  // w (F - prox F): the derivative of the Moreau envelope, of stiffness w k / (w + k).
  const double weight = 2 * kSoft.shear_modulus + test::lame_of<TestType>(kSoft);
  struct Mode {
    Mat3d direction;
    double stiffness;
  };
  Mat3d shear;
  shear(0, 1) = shear(1, 0) = 1.0;
  const Mode modes[] = {{shear, 2 * kSoft.shear_modulus},
                        {Mat3d::identity(), 2 * kSoft.shear_modulus + 3 * test::lame_of<TestType>(kSoft)}};
  for (const Mode& mode : modes) {
    const double t = 1e-6, k = mode.stiffness, soft = weight * k / (weight + k);
    const Mat3d f = Mat3d::identity() + t * mode.direction;
    const Mat3d plain = weight * (f - TestType::projection(kSoft, f, weight));
    CHECK(frobenius(plain - (soft * t) * mode.direction) < 1e-4 * soft * t);
    CHECK(frobenius(stress<TestType>(kSoft, f) - (k * t) * mode.direction) < 1e-4 * k * t);
    CHECK(soft < 0.75 * k);
    // ADMM under a load: F = p - u + load / w, u += F - p. Its fixed point has the stress of the load.
    const Mat3d load = (0.02 * k) * mode.direction;
    Mat3d u, x = Mat3d::identity();
    for (int i = 0; i < 300; ++i) {
      const Mat3d p = TestType::projection(kSoft, x + u, weight);
      u += x - p;
      x = p - u + (1.0 / weight) * load;
    }
    CHECK(frobenius(stress<TestType>(kSoft, x) - load) < 1e-9 * frobenius(load));
  }
}
