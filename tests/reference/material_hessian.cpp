#include "tests/reference/material_hessian.hpp"

#include <algorithm>

#include "kernels/element/material/stable_neo_hookean.hpp"
#include "kernels/element/small_matrix/svd3.hpp"

namespace sinew::reference {

namespace {

/// dP for a change dF of psi = mu |F - R|^2: dP = 2 mu (dF - dR). With F = U S V^T and X = U^T dF V, dR is
/// U W V^T, W antisymmetric, W_ij = (X_ij - X_ji) / (s_i + s_j), from the symmetry of R^T F.
Mat3d arap_change(double mu, const Svd3<double>& svd, const Mat3d& df) {
  const Mat3d x = transpose(svd.u) * df * svd.v;
  Mat3d w;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      // R jumps where two singular values cancel: the energy has a concave kink there, of any steepness.
      const double sum = std::max(svd.s[i] + svd.s[j], 1e-9);
      if (i != j) w(i, j) = (x(i, j) - x(j, i)) / sum;
    }
  }
  return (2.0 * mu) * (df - svd.u * w * transpose(svd.v));
}

/// dP of P = mu' (1 - 1/(I_C + 1)) F + lambda' (J - alpha) C, C = cof F: dJ = C : dF, and dC is the
/// polarisation of the quadratic map cof.
Mat3d stable_neo_hookean_change(double shear_modulus, double first_lame, const Mat3d& f, const Mat3d& df) {
  const double mu = shear_modulus * 4.0 / 3.0, lambda = first_lame + shear_modulus * 5.0 / 6.0;
  const double alpha = 1.0 + 0.75 * mu / lambda;
  const double i_c = double_dot(f, f);
  const Mat3d c = cofactor(f), dc = cofactor(f + df) - c - cofactor(df);
  return (mu * (1.0 - 1.0 / (i_c + 1.0))) * df +
         (2.0 * mu * double_dot(f, df) / ((i_c + 1.0) * (i_c + 1.0))) * f + (lambda * double_dot(c, df)) * c +
         (lambda * (determinant(f) - alpha)) * dc;
}

}  // namespace

StressDerivative stress_derivative(MaterialKind kind, double shear_modulus, double first_lame,
                                   const Mat3d& f) {
  const Svd3<double> svd = svd3(f);
  StressDerivative h;
  for (int column = 0; column < 9; ++column) {
    Mat3d df;
    df(column / 3, column % 3) = 1.0;
    const Mat3d dp = kind == MaterialKind::arap ? arap_change(shear_modulus, svd, df)
                                                : stable_neo_hookean_change(shear_modulus, first_lame, f, df);
    for (int row = 0; row < 9; ++row) h(row, column) = dp(row / 3, row % 3);
  }
  return 0.5 * (h + h.transpose());  // symmetric but for rounding
}

StressDerivative projected(const StressDerivative& h) {
  const Eigen::SelfAdjointEigenSolver<StressDerivative> eigen(h);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
         eigen.eigenvectors().transpose();
}

}  // namespace sinew::reference
