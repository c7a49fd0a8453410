// Response of every solid to uniform deformation, derived by hand: uniaxial diag(a, 1, 1), equibiaxial
// diag(a, a, 1), volumetric a I, simple shear F = I + g e_1 e_2^T, and uniaxial stress where it has a closed
// form.
#include <array>

#include "tests/support/catch.hpp"
#include "tests/support/materials.hpp"

using namespace sinew;
using test::energy;
using test::frobenius;
using test::stress;

namespace {

constexpr double mu = 3.0, lambda = 7.0, r = 0.3;
constexpr double kappa = lambda + 2.0 / 3.0 * mu;
constexpr double kYoung = mu * (3 * lambda + 2 * mu) / (lambda + mu), kPoisson = lambda / (2 * (lambda + mu));
constexpr test::Parameters kParameters{mu, lambda, r};
// Constants of stable Neo-Hookean (Smith, de Goes, Kim 2018).
constexpr double snh_mu = 4.0 / 3.0 * mu, snh_lambda = lambda + 5.0 / 6.0 * mu;
constexpr double alpha = 1 + 0.75 * snh_mu / snh_lambda;

using Principal = std::array<double, 3>;

template <class M>
void check_principal(const Mat3d& f, const Principal& expected) {
  // In a rotated frame: P(Q F R) = Q P(F) R.
  test::Random random(3);
  const Mat3d q = random.rotation(), t = random.rotation();
  const Mat3d p = transpose(q) * stress<M>(kParameters, q * f * t) * transpose(t);
  const Mat3d e = Mat3d::diagonal(expected[0], expected[1], expected[2]);
  INFO(M::kName << " diag " << f(0, 0) << ' ' << f(1, 1) << ' ' << f(2, 2));
  CHECK(frobenius(p - e) <= 1e-10 * frobenius(e) + 1e-13);
  CHECK(frobenius(stress<M>(kParameters, f) - e) <= 1e-12 * frobenius(e) + 1e-13);
}

/// Uniaxial, equibiaxial: P_11 and P_33; volumetric: P_11.
template <class M, class Uniaxial, class Biaxial, class Volumetric>
void check_stretches(Uniaxial uniaxial, Biaxial biaxial, Volumetric volumetric) {
  for (const double a : {0.5, 0.8, 0.99, 1.2, 2.0}) {
    const auto [u1, u3] = uniaxial(a);
    check_principal<M>(Mat3d::diagonal(a, 1, 1), {u1, u3, u3});
    const auto [b1, b3] = biaxial(a);
    check_principal<M>(Mat3d::diagonal(a, a, 1), {b1, b1, b3});
    const double v = volumetric(a);
    check_principal<M>(Mat3d::diagonal(a, a, a), {v, v, v});
  }
}

using Pair = std::pair<double, double>;

/// In-plane block and P_33 under simple shear.
template <class M, class Shear>
void check_shear(Shear shear) {
  for (const double g : {-0.7, 0.05, 0.6, 2.0}) {
    Mat3d f = Mat3d::identity(), e;
    f(0, 1) = g;
    shear(g, e);
    INFO(M::kName << " shear " << g);
    CHECK(frobenius(stress<M>(kParameters, f) - e) <= 1e-10 * frobenius(e));
  }
}

/// R of simple shear: a turn by atan(g / 2).
Mat3d shear_rotation(double g) {
  const double l = std::sqrt(4 + g * g);
  Mat3d rotation = Mat3d::identity();
  rotation(0, 0) = rotation(1, 1) = 2 / l;
  rotation(0, 1) = g / l;
  rotation(1, 0) = -g / l;
  return rotation;
}
Mat3d sheared(double g) {
  Mat3d f = Mat3d::identity();
  f(0, 1) = g;
  return f;
}

}  // namespace

TEST_CASE("closed forms: ARAP") {
  check_stretches<Arap>(
      [](double a) {
        return Pair{2 * mu * (a - 1), 0};
      },
      [](double a) {
        return Pair{2 * mu * (a - 1), 0};
      },
      [](double a) { return 2 * mu * (a - 1); });
  check_shear<Arap>([](double g, Mat3d& p) { p = (2 * mu) * (sheared(g) - shear_rotation(g)); });
}

TEST_CASE("closed forms: corotated") {
  check_stretches<Corotated>(
      [](double a) {
        return Pair{(2 * mu + lambda) * (a - 1), lambda * (a - 1)};
      },
      [](double a) {
        return Pair{2 * (mu + lambda) * (a - 1), 2 * lambda * (a - 1)};
      },
      [](double a) { return (2 * mu + 3 * lambda) * (a - 1); });
  check_shear<Corotated>([](double g, Mat3d& p) {
    const double tr = std::sqrt(4 + g * g) - 2;
    p = (2 * mu) * (sheared(g) - shear_rotation(g)) + (lambda * tr) * shear_rotation(g);
  });
  // Uniaxial stress: linear, with Young's modulus and Poisson's ratio at any strain.
  for (const double a : {0.7, 1.5}) {
    const double b = 1 - kPoisson * (a - 1);
    check_principal<Corotated>(Mat3d::diagonal(a, b, b), {kYoung * (a - 1), 0, 0});
  }
}

TEST_CASE("closed forms: fixed corotated") {
  check_stretches<FixedCorotated>(
      [](double a) {
        return Pair{(2 * mu + lambda) * (a - 1), lambda * (a - 1) * a};
      },
      [](double a) {
        return Pair{2 * mu * (a - 1) + lambda * (a * a - 1) * a, lambda * (a * a - 1) * a * a};
      },
      [](double a) { return 2 * mu * (a - 1) + lambda * (a * a * a - 1) * a * a; });
  check_shear<FixedCorotated>([](double g, Mat3d& p) { p = (2 * mu) * (sheared(g) - shear_rotation(g)); });
}

TEST_CASE("closed forms: Neo-Hookean") {
  check_stretches<NeoHookean>(
      [](double a) {
        return Pair{mu * (a - 1 / a) + lambda * std::log(a) / a, lambda * std::log(a)};
      },
      [](double a) {
        return Pair{mu * (a - 1 / a) + 2 * lambda * std::log(a) / a, 2 * lambda * std::log(a)};
      },
      [](double a) { return mu * (a - 1 / a) + 3 * lambda * std::log(a) / a; });
  check_shear<NeoHookean>([](double g, Mat3d& p) { p(0, 1) = p(1, 0) = mu * g; });
  // Uniaxial stress, by the sideways stretch b: ln J = mu (1 - b^2) / lambda and P_11 = mu (a - b^2 / a).
  for (const double b : {0.8, 1.1}) {
    const double a = std::exp(mu * (1 - b * b) / lambda) / (b * b);
    check_principal<NeoHookean>(Mat3d::diagonal(a, b, b), {mu * (a - b * b / a), 0, 0});
  }
  // The energy of Incremental Potential Contact as it is printed.
  test::Random random(8);
  for (int i = 0; i < 50; ++i) {
    const Mat3d f = Mat3d::identity() + random.matrix(0.4);
    const double j = determinant(f), ln = std::log(j);
    if (j < kLeastRatio<double>) continue;
    CHECK(energy<NeoHookean>(kParameters, f) ==
          Approx(mu / 2 * (double_dot(f, f) - 3 - 2 * ln) + lambda / 2 * ln * ln).epsilon(1e-12));
  }
}

TEST_CASE("closed forms: stable Neo-Hookean") {
  const auto k = [](double ic) { return snh_mu * (1 - 1 / (ic + 1)); };
  check_stretches<StableNeoHookean>(
      [&](double a) {
        return Pair{k(a * a + 2) * a + snh_lambda * (a - alpha), k(a * a + 2) + snh_lambda * (a - alpha) * a};
      },
      [&](double a) {
        const double ic = 2 * a * a + 1, volumetric = snh_lambda * (a * a - alpha);
        return Pair{k(ic) * a + volumetric * a, k(ic) + volumetric * a * a};
      },
      [&](double a) { return k(3 * a * a) * a + snh_lambda * (a * a * a - alpha) * a * a; });
  check_shear<StableNeoHookean>([&](double g, Mat3d& p) {
    Mat3d c = Mat3d::identity();  // cof F
    c(1, 0) = -g;
    p = k(3 + g * g) * sheared(g) + (snh_lambda * (1 - alpha)) * c;
  });
}

TEST_CASE("closed forms: St. Venant-Kirchhoff") {
  const auto e = [](double a) { return 0.5 * (a * a - 1); };
  check_stretches<StVenantKirchhoff>(
      [&](double a) {
        return Pair{(2 * mu + lambda) * e(a) * a, lambda * e(a)};
      },
      [&](double a) {
        return Pair{2 * (mu + lambda) * e(a) * a, 2 * lambda * e(a)};
      },
      [&](double a) { return (2 * mu + 3 * lambda) * e(a) * a; });
  check_shear<StVenantKirchhoff>([](double g, Mat3d& p) {
    const double volumetric = lambda * g * g / 2, s22 = volumetric + mu * g * g;
    p(0, 0) = volumetric + mu * g * g;
    p(0, 1) = mu * g + g * s22;
    p(1, 0) = mu * g;
    p(1, 1) = s22;
    p(2, 2) = volumetric;
  });
  // Uniaxial stress: E_22 = E_33 = -nu E_11, P_11 = a Young E_11. It weakens below a = 1/sqrt(3).
  for (const double a : {0.8, 1.3}) {
    const double b = std::sqrt(1 - 2 * kPoisson * e(a));
    check_principal<StVenantKirchhoff>(Mat3d::diagonal(a, b, b), {a * kYoung * e(a), 0, 0});
  }
  const auto pressed = [&](double a) {
    return stress<StVenantKirchhoff>(kParameters, Mat3d::diagonal(a, 1, 1))(0, 0);
  };
  CHECK(pressed(1 / std::sqrt(3.0)) < pressed(0.5));
  CHECK(pressed(1 / std::sqrt(3.0)) < pressed(0.65));
}

TEST_CASE("closed forms: Mooney-Rivlin") {
  check_stretches<MooneyRivlin>(
      [](double a) {
        const double first = mu * (1 - r) * std::pow(a, -2.0 / 3), second = mu * r * std::pow(a, -4.0 / 3);
        return Pair{(first + second) * 2 / 3 * (a - 1 / a) + kappa / 2 * (a - 1 / a),
                    (first + second) / 3 * (1 - a * a) + kappa / 2 * (a * a - 1)};
      },
      [](double a) {
        const double first = mu * (1 - r) * std::pow(a, -4.0 / 3), second = mu * r * std::pow(a, -8.0 / 3);
        return Pair{first / 3 * (a - 1 / a) + second / 3 * (a * a * a - a) + kappa / 2 * (a * a * a - 1 / a),
                    2.0 / 3 * (first + second * a * a) * (1 - a * a) + kappa / 2 * (std::pow(a, 4) - 1)};
      },
      [](double a) { return kappa / 2 * (std::pow(a, 5) - 1 / a); });
  check_shear<MooneyRivlin>([](double g, Mat3d& p) {
    p(0, 0) = p(1, 1) = -mu * g * g / 3 * ((1 - r) + 2 * r);
    p(2, 2) = mu * g * g / 3 * (r - (1 - r));
    p(0, 1) = mu * g;
    p(1, 0) = mu * g * ((1 - r) * (1 + g * g / 3) + r * (1 + 2 * g * g / 3));
  });
}
