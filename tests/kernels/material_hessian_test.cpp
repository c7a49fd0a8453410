// Second derivatives of the energies (tests/reference) against differences of the stress and closed forms.
#include "tests/reference/material_hessian.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/materials.hpp"

using namespace sinew;
using reference::StressDerivative;

namespace {

constexpr test::Parameters kSoft{3.0, 7.0, 0.3};

StressDerivative derivative(MaterialKind kind, const Mat3d& f) {
  return reference::stress_derivative(kind, kSoft, f);
}

/// Columns by the five-point stencil.
StressDerivative differences(MaterialKind kind, const Mat3d& f, double step) {
  return with_tet_material(kind, [&]<class M>(M) {
    StressDerivative h;
    for (int column = 0; column < 9; ++column) {
      const auto at = [&](double t) {
        Mat3d moved = f;
        moved(column / 3, column % 3) += t;
        return test::stress<M>(kSoft, moved);
      };
      const Mat3d d = (1.0 / (12 * step)) * (8.0 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step)));
      for (int row = 0; row < 9; ++row) h(row, column) = d(row / 3, row % 3);
    }
    return h;
  });
}

/// dP = 2 mu (dF - dR); with X = U^T dF V, dR = U W V^T, W_ij = (X_ij - X_ji) / (s_i + s_j).
StressDerivative arap(const Mat3d& f) {
  const Svd3<double> svd = svd3(f);
  StressDerivative h;
  for (int column = 0; column < 9; ++column) {
    Mat3d df, w;
    df(column / 3, column % 3) = 1.0;
    const Mat3d x = transpose(svd.u) * df * svd.v;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (i != j) w(i, j) = (x(i, j) - x(j, i)) / (svd.s[i] + svd.s[j]);
    const Mat3d dp = (2.0 * kSoft.shear_modulus) * (df - svd.u * w * transpose(svd.v));
    for (int row = 0; row < 9; ++row) h(row, column) = dp(row / 3, row % 3);
  }
  return h;
}

/// Of P = mu' (1 - 1/(I_C + 1)) F + lambda' (J - alpha) C: dJ = C : dF, dC the polarisation of the map cof.
StressDerivative stable_neo_hookean(const Mat3d& f) {
  const double mu = kSoft.shear_modulus * 4.0 / 3.0,
               lambda = kSoft.first_lame + kSoft.shear_modulus * 5.0 / 6.0;
  const double alpha = 1.0 + 0.75 * mu / lambda, ic = double_dot(f, f);
  const Mat3d c = cofactor(f);
  StressDerivative h;
  for (int column = 0; column < 9; ++column) {
    Mat3d df;
    df(column / 3, column % 3) = 1.0;
    const Mat3d dc = cofactor(f + df) - c - cofactor(df);
    const Mat3d dp = (mu * (1.0 - 1.0 / (ic + 1.0))) * df +
                     (2.0 * mu * double_dot(f, df) / ((ic + 1.0) * (ic + 1.0))) * f +
                     (lambda * double_dot(c, df)) * c + (lambda * (determinant(f) - alpha)) * dc;
    for (int row = 0; row < 9; ++row) h(row, column) = dp(row / 3, row % 3);
  }
  return h;
}

bool smooth(MaterialKind kind) {
  return kind == MaterialKind::stable_neo_hookean || kind == MaterialKind::neo_hookean ||
         kind == MaterialKind::st_venant_kirchhoff || kind == MaterialKind::mooney_rivlin;
}

}  // namespace

TEST_CASE("Hessian: differences of the stress in every state of every material") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    for (const test::State& state : test::states()) {
      const StressDerivative h = derivative(kind, state.f);
      INFO(with_tet_material(kind, []<class M>(M) { return M::kName; }) << ", " << state.name);
      CHECK((h - h.transpose()).norm() <= 1e-14 * h.norm());
      CHECK((h - differences(kind, state.f, 1e-4)).norm() <= 2e-8 * h.norm());
    }
  }
}

TEST_CASE("Hessian: flat, mirrored and collapsed states of the smooth materials") {
  test::Random random(12);
  std::vector<Mat3d> states{Mat3d{}, Mat3d::diagonal(1.2, 0, 0), Mat3d::diagonal(1.2, 0.7, 0),
                            Mat3d::diagonal(1.3, 0.8, -0.8), Mat3d::diagonal(1.1, 1.1, -1.1)};
  for (std::size_t i = 0; i < 5; ++i) states.push_back(random.rotation() * states[i] * random.rotation());
  for (const MaterialKind kind : kTetMaterialKinds) {
    if (!smooth(kind)) continue;
    for (const Mat3d& f : states) {
      const StressDerivative h = derivative(kind, f);
      CHECK((h - differences(kind, f, 1e-4)).norm() <= 2e-8 * (h.norm() + 1.0));
    }
  }
}

TEST_CASE("Hessian: finite on the kinks of the polar rotation, and their curvature is negative for ARAP") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    CHECK(derivative(kind, Mat3d::diagonal(1, 0.5, -0.5)).allFinite());
    CHECK(derivative(kind, Mat3d{}).allFinite());
  }
  const Eigen::SelfAdjointEigenSolver<StressDerivative> eigen(
      derivative(MaterialKind::arap, Mat3d::diagonal(1, 0.5, -0.5)));
  CHECK(eigen.eigenvalues()[0] < -1e6);
}

TEST_CASE("Hessian: closed forms of ARAP and stable Neo-Hookean") {
  for (const test::State& state : test::states()) {
    INFO(state.name);
    const StressDerivative a = arap(state.f), s = stable_neo_hookean(state.f);
    CHECK((derivative(MaterialKind::arap, state.f) - a).norm() <= 1e-12 * a.norm());
    CHECK((derivative(MaterialKind::stable_neo_hookean, state.f) - s).norm() <= 1e-12 * s.norm());
  }
}

TEST_CASE("Hessian at rest is Hooke's law") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    const double lambda = kind == MaterialKind::arap ? 0.0 : kSoft.first_lame;
    const StressDerivative h = derivative(kind, Mat3d::identity());
    for (int i = 0; i < 9; ++i) {
      for (int j = 0; j < 9; ++j) {
        const int transposed = 3 * (j % 3) + j / 3;
        const double expected =
            kSoft.shear_modulus * ((i == j) + (i == transposed)) + lambda * (i % 4 == 0 && j % 4 == 0);
        CHECK(h(i, j) == Approx(expected).margin(1e-12));
      }
    }
  }
}
