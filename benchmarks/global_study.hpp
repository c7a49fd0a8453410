// One system through all ways to solve it: sizes, preparation, time per global step, errors.
//
// This machine may be shared and noisy, so the solvers of a system take turns: in every round each one makes
// a few solves (three right-hand sides, restored before each), and what counts are ratios of the best times.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/global_solvers.hpp"
#include "host/cholesky.hpp"
#include "host/linear_solver.hpp"

namespace sinew::bench {

/// Bodies that a wide solve handles at once.
inline constexpr int kInstances = 4;

/// One system to be solved.
struct GlobalProblem {
  std::string name;   ///< "bar 20k"
  std::string shape;  ///< "bar", "cube", "sheet", ...
  Index vertices = 0;
  std::size_t elements = 0;
  double published_MB = 0.0;  ///< of the published S (3n x 3n, double) for a mesh of this size; 0: none
  SymmetricMatrix matrix;     ///< A_s [kg]
};

struct GlobalSettings {
  std::vector<SolverKind> solvers;
  int threads = 1;            ///< N; solvers that differ are run with one, too
  double seconds = 10.0;      ///< for the rounds of one problem; each solver has one turn at least
  bool cache = false;         ///< also a second start, from a temporary folder
  double memory_limit = 2e9;  ///< [bytes] for the arrays of one solver
};

/// Times of one solver with one number of threads and of blocks.
struct Timing {
  int threads = 1;
  int blocks = 1;
  std::vector<double> ms;  ///< of each solve, per block

  double best() const;    ///< NaN where nothing was run
  double median() const;  ///< NaN where nothing was run
};

struct SolverResult {
  SolverKind kind;
  std::string why_not;  ///< one line; empty where the solver was run
  LinearSolver::Sizes sizes;
  double prepare_s = 0.0;
  double error = -1.0;  ///< |x - x_CHOLMOD| / |x_CHOLMOD|, 2-norm; -1: not measured
  int iterations = -1;  ///< conjugate gradients; -1: none
  std::vector<Timing> timings;

  bool built() const { return why_not.empty(); }
  /// Null where it was not run.
  const Timing* timing(int threads, int blocks) const;
  /// Best ms per block with up to `threads` threads: of a serial solver its only time. NaN where not run.
  double best(int threads, int blocks) const;
};

/// Seconds of a cold start (no cache): parts and whole. -1: not measured.
struct Preparation {
  double order_s = -1.0, factor_s = -1.0, structure_s = -1.0, inverse_s = -1.0;
  double total_s = -1.0;             ///< the sum of these: with the default factor
  double simplicial_total_s = -1.0;  ///< measured as a whole, with CHOLMOD's simplicial factor
  double supernodal_total_s = -1.0;  ///< the same with its supernodal factor
  double store_s = -1.0;             ///< writing the cache
  double second_start_s = -1.0;      ///< key, reading, check by one solve
  double cache_bytes = 0.0;
};

struct GlobalResult {
  std::string name, shape;
  Index vertices = 0;
  std::size_t elements = 0;
  double published_MB = 0.0;
  std::size_t nnz_matrix = 0;  ///< lower triangle
  std::size_t nnz_factor = 0;
  std::vector<double> nnz_stages;     ///< [K - 1]
  double published_form_bytes = 0.0;  ///< one copy of the 3n form of S in compressed rows, by count
  LinearSolver::Sizes staged, staged_float;
  Preparation preparation;
  std::string reference;  ///< library whose solution errors are relative to
  std::vector<SolverResult> solvers;

  /// Null where it is not among the solvers.
  const SolverResult* solver(const std::string& name) const;
};

GlobalResult run_global_study(const GlobalProblem& problem, const GlobalSettings& settings,
                              const std::function<void(const std::string&)>& progress);

}  // namespace sinew::bench
