// Our own numeric factorization: multifrontal (Duff and Reid 1983; Liu 1992), subtrees and large fronts in
// parallel. It only fills in numbers; order and structure come from elsewhere.
#pragma once

#include "host/cholesky.hpp"

namespace sinew {

/// order: postordered, as elimination_order() gives it. Call inside Executor::run; the same bits on any
/// number of threads.
/// @throws MemoryError; BackendError where A is not positive definite.
CholeskyFactor factor_native(const SymmetricMatrix& matrix, std::vector<Index> order, double memory_limit);

}  // namespace sinew
