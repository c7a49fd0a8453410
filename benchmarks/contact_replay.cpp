#include "benchmarks/contact_replay.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "engine/contact/contact_solver.hpp"
#include "engine/contact/recorded_problem.hpp"
#include "engine/contact/residuals.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew::bench {

namespace {

void replay(const RecordedProblem& recorded, const ContactReplaySettings& settings, Executor& executor) {
  std::printf("%-8s %7s %7s %9s %9s %4s %9s %9s %9s %9s %9s\n", "solver", "steps", "sweeps", "products", "ms",
              "met", "residual", "cone N", "compl. m", "penetr. m", "creep m");
  for (const ContactSolverEntry& entry : contact_solvers()) {
    if (entry.id == ContactSolver::automatic) continue;
    ContactSolverSettings how;
    how.max_sweeps = settings.max_sweeps;
    how.tolerance = settings.tolerance > 0.0 ? settings.tolerance : recorded.tolerance;
    how.solver = entry.id;
    ContactReport report;
    ContactProblem problem;
    double best = 0.0;
    for (int k = 0; k < std::max(1, settings.repeats); ++k) {
      problem = recorded.problem;
      const auto begin = std::chrono::steady_clock::now();
      executor.run([&] { report = entry.solve(problem, how); });
      const double ms =
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
      best = k == 0 ? ms : std::min(best, ms);
    }
    const ContactYardstick y = measure(problem);
    std::printf("%-8.*s %7d %7d %9d %9.2f %4s %9.1e %9.1e %9.1e %9.1e %9.1e\n",
                static_cast<int>(entry.name.size()), entry.name.data(), report.newton_steps, report.sweeps,
                report.products, best, report.converged ? "yes" : "no", y.worst(), y.cone, y.complementarity,
                y.penetration, y.creep);
  }
}

}  // namespace

void replay_contacts(const std::vector<std::string>& files, const ContactReplaySettings& settings) {
  Executor executor(settings.threads);
  for (const std::string& file : files) {
    const RecordedProblem recorded = load_problem(file);
    std::printf("%s: %zu points, %zu scalar rows, rank %zu, tolerance %.1e m, residual at the start %.1e m\n",
                file.c_str(), recorded.problem.size(), recorded.problem.scalar.size(), recorded.problem.metric.rank(),
                settings.tolerance > 0.0 ? settings.tolerance : recorded.tolerance,
                measure(recorded.problem).worst());
    replay(recorded, settings, executor);
  }
}

}  // namespace sinew::bench
