#include "benchmarks/twist_methods.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/elastic/quasi_newton.hpp"
#include "host/rivals/jacobi.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kNodeGrain = 1024;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Local step, global step and their clocks: what all iterations share.
class Workbench {
 public:
  Workbench(const TwistProblem& problem, const LinearSolver& solver)
      : problem_(problem),
        solver_(solver),
        workspace_(solver.make_workspace()),
        ordered_(static_cast<std::size_t>(solver.size())) {
    begin_elastic_frame(*problem.body, problem.predicted.data(), elastic_);
  }

  std::size_t free_nodes() const { return ordered_.size(); }

  double evaluate(const std::vector<Vec3d>& position, std::vector<Vec3d>& gradient) {
    const auto start = Clock::now();
    const double merit =
        evaluate_elastic(*problem_.body, problem_.input(), position.data(), elastic_, gradient.data()).merit;
    evaluate_ms_ += ms_since(start);
    ++evaluations_;
    return merit;
  }

  /// out := A^-1 g, or what one sweep makes of it.
  void apply(const std::vector<Vec3d>& g, std::vector<Vec3d>& out) {
    const std::vector<Index>& order = solver_.order();
    for_each(order.size(), kNodeGrain, [&](std::size_t k) { ordered_[k] = g[order[k]]; });
    Vec3d* block = ordered_.data();
    solver_.solve(&block, 1, *workspace_);
    for_each(order.size(), kNodeGrain, [&](std::size_t k) { out[order[k]] = ordered_[k]; });
  }

  void begin_iteration() {
    start_ = Clock::now();
    evaluate_ms_ = 0.0;
    evaluations_ = 0;
  }
  void end_iteration(double merit, TwistRun& run) const {
    run.other_ms.push_back(std::max(0.0, ms_since(start_) - evaluate_ms_));
    run.merit.push_back(merit);
    run.evaluations.push_back(evaluations_);
  }

 private:
  const TwistProblem& problem_;
  const LinearSolver& solver_;
  std::unique_ptr<LinearSolver::Workspace> workspace_;
  ElasticWorkspace elastic_;
  std::vector<Vec3d> ordered_;
  Clock::time_point start_;
  double evaluate_ms_ = 0.0;
  int evaluations_ = 0;
};

/// The engine's iteration without contact (engine/step/local_global_step.cpp): d = -B g, line search on e.
class Descent {
 public:
  Descent(const TwistProblem& problem, Workbench& bench, int history)
      : bench_(bench),
        n_(bench.free_nodes()),
        keep_pairs_(history > 0),
        position_(problem.first),
        trial_(problem.first),
        gradient_(problem.first.size()),
        trial_gradient_(problem.first.size()),
        inverse_(n_),
        inverse_before_(n_),
        direction_(std::vector<Vec3d>(n_)),
        residual_(std::vector<Vec3d>(n_)),
        step_(std::vector<Vec3d>(n_)),
        change_(std::vector<Vec3d>(n_)),
        inverse_change_(std::vector<Vec3d>(n_)) {
    metric_.begin(static_cast<std::size_t>(history), n_);
  }

  void run(int iterations, double enough, TwistRun& run) {
    bench_.begin_iteration();
    merit_ = bench_.evaluate(position_, gradient_);
    bench_.end_iteration(merit_, run);
    for (int k = 0; k < iterations && merit_ > enough; ++k) {
      bench_.begin_iteration();
      const bool moved = iterate(k > 0);
      bench_.end_iteration(merit_, run);
      if (!moved) break;
    }
    run.last_position = position_;
  }

 private:
  bool iterate(bool has_step) {
    bench_.apply(gradient_, inverse_);
    std::copy_n(gradient_.begin(), n_, residual_.edit().begin());
    std::vector<Vec3d>& direction = direction_.edit();
    if (has_step && keep_pairs_) {
      std::vector<Vec3d>& change = inverse_change_.edit();
      for_each(n_, kNodeGrain, [&](std::size_t i) { change[i] = inverse_[i] - inverse_before_[i]; });
      metric_.push(step_, change_, inverse_change_, sums_);
    }
    for_each(n_, kNodeGrain, [&](std::size_t i) { direction[i] = -inverse_[i]; });
    metric_.add_low_rank(residual_, -1.0, direction_, sums_);
    std::swap(inverse_before_, inverse_);
    if (search()) return true;
    if (metric_.pairs() == 0) return false;
    metric_.clear();  // rounding spoilt the metric: the plain step is always downhill
    for_each(n_, kNodeGrain, [&](std::size_t i) { direction[i] = -inverse_before_[i]; });
    return search();
  }

  bool search() {
    const std::vector<Vec3d>& direction = direction_.host();
    std::vector<Vec3d>&step = step_.edit(), &change = change_.edit();
    const double slope = block_dot(gradient_.data(), direction.data(), n_, sums_);
    double length = 1.0;
    for (int halving = 0; slope < 0.0 && halving <= 12; ++halving, length *= 0.5) {
      for_each(n_, kNodeGrain, [&](std::size_t i) { trial_[i] = position_[i] + length * direction[i]; });
      const double merit = bench_.evaluate(trial_, trial_gradient_);
      if (!(merit <= merit_ + 1e-4 * length * slope)) continue;
      if (keep_pairs_) {
        for_each(n_, kNodeGrain, [&](std::size_t i) {
          step[i] = length * direction[i];
          change[i] = trial_gradient_[i] - gradient_[i];
        });
      }
      std::swap(position_, trial_);
      std::swap(gradient_, trial_gradient_);
      merit_ = merit;
      return true;
    }
    return false;
  }

  Workbench& bench_;
  std::size_t n_;
  bool keep_pairs_;
  double merit_ = 0.0;
  QuasiNewton metric_;
  std::vector<Vec3d> position_, trial_, gradient_, trial_gradient_;  // {node_count}
  std::vector<Vec3d> inverse_, inverse_before_;
  Mirrored<Vec3d> direction_, residual_, step_, change_, inverse_change_;
  std::vector<double> sums_;
};

/// One sweep per iteration, d = -step * sweep(g), with Chebyshev weights after ten plain ones if asked:
///   q_{k+1} = w_{k+1} (q_k + d - q_{k-1}) + q_{k-1}.
/// Where e has risen since the last check (every iteration without weights, every eighth with them, as in
/// Wang and Yang, "Descent Methods for Elastic Body Simulation on the GPU", 2016), the iterate is taken back
/// there, the step shortened and the weights started anew; five good checks in a row lengthen the step again.
class Sweeps {
 public:
  Sweeps(const TwistProblem& problem, Workbench& bench, double step, double radius)
      : bench_(bench),
        n_(bench.free_nodes()),
        longest_(step),
        step_(step),
        radius_(radius),
        position_(problem.first),
        before_(problem.first),
        next_(problem.first),
        good_(problem.first),
        gradient_(problem.first.size()),
        good_gradient_(problem.first.size()),
        direction_(n_) {}

  void run(int iterations, double enough, TwistRun& run) {
    bench_.begin_iteration();
    merit_ = good_merit_ = bench_.evaluate(position_, gradient_);
    good_gradient_ = gradient_;
    bench_.end_iteration(merit_, run);
    for (int k = 1; k <= iterations && merit_ > enough; ++k) {
      bench_.begin_iteration();
      sweep();
      const int period = radius_ > 0.0 ? kCheckEvery : 1;
      if (since_start_ % period == 0 || !(merit_ < kRunaway * good_merit_)) check();
      bench_.end_iteration(merit_, run);
    }
    run.last_position = position_;
  }

 private:
  static constexpr int kPlain = 10, kCheckEvery = 8;
  static constexpr double kRunaway = 4.0;  // of e: taken back at once

  void sweep() {
    bench_.apply(gradient_, direction_);
    const bool plain = radius_ == 0.0 || since_start_ < kPlain;
    weight_ = plain ? 1.0 : chebyshev_weight(since_start_ - kPlain + 1, weight_, radius_);
    ++since_start_;
    for_each(n_, kNodeGrain, [&](std::size_t i) {
      next_[i] = weight_ * (position_[i] - step_ * direction_[i] - before_[i]) + before_[i];
    });
    std::swap(before_, position_);
    std::swap(position_, next_);
    merit_ = bench_.evaluate(position_, gradient_);
  }

  void check() {
    if (merit_ <= good_merit_) {
      good_ = position_;
      good_gradient_ = gradient_;
      good_merit_ = merit_;
      if (++good_checks_ % 5 == 0) step_ = std::min(longest_, step_ / 0.7);
      return;
    }
    position_ = before_ = good_;
    gradient_ = good_gradient_;
    merit_ = good_merit_;
    step_ *= 0.7;
    since_start_ = good_checks_ = 0;
  }

  Workbench& bench_;
  std::size_t n_;
  double longest_, step_, radius_;
  int since_start_ = 0, good_checks_ = 0;
  double weight_ = 1.0, merit_ = 0.0, good_merit_ = 0.0;
  std::vector<Vec3d> position_, before_, next_, good_, gradient_, good_gradient_;  // {node_count}
  std::vector<Vec3d> direction_;
};

}  // namespace

TwistRun run_twist_method(const TwistProblem& problem, const LinearSolver& solver, const TwistMethod& method,
                          int iterations, double enough) {
  Workbench bench(problem, solver);
  TwistRun run;
  if (method.sweep_step > 0.0)
    Sweeps(problem, bench, method.sweep_step, method.chebyshev_radius).run(iterations, enough, run);
  else
    Descent(problem, bench, method.history).run(iterations, enough, run);
  return run;
}

}  // namespace sinew::bench
