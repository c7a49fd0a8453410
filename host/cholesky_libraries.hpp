// The two libraries that order and factor; used by cholesky.cpp only.
#pragma once

#include <mutex>

#include "host/cholesky.hpp"

namespace sinew {

/// Nested dissection and L L^T by CHOLMOD: simplicial with its Cholesky module (LGPL), supernodal with its
/// Supernodal module (GPL).
CholeskyFactor factor_cholmod(const SymmetricMatrix& matrix, bool supernodal, double memory_limit);
/// METIS called directly, Eigen::SimplicialLLT.
CholeskyFactor factor_eigen(const SymmetricMatrix& matrix, double memory_limit);

/// The orders of these two.
std::vector<Index> order_cholmod(const SymmetricMatrix& matrix);
std::vector<Index> order_eigen(const SymmetricMatrix& matrix);

/// METIS draws from the C library's random numbers after seeding them: one lock for all who call it. (A
/// program that calls rand() in another thread meanwhile can still change the order, and with it the bits.)
std::mutex& metis_mutex();

inline constexpr double kFactorEntryBytes = sizeof(double) + sizeof(Index);

/// @throws MemoryError if that many bytes would pass the limit (0: none).
void check_factor_memory(double bytes, double memory_limit);

}  // namespace sinew
