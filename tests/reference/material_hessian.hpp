// Second derivative of the materials' energy densities, plain and slow: for the reference solver and for
// tests.
#pragma once

#include <Eigen/Dense>

#include <sinew/base/mat3.hpp>
#include <sinew/model.hpp>

namespace sinew::reference {

/// d2 psi / dF2 [Pa]; row and column 3 i + j stand for F(i, j).
using StressDerivative = Eigen::Matrix<double, 9, 9>;

StressDerivative stress_derivative(MaterialKind kind, double shear_modulus, double first_lame,
                                   const Mat3d& f);

/// Nearest positive semidefinite matrix in the Frobenius norm: negative eigenvalues become zero.
StressDerivative projected(const StressDerivative& h);

}  // namespace sinew::reference
