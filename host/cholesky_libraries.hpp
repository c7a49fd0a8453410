// The two libraries that order and factor; used by cholesky.cpp only.
#pragma once

#include <mutex>

#include "host/cholesky.hpp"

namespace sinew {

/// METIS order through CHOLMOD, simplicial L L^T. Uses the Cholesky module (LGPL), not the Supernodal one
/// (GPL).
CholeskyFactor factor_cholmod(const SymmetricMatrix& matrix, double memory_limit);
/// METIS called directly, Eigen::SimplicialLLT.
CholeskyFactor factor_eigen(const SymmetricMatrix& matrix, double memory_limit);

/// METIS draws from the C library's random numbers after seeding them: one lock for all who call it. (A
/// program that calls rand() in another thread meanwhile can still change the order, and with it the bits.)
std::mutex& metis_mutex();

/// @throws MemoryError if a factor of that many nonzeros would pass the limit.
void check_factor_memory(double nonzeros, double memory_limit);

}  // namespace sinew
