#include "tests/reference/material_hessian.hpp"

#include "kernels/element/material/material_list.hpp"

namespace sinew::reference {

namespace {

template <class Matrix>
Matrix nearest_semidefinite(const Matrix& h) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(h);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
         eigen.eigenvectors().transpose();
}

}  // namespace

StressDerivative stress_derivative(MaterialKind kind, const ElasticParameters<double>& parameters,
                                   const Mat3d& f) {
  const Svd3<double> svd = svd3(f);
  const StretchDerivatives<double> d =
      with_tet_material(kind, [&]<class M>(M) { return M::stretch_derivatives(parameters, svd.s); });
  StressDerivative h;
  for (int column = 0; column < 9; ++column) {
    Mat3d df;
    df(column / 3, column % 3) = 1.0;
    const Mat3d x = transpose(svd.u) * df * svd.v;
    Mat3d y;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        y(i, i) += d.hessian(i, j) * x(j, j);
        if (i == j) continue;
        const int k = 3 - i - j;
        y(i, j) = 0.5 * (d.flip[k] * (x(i, j) + x(j, i)) + d.twist[k] * (x(i, j) - x(j, i)));
      }
    }
    const Mat3d dp = svd.u * y * transpose(svd.v);
    for (int row = 0; row < 9; ++row) h(row, column) = dp(row / 3, row % 3);
  }
  return 0.5 * (h + h.transpose());  // symmetric but for rounding
}

MembraneStressDerivative membrane_stress_derivative(MaterialKind kind,
                                                    const ElasticParameters<double>& parameters,
                                                    const Mat32d& f) {
  const Svd32<double> svd = svd32(f);
  const MembraneStretchDerivatives<double> d = with_triangle_material(
      kind, [&]<class M>(M) { return M::stretch_derivatives(parameters, svd.s[0], svd.s[1]); });
  const Vec3d frame[3] = {svd.u[0], svd.u[1], cross(svd.u[0], svd.u[1])};
  MembraneStressDerivative h;
  for (int column = 0; column < 6; ++column) {
    double x[3][2], y[3][2];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) x[i][j] = frame[i][column / 2] * svd.v(column % 2, j);
    y[0][0] = d.hessian[0] * x[0][0] + d.hessian[2] * x[1][1];
    y[1][1] = d.hessian[2] * x[0][0] + d.hessian[1] * x[1][1];
    y[0][1] = 0.5 * (d.flip * (x[0][1] + x[1][0]) + d.twist * (x[0][1] - x[1][0]));
    y[1][0] = 0.5 * (d.flip * (x[0][1] + x[1][0]) - d.twist * (x[0][1] - x[1][0]));
    for (int j = 0; j < 2; ++j) y[2][j] = d.bend[j] * x[2][j];
    for (int row = 0; row < 6; ++row) {
      double dp = 0.0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j) dp += frame[i][row / 2] * y[i][j] * svd.v(row % 2, j);
      h(row, column) = dp;
    }
  }
  return 0.5 * (h + h.transpose());
}

StressDerivative projected(const StressDerivative& h) {
  return nearest_semidefinite(h);
}
MembraneStressDerivative projected(const MembraneStressDerivative& h) {
  return nearest_semidefinite(h);
}

}  // namespace sinew::reference
