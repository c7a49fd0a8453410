// Forward and backward substitution with the factor: the usual way to apply A^-1.
#pragma once

#include "host/linear_solver.hpp"

namespace sinew {

/// With CHOLMOD its own factor and cholmod_solve2, else CholeskyFactor::solve.
/// @throws MemoryError, BackendError as factor().
std::unique_ptr<LinearSolver> make_triangular(const SymmetricMatrix& matrix, FactorLibrary library,
                                              double memory_limit);

/// The half that knows CHOLMOD; library: cholmod or cholmod_supernodal.
std::unique_ptr<LinearSolver> make_triangular_cholmod(const SymmetricMatrix& matrix, FactorLibrary library,
                                                      double memory_limit);

}  // namespace sinew
