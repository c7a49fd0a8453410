// One contact solve of an island, and what becomes of problems that it cannot solve.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/contact/contact_solver.hpp"
#include "engine/contact/newton_step.hpp"
#include "engine/contact/residuals.hpp"
#include "engine/handles/scalar_rows.hpp"
#include "engine/step/stepper.hpp"

namespace sinew {

namespace {

constexpr double kThrough = 1e-3;  // of the smallest body: errors that one can see
constexpr int kMostResumed = 10;   // solves that end a frame with such an error go on so often,
constexpr double kResumeProgress = 0.9;
constexpr int kMostIdle = 4;  // while they get on
/// Products with an entry of G (a point at a point): 1e9 take about a second. Solves of a frame that leave a
/// visible error may cost kMostInVain in all; then each of them has to do with kLastWork.
constexpr double kMostWork = 3e8;     // of one solve,
constexpr double kMostEndWork = 1e9;  // and of one that ends a frame
constexpr double kMostInVain = 1e9, kLastWork = 3e7;
constexpr double kLeastProducts = 100.0, kLastProducts = 5.0;
constexpr double kNextWork = 0.25;    // of the work of an early solve, for the next one where it was used up
constexpr double kSmall = 150.0;      // points: below, overhead decides
constexpr int kMostMissed = 2;        // early solves of a frame that end above
constexpr double kEarlyMiss = 10.0;   // times their aim
constexpr double kAbsurd = 100.0;     // sizes, and gaps at the start: pushes of a point by its own force,
constexpr double kAbsurdMove = 10.0;  // and where points end
/// Share of a point's own compliance by which contacts give way then: forces end at ten times what parts a
/// point from what it overlaps, whatever holds it there.
constexpr double kGive = 0.1;

/// The farthest [m] that a point is from where it should be.
double farthest(const ContactProblem& problem) {
  double most = 0.0;
  for (const Vec3d& u : problem.displacement)
    if (!(norm(u) <= most)) most = norm(u);
  return most;
}

/// The same, or pushed by its own force.
double reach(const ContactProblem& problem) {
  double most = farthest(problem);
  for (std::size_t c = 0; c < problem.size(); ++c) {
    const double own = problem.compliance(c) * norm(problem.force[c]);
    if (!(own <= most)) most = own;
  }
  return most;
}

void add_work(const ContactReport& more, ContactReport& report) {
  report.sweeps += more.sweeps;
  report.newton_steps += more.newton_steps;
  report.products += more.products;
}

/// Where laws leave no answer, or none at a bearable cost: contacts that give way always have one. It is
/// reported as not converged.
ContactReport solve_giving(const ContactProblem& full, bool held_eliminated, ContactProblem& solved,
                           const ContactSolverSettings& settings) {
  const std::size_t n = solved.size();
  std::vector<double> stiff(n), give(n, 0.0);
  std::size_t at = 0;
  for (std::size_t r = 0; r < full.size(); ++r) {
    if (full.law_of(r) == PointLaw::held && held_eliminated) continue;
    if (full.law_of(r) == PointLaw::contact) give[at] = kGive * full.compliance(r);
    ++at;
  }
  for (std::size_t c = 0; c < n; ++c) {
    double& own = solved.diagonal(c);
    stiff[c] = own;
    own += give[c] / solved.squared_step;
    solved.displacement[c] += give[c] * solved.force[c];
  }
  ContactReport report = solve_contacts(solved, settings);
  for (std::size_t c = 0; c < n; ++c) {
    solved.diagonal(c) = stiff[c];
    solved.displacement[c] -= give[c] * solved.force[c];
  }
  report.converged = false;
  return report;
}

}  // namespace

/// Forces of laws that contradict each other (no room between obstacles) end nowhere: they depend on
/// rounding. Told by an error that one can see, or by forces that push farther than any answer needs.
///
/// A limit on sweeps must not let bodies pass each other: answers that end a frame go on from where they are,
/// as long as that helps.
ContactReport Stepper::solve_island(Island& island, ContactProblem& solved, double relative) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
  for (const std::size_t b : island.bodies) {
    smallest = std::min(smallest, input_.model->bodies[b].diagonal);
    largest = std::max(largest, input_.model->bodies[b].diagonal);
  }
  const double points = static_cast<double>(solved.size()) + kSmall, product = points * points;
  ContactSolverSettings how{settings_.contact.max_sweeps, contact_tolerance(), relative,
                            settings_.contact.solver};
  how.queue = queue_of(island);
  const bool nonsmooth = how.solver == ContactSolver::nsn || how.solver == ContactSolver::nsn_gs;
  if (nonsmooth) how.nsn = settings_.contact.nsn;
  const bool fixed_work = nonsmooth && how.nsn.steps > 0;
  const bool may_give = !solved.matrix_free && !fixed_work;
  KeptAnswer start;
  start.keep(solved, natural_map_residual(solved));
  const double reasonable = largest + farthest(solved);
  const double visible = kThrough * smallest;
  const double aim = std::max(visible, kEarlyMiss * relative * start.residual);
  ContactReport report;
  const auto error = [&] { return report.converged ? 0.0 : natural_map_residual(solved); };
  const auto solve = [&](bool give) {
    const ContactReport before = report;
    const bool spent = island.in_vain > kMostInVain;
    const double early = std::max(kLastWork, kMostWork * std::pow(kNextWork, island.used_up));
    const double work = spent ? kLastWork : (island.exact ? kMostEndWork : early);
    if (may_give)
      how.max_products =
          static_cast<int>(std::clamp(work / product, spent ? kLastProducts : kLeastProducts, 1e9));
    report = give ? solve_giving(island.problem, island.elimination_used, solved, how)
                  : sinew::solve_contacts(solved, how);
    if (!(error() <= aim)) island.in_vain += product * report.products;
    if (may_give && !island.exact && report.products >= how.max_products) ++island.used_up;
    add_work(before, report);
  };
  if (!solve_scalar_rows(solved, report)) solve(island.gives || (!island.exact && island.gives_early));
  double least = report.change;
  int idle = 0;
  for (int k = 0; k < kMostResumed && !fixed_work && island.exact && !island.gives && !(error() <= visible);
       ++k) {
    if (idle >= kMostIdle || island.in_vain > kMostInVain) break;
    solve(false);
    idle = report.change < kResumeProgress * least ? 0 : idle + 1;
    least = std::min(least, report.change);
  }
  const auto is_absurd = [&] {  // a law can be met there, too
    return !(reach(solved) <= kAbsurd * reasonable) || !(farthest(solved) <= kAbsurdMove * reasonable);
  };
  const bool lost = island.exact ? !island.gives && !(error() <= visible)
                                 : !island.gives && !island.gives_early && !(error() <= aim) &&
                                       ++island.missed >= kMostMissed;
  if (may_give && (lost || is_absurd())) {
    KeptAnswer stiff;
    // Of two answers with an error the one that also pushes less.
    const auto badness = [&] {
      return is_absurd() ? std::numeric_limits<double>::infinity() : error() * reach(solved);
    };
    stiff.keep(solved, badness());
    start.restore(solved);
    solve(true);
    const bool better = badness() < stiff.residual;
    if (!better) stiff.restore(solved);
    if (lost && better) (island.exact ? island.gives : island.gives_early) = true;
  }
  if (is_absurd()) {  // better than that
    start.restore(solved);
    report.converged = false;
  }
  return report;
}

}  // namespace sinew
