// Time of a cold start, part by part, and of a second one from the disk cache.
#pragma once

#include "benchmarks/global_study.hpp"

namespace sinew::bench {

/// What the start of a system leaves behind for the solvers that are compared.
struct Prepared {
  Preparation times;
  CholeskyFactor factor;
  LinearSolver::Sizes staged, staged_float;
};

/// Order, factor and staged inverse in double and in float, with the times of a start from nothing.
/// Call inside Executor::run. @throws MemoryError, BackendError.
Prepared prepare_staged(const SymmetricMatrix& matrix,
                        const std::function<void(const std::string&)>& progress);

/// The same and, where they are asked for, the other ways to start. Call inside Executor::run.
/// @throws MemoryError, BackendError, IoError (temporary folder).
Prepared prepare(const GlobalProblem& problem, const GlobalSettings& settings,
                 const std::function<void(const std::string&)>& progress);

}  // namespace sinew::bench
