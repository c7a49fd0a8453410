#include "engine/contact/active_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/contact/gauss_seidel.hpp"
#include "engine/contact/interior_point.hpp"
#include "engine/contact/newton_step.hpp"
#include "engine/contact/newton_system.hpp"
#include "engine/contact/nonsmooth_newton.hpp"
#include "engine/contact/proximal_newton.hpp"
#include "engine/contact/residuals.hpp"
#include "engine/contact/working_set.hpp"

namespace sinew {

namespace {

constexpr int kMostSteps = 30;
constexpr std::size_t kMany = 512;  // points from which sweeps cost more than a step
constexpr double kProgress = 0.9;   // a step that leaves more of the residual
constexpr int kPatience = 3;        // may happen so often
constexpr std::size_t kFew = 150;   // points for which interior points are cheap even where they only steer
constexpr int kRoughSweeps = 40;    // before proximal rounds, where the answer only steers the next iteration
constexpr int kIdleRounds = 2;      // proximal rounds that did not help
constexpr int kFirstSweeps = 10;    // of Gauss-Seidel then (nsn without G), doubled each time

/// Laws that contradict each other (no room between obstacles) are met at infinity: steps that would press
/// this many times deeper than anything at the start are not taken.
constexpr double kWild = 100.0;

/// Largest displacement [m] of a point, by all and by its own force.
double reach_of(const ContactProblem& problem) {
  double most = 0.0;
  for (std::size_t c = 0; c < problem.size(); ++c)
    most = std::max(most, norm(problem.displacement[c]) + problem.compliance(c) * norm(problem.force[c]));
  return most;
}

/// Of a part of the problem, where that is worth its time.
ContactReport solve_inside(ContactProblem& part, const ContactSolverSettings& settings) {
  if (interior_point_pays(part)) return solve_interior_point(part, settings);
  ContactReport nothing;
  nothing.change = measure(part).worst();
  nothing.converged = nothing.change <= settings.tolerance;
  return nothing;
}

}  // namespace

ContactReport solve_active_newton(ContactProblem& problem, const ContactSolverSettings& settings) {
  ContactReport report;
  NewtonSystem newton(problem, {});
  KeptAnswer best;
  best.keep(problem, measure(problem).worst());
  const double enough = std::max(settings.tolerance, settings.relative * best.residual);
  // Forces of the last frame say little about who slides now: sweeps find that out at the least cost,
  // but for many points, where a step with its few products costs less than they do.
  const double scale = reach_of(problem);
  int stalled = newton.remembers() || problem.size() > kMany ? 0 : kPatience, sweeps = kFirstSweeps,
      steps = 0, spent = 0;
  bool undetermined = false, inside_tried = false;
  const bool rough = settings.rough || settings.relative > 0.0;
  int rounds = problem.matrix_free || problem.size() > kMany ? 0 : kIdleRounds;
  KeptAnswer least = best;  // sweeps may go uphill for a while
  while (best.residual > enough && steps < kMostSteps && report.products < settings.max_products) {
    if (stalled >= kPatience) {  // states that steps cannot settle, sweeps can
      best.restore(problem);
      if (steps > 0 && !inside_tried && interior_point_fits(problem) &&
          (problem.size() <= kFew || (!rough && sweeps > kFirstSweeps))) {
        inside_tried = true;
        ContactSolverSettings inside = settings;
        inside.relative = 0.0;
        inside.tolerance = enough;
        inside.max_products = settings.max_products - report.products;
        // Sweeps and steps have let go of most points by now: too many for a dense factor may be few then.
        const ContactReport found = interior_point_pays(problem)
                                        ? solve_interior_point(problem, inside)
                                        : solve_working_set(problem, inside, solve_inside);
        report.newton_steps += found.newton_steps;
        report.products += found.products;
        if (found.change <= best.residual)
          best.keep(problem, found.change);
        else
          best.restore(problem);
        if (found.newton_steps > 0) {
          stalled = steps = 0;
          continue;
        }
      }
      if (rounds > 0 && steps > 0 && sweeps > (rough ? kRoughSweeps : kFirstSweeps)) {
        const double before = best.residual;
        const ContactReport solved =
            solve_proximal_newton(problem, enough, settings.max_products - report.products);
        report.newton_steps += solved.newton_steps;
        report.products += solved.products;
        best.keep(problem, solved.change);
        if (best.residual <= enough) break;
        if (!(best.residual < kProgress * before)) --rounds;
        if (best.residual < least.residual) least = best;
      }
      if (spent >= settings.max_sweeps) break;
      ContactSolverSettings some = settings;
      some.relative = 0.0;
      some.tolerance = 0.1 * enough;
      some.max_sweeps = std::min(sweeps, settings.max_sweeps - spent);
      some.max_products = settings.max_products - report.products;
      sweeps *= 2;
      const ContactReport swept =
          problem.matrix_free ? solve_nsn(problem, some) : solve_gauss_seidel(problem, some);
      report.newton_steps += swept.newton_steps;
      spent += std::max(1, swept.sweeps + swept.newton_steps);
      report.sweeps += swept.sweeps;
      report.products += swept.products;
      best.keep(problem, measure(problem).worst());
      stalled = 0;
      continue;
    }
    const bool moved = newton.step(report);
    ++report.newton_steps;
    ++steps;
    double residual = measure(problem).worst();
    if (!(reach_of(problem) <= kWild * scale)) residual = std::numeric_limits<double>::infinity();
    stalled = moved && residual < kProgress * best.residual ? 0 : stalled + 1;
    if (residual < best.residual) best.keep(problem, residual);
    undetermined = newton.undetermined();
    if (!std::isfinite(residual) || (undetermined && stalled > 0)) stalled = kPatience;
  }
  if (best.residual < least.residual) least = best;
  least.restore(problem);
  report.change = least.residual;
  report.converged = least.residual <= settings.tolerance;
  return report;
}

}  // namespace sinew
