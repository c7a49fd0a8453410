// Sweeps until they change little, mixed by Anderson's method: the same loop over sweeps of any device.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/contact/anderson.hpp"
#include "engine/contact/contact_solver.hpp"

namespace sinew {

inline constexpr int kPlainSweeps = 4;  ///< before extrapolation starts: most problems need no more

/// The nearest value that the law of an unknown allows: forces of the points, then (lambda, 0, 0) of the
/// scalar rows.
inline Vec3d project_on_law(const ContactProblem& problem, std::size_t i, const Vec3d& value) {
  if (i >= problem.size())
    return {problem.scalar[i - problem.size()].one_sided ? std::max(0.0, value.x) : value.x, 0.0, 0.0};
  if (problem.law_of(i) != PointLaw::contact) return value;
  const auto& e = problem.frame[i];
  const Vec3d local =
      project_on_cone(Vec3d{dot(e.n, value), dot(e.t1, value), dot(e.t2, value)}, problem.friction[i]);
  return local.x * e.n + local.y * e.t1 + local.z * e.t2;
}

/// sweeper: sweep() -> largest change [m], unknown(), weight() [m/N] of unknowns, set_unknowns().
template <class Sweeper>
ContactReport sweep_until_done(const ContactProblem& problem, const ContactSolverSettings& settings,
                               Sweeper& sweeper) {
  ContactReport report;
  AndersonAccelerator accelerator;
  std::vector<Vec3d> before;
  double enough = settings.tolerance;
  for (report.sweeps = 1;; ++report.sweeps) {
    before = sweeper.unknown();
    report.change = sweeper.sweep();
    ++report.products;
    if (report.sweeps == 1) enough = std::max(enough, settings.relative * report.change);
    report.converged = report.change <= settings.tolerance;
    if (report.change <= enough || report.sweeps >= settings.max_sweeps ||
        report.products >= settings.max_products)
      return report;
    if (report.sweeps < kPlainSweeps || settings.plain) continue;
    const std::vector<Vec3d>* next = accelerator.extrapolate(
        before, sweeper.unknown(), sweeper.weight(),
        [&](std::size_t i, const Vec3d& value) { return project_on_law(problem, i, value); });
    if (!next) continue;
    sweeper.set_unknowns(*next);
    ++report.products;
  }
}

}  // namespace sinew
