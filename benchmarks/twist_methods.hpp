// The iterations that the convergence study compares, on the engine's own local step and any LinearSolver.
#pragma once

#include <string>
#include <vector>

#include "benchmarks/twist_problem.hpp"
#include "host/linear_solver.hpp"

namespace sinew::bench {

/// One way to iterate. g = grad e(q_k) on the free nodes.
struct TwistMethod {
  std::string name;

  /// Descent with line search, d = -A^-1 g: with history 0 projective dynamics (ARAP) or plain quasi-Newton,
  /// with history m L-BFGS with A as initial matrix.
  int history = 0;

  /// Sweeps instead of solutions where positive: d = -sweep(g) times this, shortened where e rises.
  double sweep_step = 0.0;
  /// rho of the Chebyshev weights (Wang, "A Chebyshev Semi-Iterative Approach for Accelerating Projective and
  /// Position-Based Dynamics", 2015, sec. 4), in (0, 1); 0: no weights.
  double chebyshev_radius = 0.0;
};

/// What happened, per iteration; index 0 is q_0.
struct TwistRun {
  std::vector<double> merit;         ///< e(q_k) [J s^2]
  std::vector<int> evaluations;      ///< local steps made in iteration k
  std::vector<double> other_ms;      ///< global step, vectors, line search without local steps
  std::vector<Vec3d> last_position;  ///< {node_count} [m]
};

/// Iterates from q_0 until e <= enough, until no step descends any more, or for the given number of
/// iterations. Call inside Executor::run.
TwistRun run_twist_method(const TwistProblem& problem, const LinearSolver& solver, const TwistMethod& method,
                          int iterations, double enough);

}  // namespace sinew::bench
