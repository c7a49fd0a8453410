// Second derivative of the materials' energy densities, plain and slow: for the reference solver and for
// tests.
#pragma once

#include <Eigen/Dense>

#include <sinew/base/mat3.hpp>
#include <sinew/base/mat32.hpp>
#include <sinew/base/material_kind.hpp>

#include "kernels/element/material/elastic_parameters.hpp"

namespace sinew::reference {

/// d2 psi / dF2 [Pa]; row and column 3 i + j stand for F(i, j).
using StressDerivative = Eigen::Matrix<double, 9, 9>;
/// The same for sheets; row and column 2 i + j stand for F(i, j).
using MembraneStressDerivative = Eigen::Matrix<double, 6, 6>;

StressDerivative stress_derivative(MaterialKind kind, const ElasticParameters<double>& parameters,
                                   const Mat3d& f);
inline StressDerivative stress_derivative(MaterialKind kind, double shear_modulus, double first_lame,
                                          const Mat3d& f) {
  return stress_derivative(kind, ElasticParameters<double>{shear_modulus, first_lame}, f);
}

MembraneStressDerivative membrane_stress_derivative(MaterialKind kind,
                                                    const ElasticParameters<double>& parameters,
                                                    const Mat32d& f);

/// Nearest positive semidefinite matrix in the Frobenius norm: negative eigenvalues become zero.
StressDerivative projected(const StressDerivative& h);
MembraneStressDerivative projected(const MembraneStressDerivative& h);

}  // namespace sinew::reference
