// Energies of sheets: derivatives, invariance, plane stress, collapsed states, closed forms, projections.
#include "tests/reference/material_hessian.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/materials.hpp"

using namespace sinew;
using test::energy;
using test::frobenius;
using test::stress;

namespace {

constexpr double mu = 3.0, lambda = 7.0;
constexpr test::Parameters kSoft{mu, lambda};
constexpr double kYoung = mu * (3 * lambda + 2 * mu) / (lambda + mu), kPoisson = lambda / (2 * (lambda + mu));
constexpr double plane = 2 * lambda * mu / (lambda + 2 * mu);  // lambda of plane stress

Mat32d diagonal(double a, double b) {
  Mat32d f;
  f(0, 0) = a;
  f(1, 1) = b;
  return f;
}

Mat32d turned(const Mat3d& q, const Mat32d& f) {
  return Mat32d::columns(q * f.column(0), q * f.column(1));
}
Mat2d plane_turn(double angle) {
  Mat2d r;
  r(0, 0) = r(1, 1) = std::cos(angle);
  r(1, 0) = std::sin(angle);
  r(0, 1) = -r(1, 0);
  return r;
}

std::vector<Mat32d> states() {
  test::Random random(21);
  std::vector<Mat32d> s{diagonal(1, 1),     diagonal(1.8, 1.2),  diagonal(0.6, 0.8),
                        diagonal(1.4, 1.4), diagonal(1.3, 0.03), diagonal(0.2, 0.15)};
  for (int i = 0, n = int(s.size()); i < n; ++i)
    s.push_back(turned(random.rotation(), s[i] * plane_turn(random.uniform(-3, 3))));
  for (int i = 0; i < 15; ++i) {
    const Mat3d m = Mat3d::identity() + random.matrix(0.3);
    s.push_back(Mat32d::columns(m.column(0), m.column(1)));
  }
  return s;
}

/// d f / dF by the five-point stencil.
template <class F>
Mat32d gradient(const F& f, const Mat32d& a, double step) {
  Mat32d g;
  for (int i = 0; i < 6; ++i) {
    const auto at = [&](double t) {
      Mat32d b = a;
      b(i / 2, i % 2) += t;
      return f(b);
    };
    g(i / 2, i % 2) = (8.0 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12.0 * step);
  }
  return g;
}

Mat32d random_change(test::Random& random, double size) {
  return Mat32d::columns(random.vector(size), random.vector(size));
}

template <class M>
MaterialKind kind_of() {
  for (const MaterialKind kind : kTriangleMaterialKinds)
    if (with_triangle_material(kind, []<class K>(K) { return std::is_same_v<K, M>; })) return kind;
  throw std::logic_error("not in the list");
}

template <class M>
double objective(const Mat32d& at, const Mat32d& f, double weight) {
  return 0.5 * weight * double_dot(at - f, at - f) + energy<M>(kSoft, at);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("membrane: stress is the derivative of the energy, the Hessian that of the stress",
                        "", TriangleMaterials) {
  for (const Mat32d& f : states()) {
    INFO(TestType::kName << ' ' << svd32(f).s[0] << ' ' << svd32(f).s[1]);
    const Mat32d expected = gradient([](const Mat32d& x) { return energy<TestType>(kSoft, x); }, f, 3e-4);
    CHECK(frobenius(stress<TestType>(kSoft, f) - expected) < 4e-9 * (10.0 + frobenius(expected)));
    const auto h = reference::membrane_stress_derivative(kind_of<TestType>(), kSoft, f);
    CHECK((h - h.transpose()).norm() <= 1e-14 * h.norm());
    const double step = 1e-4;
    for (int k = 0; k < 6; ++k) {
      const Mat32d d =
          gradient([&](const Mat32d& x) { return stress<TestType>(kSoft, x)(k / 2, k % 2); }, f, step);
      for (int i = 0; i < 6; ++i) CHECK(std::abs(h(k, i) - d(i / 2, i % 2)) < 1e-7 * h.norm());
    }
  }
}

TEMPLATE_LIST_TEST_CASE("membrane: no energy at rest, none seen by rotations of space and of the sheet", "",
                        TriangleMaterials) {
  test::Random random(22);
  CHECK(energy<TestType>(kSoft, diagonal(1, 1)) == 0.0);
  for (const Mat32d& f : states()) {
    const Mat3d q = random.rotation();
    const Mat2d t = plane_turn(random.uniform(-3, 3));
    CHECK(std::abs(energy<TestType>(kSoft, turned(q, diagonal(1, 1) * t))) < 1e-28);
    const double e = energy<TestType>(kSoft, f);
    const Mat32d s = stress<TestType>(kSoft, f);
    CHECK(energy<TestType>(kSoft, turned(q, f) * t) == Approx(e).epsilon(1e-10).margin(1e-27));
    CHECK(frobenius(stress<TestType>(kSoft, turned(q, f) * t) - turned(q, s) * t) <
          1e-11 * (10 + frobenius(s)));
  }
}

TEMPLATE_LIST_TEST_CASE("membrane: small strain is Hooke's law of plane stress", "", TriangleMaterials) {
  const double l = std::is_same_v<TestType, MembraneArap> ? 0.0 : plane, t = 1e-5;
  const auto slope = [&](const Mat32d& g) {
    return (0.5 / t) * (stress<TestType>(kSoft, diagonal(1, 1) + t * g) -
                        stress<TestType>(kSoft, diagonal(1, 1) - t * g));
  };
  const Mat32d pull = slope(diagonal(1, 0));
  CHECK(pull(0, 0) == Approx(2 * mu + l).epsilon(1e-8));
  CHECK(pull(1, 1) == Approx(l).epsilon(1e-8).margin(1e-8));
  Mat32d g;
  g(0, 1) = 1.0;
  CHECK(slope(g)(0, 1) == Approx(mu).epsilon(1e-8));
  CHECK(slope(g)(1, 0) == Approx(mu).epsilon(1e-8));
  // With free sides that is Young's modulus and Poisson's ratio of the solid.
  if (l > 0) {
    const Mat32d free = slope(diagonal(1, -kPoisson));
    CHECK(free(0, 0) == Approx(kYoung).epsilon(1e-8));
    CHECK(std::abs(free(1, 1)) < 1e-7);
  }
}

TEMPLATE_LIST_TEST_CASE("membrane: energies near rest err by rounding times strain", "", TriangleMaterials) {
  test::Random random(24);
  for (const double size : {1e-1, 1e-3, 1e-5, 1e-7}) {
    for (int i = 0; i < 20; ++i) {
      const Mat32d f = turned(random.rotation(), diagonal(1, 1) + random_change(random, size));
      Mat32<long double> wide, unused;
      for (int k = 0; k < 6; ++k) wide(k / 2, k % 2) = f(k / 2, k % 2);
      const double expected =
          double(TestType::energy_and_stress(ElasticParameters<long double>{3.0L, 7.0L}, wide, unused));
      CHECK(std::abs(energy<TestType>(kSoft, f) - expected) < 1e-15 * 30.0 * size);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("membrane: collapsed triangles have finite values", "", TriangleMaterials) {
  test::Random random(25);
  const Vec3d a = random.vector();
  for (const double size : {0.0, 1e-30, 1e-8, 1.0, 1e8, 1e30}) {
    for (const Mat32d& f : {Mat32d::columns(size * a, 2.0 * size * a), Mat32d::columns(size * a, {}),
                            Mat32d::columns({}, size * a), Mat32d::columns(size * a, random.vector(size))}) {
      CHECK(std::isfinite(energy<TestType>(kSoft, f)));
      CHECK(std::isfinite(frobenius(stress<TestType>(kSoft, f))));
    }
  }
}

TEST_CASE("membrane: a triangle that is a line is pushed open, one that is a point turns out of it") {
  test::Random random(26);
  const auto opens = [&](auto material, const Mat32d& f) {
    using M = decltype(material);
    const Mat32d s = stress<M>(kSoft, f), moved = f - 1e-4 * s;
    CHECK(energy<M>(kSoft, moved) < energy<M>(kSoft, f));
    CHECK(norm(cross(moved.column(0), moved.column(1))) > 1e-5);
  };
  for (int i = 0; i < 10; ++i) {
    const Vec3d a = random.vector();
    for (const Mat32d& f : {Mat32d::columns(a, 0.5 * a), Mat32d::columns(a, {}), Mat32d::columns({}, a)}) {
      opens(MembraneArap{}, f);
      opens(MembraneCorotated{}, f);
      opens(MembraneNeoHookean{}, f);
      // Green strain is even in the stretch: no force opens it. docs/method.md says so.
      const Mat32d s = stress<MembraneStVenantKirchhoff>(kSoft, f);
      CHECK(norm(cross(s.column(0), a)) + norm(cross(s.column(1), a)) < 1e-13);
    }
  }
  CHECK(frobenius(stress<MembraneArap>(kSoft, Mat32d{})) > mu);
  CHECK(frobenius(stress<MembraneNeoHookean>(kSoft, Mat32d{})) == 0.0);
  CHECK(energy<MembraneNeoHookean>(kSoft, diagonal(1e-3, 1e-3)) <
        energy<MembraneNeoHookean>(kSoft, Mat32d{}));
}

TEST_CASE("membrane: Neo-Hookean continues with continuous second derivatives") {
  for (const double s : {0.25, 0.6, 1.5}) {
    const double other = kLeastRatio<double> / s;
    const auto below = MembraneNeoHookean::stretch_derivatives(kSoft, s, other * (1 - 1e-9)),
               above = MembraneNeoHookean::stretch_derivatives(kSoft, s, other * (1 + 1e-9));
    for (int k = 0; k < 2; ++k) CHECK(below.gradient[k] == Approx(above.gradient[k]).epsilon(1e-7));
    for (int k = 0; k < 3; ++k) CHECK(below.hessian[k] == Approx(above.hessian[k]).epsilon(1e-7));
  }
}

TEST_CASE("membrane: closed forms") {
  const auto check = [](auto material, const Mat32d& f, const Mat32d& expected) {
    using M = decltype(material);
    test::Random random(27);
    const Mat3d q = random.rotation();
    const Mat2d t = plane_turn(0.7);
    INFO(M::kName << ' ' << f(0, 0) << ' ' << f(1, 1) << ' ' << f(0, 1));
    CHECK(frobenius(stress<M>(kSoft, turned(q, f) * t) - turned(q, expected) * t) <=
          1e-10 * frobenius(expected) + 1e-13);
  };
  for (const double a : {0.5, 0.9, 1.3, 2.0}) {
    const double ln = std::log(a), e = 0.5 * (a * a - 1);
    // diag(a, 1)
    check(MembraneArap{}, diagonal(a, 1), diagonal(2 * mu * (a - 1), 0));
    check(MembraneCorotated{}, diagonal(a, 1), diagonal((2 * mu + plane) * (a - 1), plane * (a - 1)));
    check(MembraneNeoHookean{}, diagonal(a, 1), diagonal(mu * (a - 1 / a) + plane * ln / a, plane * ln));
    check(MembraneStVenantKirchhoff{}, diagonal(a, 1), diagonal((2 * mu + plane) * e * a, plane * e));
    // diag(a, a)
    const double arap = 2 * mu * (a - 1), nh = mu * (a - 1 / a) + 2 * plane * ln / a;
    check(MembraneArap{}, diagonal(a, a), diagonal(arap, arap));
    check(MembraneCorotated{}, diagonal(a, a), (2 * (mu + plane) * (a - 1)) * diagonal(1, 1));
    check(MembraneNeoHookean{}, diagonal(a, a), diagonal(nh, nh));
    check(MembraneStVenantKirchhoff{}, diagonal(a, a), (2 * (mu + plane) * e * a) * diagonal(1, 1));
    // Pulled with free sides: corotated and St. Venant-Kirchhoff have Poisson's ratio in their own strain; of
    // Neo-Hookean, ln J = mu (1 - b^2) / lambda_ps by the sideways stretch b.
    const double b = 1 - kPoisson * (a - 1);
    check(MembraneCorotated{}, diagonal(a, b), diagonal(kYoung * (a - 1), 0));
    if (2 * kPoisson * e < 1)
      check(MembraneStVenantKirchhoff{}, diagonal(a, std::sqrt(1 - 2 * kPoisson * e)),
            diagonal(a * kYoung * e, 0));
  }
  for (const double b : {0.8, 0.95, 1.1}) {
    const double a = std::exp(mu * (1 - b * b) / plane) / b;
    check(MembraneNeoHookean{}, diagonal(a, b), diagonal(mu * (a - b * b / a), 0));
  }
  for (const double g : {-0.6, 0.1, 1.5}) {
    Mat32d f = diagonal(1, 1), r, inverse_transpose = diagonal(1, 1), s;
    f(0, 1) = g;
    const double l = std::sqrt(4 + g * g), volumetric = plane * g * g / 2, s22 = volumetric + mu * g * g;
    r(0, 0) = r(1, 1) = 2 / l;
    r(0, 1) = g / l;
    r(1, 0) = -g / l;
    inverse_transpose(1, 0) = -g;
    check(MembraneArap{}, f, (2 * mu) * (f - r));
    check(MembraneCorotated{}, f, (2 * mu) * (f - r) + (plane * (l - 2)) * r);
    check(MembraneNeoHookean{}, f, mu * (f - inverse_transpose));
    s(0, 0) = volumetric + mu * g * g;
    s(0, 1) = mu * g + g * s22;
    s(1, 0) = mu * g;
    s(1, 1) = s22;
    check(MembraneStVenantKirchhoff{}, f, s);
  }
}

TEMPLATE_LIST_TEST_CASE("membrane: projection is stationary and a minimum", "", TriangleMaterials) {
  test::Random random(28);
  for (const Mat32d& f : states()) {
    for (const double weight : {1.0, 2 * mu + plane, 100.0}) {
      const Mat32d p = TestType::projection(kSoft, f, weight);
      INFO(TestType::kName << ' ' << svd32(f).s[0] << ' ' << svd32(f).s[1] << " weight " << weight);
      CHECK(frobenius(weight * (p - f) + stress<TestType>(kSoft, p)) < 1e-11 * (weight + 10.0));
      const double value = objective<TestType>(p, f, weight);
      for (const double size : {1e-3, 0.1, 0.5})
        for (int i = 0; i < 10; ++i)
          CHECK(value <= objective<TestType>(p + random_change(random, size), f, weight) + 1e-13 * value);
    }
  }
  // Onto the kink of the corotated membrane at s_2 = 0.
  const Mat32d far = diagonal(40, 0.01), p = MembraneCorotated::projection(kSoft, far, 1.0);
  CHECK(svd32(p).s[1] < 1e-12);
  for (int i = 0; i < 30; ++i)
    CHECK(objective<MembraneCorotated>(p, far, 1.0) <
          objective<MembraneCorotated>(p + random_change(random, 0.1), far, 1.0));
}

TEST_CASE("membrane: singular values of 3 x 2 matrices") {
  test::Random random(29);
  for (int i = 0; i < 50; ++i) {
    Mat32d f = random_change(random, i % 5 == 0 ? 1e-9 : 1.0);
    if (i % 5 == 1) f = Mat32d::columns(f.column(0), 3.0 * f.column(0));
    if (i % 5 == 2) f = Mat32d::columns(f.column(0), f.column(0) + 1e-9 * f.column(1));
    const Svd32<double> d = svd32(f);
    const Mat32d back = Mat32d::columns(d.s[0] * d.u[0], d.s[1] * d.u[1]) * transpose(d.v);
    CHECK(frobenius(back - f) <= 1e-15 * 10 * frobenius(f));
    CHECK(d.s[0] >= d.s[1]);
    CHECK(std::abs(dot(d.u[0], d.u[1])) < 1e-14);
    CHECK(d.v(0, 0) * d.v(1, 1) - d.v(0, 1) * d.v(1, 0) == Approx(1.0).epsilon(1e-14));
  }
}
