#include "benchmarks/twist_study.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include <sinew/errors.hpp>

#include "benchmarks/twist_methods.hpp"
#include "engine/elastic/quasi_newton.hpp"
#include "host/rivals/jacobi.hpp"
#include "tests/reference/newton.hpp"

namespace sinew::bench {

namespace {

constexpr int kTimedIterations = 20, kRepeats = 3;
/// Directions need no more digits than the step that follows has; the iterations are those of the complete
/// solution (measured: 1e-1 takes more, 1e-4 saves none).
constexpr double kPcgTolerance = 1e-2;
/// Newton aims at 1e-12; rounding may end it before, which is far below kLeastError still.
constexpr double kNewtonGradient = 1e-9;

/// The problem, its minimum, and what all methods are measured by.
struct Yardstick {
  TwistProblem problem;
  double first = 0.0, best = 0.0, newton_gradient = 0.0;
  std::vector<Vec3d> solution;  ///< q* [m]
  /// One local step at q*, the best of all tries: the same for all methods, because the cost depends a little
  /// on the deformation (steps of the polar decomposition).
  double local_ms = std::numeric_limits<double>::infinity();

  void time_local_step() {
    ElasticWorkspace workspace;
    begin_elastic_frame(*problem.body, problem.predicted.data(), workspace);
    std::vector<Vec3d> gradient(solution.size());
    for (int repeat = 0; repeat < 5; ++repeat) {
      const auto start = std::chrono::steady_clock::now();
      evaluate_elastic(*problem.body, problem.input(), solution.data(), workspace, gradient.data());
      const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
      local_ms = std::min(local_ms, passed.count());
    }
  }

  double error(double merit) const { return (merit - best) / (first - best); }
  double enough() const { return best + kLeastError * (first - best); }
};

/// Newton from the end of a long L-BFGS run: it certifies that point (gradient to rounding, Hessian definite)
/// and costs two factorizations instead of ten. From q_0 it ends in the same point (tests).
Yardstick make_yardstick(TwistProblem problem, const LinearSolver& complete, double young) {
  Yardstick y;
  TwistMethod method;
  method.history = 5;
  const TwistRun run = run_twist_method(problem, complete, method, 100, -1.0);
  ElasticWorkspace workspace;
  begin_elastic_frame(*problem.body, problem.predicted.data(), workspace);
  std::vector<Vec3d> gradient(problem.first.size());
  std::vector<double> sums;
  y.first = evaluate_elastic(*problem.body, problem.input(), problem.first.data(), workspace, gradient.data())
                .merit;
  reference::NewtonSettings settings;
  settings.gradient_scale =
      std::sqrt(block_dot(gradient.data(), gradient.data(), problem.body->free_count, sums));
  const reference::NewtonResult newton =
      reference::minimise(*problem.body, problem.input(), run.last_position, settings);
  if (!(newton.relative_gradient <= kNewtonGradient))
    throw NumericalError(fmt::format("Newton's method stops at a relative gradient of {:.1e} at E = {:g} Pa; "
                                     "try a smaller --angle",
                                     newton.relative_gradient, young),
                         1, "bar", -1);
  y.best = newton.merit;
  if (!(y.first > y.best))
    throw NumericalError(fmt::format("at E = {:g} Pa the first point is as good as Newton's", young), 1,
                         "bar", -1);
  y.newton_gradient = newton.relative_gradient;
  y.solution = newton.position;
  y.problem = std::move(problem);
  return y;
}

/// Least time of every iteration over the repeats, then the mean: noise only adds.
double mean_of_least(const std::vector<std::vector<double>>& repeats) {
  std::vector<double> least = repeats.front();
  for (const auto& times : repeats)
    for (std::size_t k = 0; k < std::min(least.size(), times.size()); ++k)
      least[k] = std::min(least[k], times[k]);
  return std::accumulate(least.begin(), least.end(), 0.0) / static_cast<double>(least.size());
}

TwistCurve curve_of(Yardstick& y, const LinearSolver& solver, const TwistMethod& method,
                    const TwistRun& run) {
  TwistCurve curve;
  curve.method = method.name;
  curve.chebyshev_radius = method.chebyshev_radius;
  for (const double merit : run.merit) curve.error.push_back(y.error(merit));
  y.time_local_step();
  std::vector<std::vector<double>> other;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const TwistRun timed = run_twist_method(y.problem, solver, method, kTimedIterations, y.enough());
    other.emplace_back(timed.other_ms.begin() + 1, timed.other_ms.end());
  }
  curve.other_ms = mean_of_least(other);
  curve.local_steps = run.evaluations;
  std::partial_sum(curve.local_steps.begin(), curve.local_steps.end(), curve.local_steps.begin());
  return curve;
}

/// The better of two runs: fewer iterations to kConverged, then the lower end.
bool better(const Yardstick& y, const TwistRun& a, const TwistRun& b) {
  const auto rank = [&](const TwistRun& run) {
    for (std::size_t k = 0; k < run.merit.size(); ++k)
      if (y.error(run.merit[k]) <= kConverged) return static_cast<double>(k);
    return 1e9 * (1.0 + run.merit.back() / y.first);
  };
  return rank(a) < rank(b);
}

TwistCurve best_chebyshev(Yardstick& y, const JacobiSweep& sweep, int iterations) {
  TwistMethod method, best_method;
  method.name = "chebyshev";
  method.sweep_step = 1.0;
  TwistRun best;
  // The linear theory's rho fits the constant A; the energy is softer in some directions, which a rho nearer
  // to one serves. The literature tunes it by hand.
  for (const double share : {1.0, 0.3, 0.1}) {
    method.chebyshev_radius = 1.0 - share * (1.0 - sweep.spectral_radius());
    TwistRun run = run_twist_method(y.problem, sweep, method, iterations, y.enough());
    if (!best.merit.empty() && !better(y, run, best)) continue;
    best = std::move(run);
    best_method = method;
  }
  return curve_of(y, sweep, best_method, best);
}

/// The stiffness changes numbers, not work: of equal work in one run the least time is the least disturbed.
/// Conjugate gradients keep their own time, their inner iterations do depend on it.
void share_costs(std::vector<TwistCase>& cases) {
  const std::vector<TwistCase> measured = cases;
  for (TwistCase& c : cases) {
    for (std::size_t m = 0; m < c.curves.size(); ++m) {
      double local = c.curves[m].local_ms, other = c.curves[m].other_ms;
      for (const TwistCase& same : measured) {
        if (same.material != c.material) continue;
        local = std::min(local, same.curves[m].local_ms);
        if (c.curves[m].method.rfind("pcg", 0) != 0) other = std::min(other, same.curves[m].other_ms);
      }
      c.curves[m].set_costs(local, other);
    }
  }
}

}  // namespace

void TwistCurve::set_costs(double local, double other) {
  local_ms = local;
  other_ms = other;
  ms.clear();
  for (std::size_t k = 0; k < error.size(); ++k)
    ms.push_back(local_steps[k] * local_ms + static_cast<double>(k) * other_ms);
}

int TwistCurve::converged_at() const {
  for (std::size_t k = 0; k < error.size(); ++k)
    if (error[k] <= kConverged) return static_cast<int>(k);
  return -1;
}

double TwistCurve::error_in_frame() const {
  double last = 1.0;
  for (std::size_t k = 0; k < error.size() && ms[k] <= kFrameMs; ++k) last = error[k];
  return last;
}

std::vector<TwistCase> run_twist_study(const TwistSettings& settings,
                                       const std::function<void(const std::string&)>& progress) {
  std::vector<TwistCase> cases;
  for (const MaterialKind material : settings.materials) {
    for (const double young : settings.young) {
      const auto say = [&](const char* part) {
        progress(fmt::format("{}, E = {:g} Pa: {}", to_string(material), young, part));
      };
      say("Newton solution");
      TwistProblem problem = make_twist_problem(settings.vertices, material, young,
                                                settings.angle_deg * std::numbers::pi / 180.0);
      SolverSettings staged, pcg;
      staged.global = GlobalSolver::staged;
      const auto complete = make_linear_solver(problem.system, staged, 0.0);
      Yardstick y = make_yardstick(std::move(problem), *complete, young);

      TwistCase result;
      result.material = material;
      result.young = young;
      result.vertices = y.problem.body->node_count;
      result.free_vertices = y.problem.body->free_count;
      result.tets = y.problem.body->tets.size();
      result.first_merit = y.first;
      result.best_merit = y.best;
      result.newton_gradient = y.newton_gradient;
      const auto add = [&](const LinearSolver& solver, const TwistMethod& method) {
        say(method.name.c_str());
        const TwistRun run = run_twist_method(y.problem, solver, method, settings.iterations, y.enough());
        result.curves.push_back(curve_of(y, solver, method, run));
      };
      add(*complete, {"staged", 0, 0.0, 0.0});
      add(*complete, {"staged + L-BFGS", 5, 0.0, 0.0});
      pcg.global = GlobalSolver::pcg;
      pcg.pcg_tolerance = kPcgTolerance;
      add(*make_linear_solver(y.problem.system, pcg, 0.0), {"pcg + L-BFGS", 5, 0.0, 0.0});
      const JacobiSweep sweep(y.problem.system);
      add(sweep, {"jacobi", 0, 1.0, 0.0});
      say("chebyshev");
      result.curves.push_back(best_chebyshev(y, sweep, settings.iterations));
      for (TwistCurve& curve : result.curves) curve.set_costs(y.local_ms, curve.other_ms);
      cases.push_back(std::move(result));
    }
  }
  share_costs(cases);
  return cases;
}

}  // namespace sinew::bench
