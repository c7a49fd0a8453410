// The solvers that `sinew bench global` sets side by side, and how each is made from one system.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/linear_solver.hpp"

namespace sinew::bench {

/// One column of the comparison.
struct SolverKind {
  std::string name;         ///< on the command line, in tables and in JSON
  std::string what;         ///< one line
  bool parallel = false;    ///< its time depends on the number of threads
  bool wide = true;         ///< worth a look with several instances at once
  bool single = false;      ///< values in float
  bool incomplete = false;  ///< does not solve the system: no error is given
  int stages = -1;          ///< staged: 1 .. kMostStages, 0: automatic; -1: not staged
};

/// All of them; staged first: the others are compared with it.
const std::vector<SolverKind>& solver_kinds();
std::vector<std::string> solver_kind_names();

/// A solver, or one line that says why there is none.
struct MadeSolver {
  std::unique_ptr<LinearSolver> solver;
  std::string why_not;     ///< empty where solver is set
  double prepare_s = 0.0;  ///< from the factor where the solver is made from one, else from the matrix
};

/// One system with what its solvers share.
struct SolverInput {
  const SymmetricMatrix& matrix;
  const CholeskyFactor& factor;
  const std::vector<double>& nonzeros;  ///< staged_nonzeros(factor, kMostStages)
  double memory_limit;                  ///< [bytes] for the arrays of one solver
};

/// Never throws for want of memory or of a library. Call inside Executor::run.
MadeSolver make_solver(const SolverKind& kind, const SolverInput& input);

/// Relative residual at which conjugate gradients stop.
inline constexpr double kPcgTolerance = 1e-8;

}  // namespace sinew::bench
