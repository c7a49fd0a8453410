// The staged inverse behind the interface of all linear solvers, and kept prepared data.
#pragma once

#include <functional>

#include "host/byte_stream.hpp"
#include "host/linear_solver.hpp"
#include "host/staged_inverse.hpp"

namespace sinew {

/// Where prepared data may be kept from one start to the next.
class SolverStore {
 public:
  virtual ~SolverStore() = default;
  /// True where read was called and did not throw.
  virtual bool load(const std::function<void(ByteReader&)>& read) = 0;
  virtual void store(const std::function<void(ByteWriter&)>& write) = 0;
};

/// Orders, factors, cuts the tree into stages and inverts their diagonal blocks; the factor is dropped.
/// settings: stages, precision, factor. With a store: taken from there where it has it, else made and stored;
/// what comes from a store is trusted only after one solve whose residual is that of a solution of this
/// matrix. @throws as make_linear_solver. Call inside Executor::run.
std::unique_ptr<LinearSolver> make_staged_solver(const SymmetricMatrix& matrix,
                                                 const SolverSettings& settings, double memory_limit,
                                                 SolverStore* store = nullptr);

/// The staged inverse of a factor that is at hand. Call inside Executor::run.
std::unique_ptr<LinearSolver> make_staged_solver(const CholeskyFactor& factor, StagedStructure structure,
                                                 SolverPrecision precision);

/// The staged inverse behind a solver: one of the two is set; neither where the solver is another one.
struct StagedInverseOf {
  const StagedInverse<double>* full = nullptr;
  const StagedInverse<float>* mixed = nullptr;
};
StagedInverseOf staged_inverse_of(const LinearSolver& solver);

/// Entries that one more stage costs in time (see docs/staged-inverse.md): the search for the number of
/// stages weighs it against the entries that the stage saves. Measured on two cores; a constant, since no
/// clock may decide bits.
inline constexpr double kEntriesPerStage = 20e3;

}  // namespace sinew
