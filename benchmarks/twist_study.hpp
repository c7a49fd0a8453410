// The convergence study: every global solver on the twisted bar, error of the incremental energy against a
// converged Newton solution, per iteration and per millisecond.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sinew/model.hpp>

namespace sinew::bench {

struct TwistSettings {
  Index vertices = 5400;
  double angle_deg = 90.0;  ///< between the ends
  std::vector<MaterialKind> materials = {MaterialKind::arap, MaterialKind::stable_neo_hookean};
  std::vector<double> young = {1e5, 1e6, 1e7, 1e8, 1e9};  ///< [Pa]
  int iterations = 1000;                                  ///< at most, of every method
};

/// Error that counts as converged, time of a frame at 30 Hz, and where curves end.
inline constexpr double kConverged = 1e-3, kFrameMs = 33.0, kLeastError = 1e-6;

struct TwistCurve {
  std::string method;             ///< name of the global solver, "+ L-BFGS" where it serves one
  double chebyshev_radius = 0.0;  ///< rho that was best; 0 for the others
  std::vector<double> error;      ///< [1] (e(q_k) - e*) / (e(q_0) - e*), k from 0
  std::vector<int> local_steps;   ///< made so far, the one at q_0 and those of line searches included
  std::vector<double> ms;         ///< so far: local steps and iterations, each at its measured cost
  double local_ms = 0.0;          ///< one local step
  double other_ms = 0.0;          ///< the rest of an iteration: global step, vectors

  void set_costs(double local, double other);  ///< [ms], and ms from them
  /// First k with error <= kConverged, -1: none.
  int converged_at() const;
  /// Error of the last iterate within a frame; 1 where not even the first is.
  double error_in_frame() const;
  double ms_per_iteration() const { return error.size() < 2 ? 0.0 : ms.back() / (ms.size() - 1.0); }
};

struct TwistCase {
  MaterialKind material = MaterialKind::arap;
  double young = 0.0;
  Index vertices = 0, free_vertices = 0;
  std::size_t tets = 0;
  double first_merit = 0.0, best_merit = 0.0;  ///< e(q_0), e* [J s^2]
  double newton_gradient = 0.0;                ///< [1] |grad e(q*)| / |grad e(q_0)|
  std::vector<TwistCurve> curves;
};

/// progress: called with a line before every part. Call inside Executor::run.
/// @throws NumericalError where the Newton solution does not converge.
std::vector<TwistCase> run_twist_study(const TwistSettings& settings,
                                       const std::function<void(const std::string&)>& progress);

}  // namespace sinew::bench
