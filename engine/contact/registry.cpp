#include <sinew/errors.hpp>

#include "engine/contact/active_newton.hpp"
#include "engine/contact/contact_solver.hpp"
#include "engine/contact/device_contacts.hpp"
#include "engine/contact/gauss_seidel.hpp"
#include "engine/contact/interior_point.hpp"
#include "engine/contact/nonsmooth_newton.hpp"
#include "engine/contact/recorded_problem.hpp"
#include "engine/contact/working_set.hpp"

namespace sinew {

namespace {

ContactReport solve_newton(ContactProblem& problem, const ContactSolverSettings& settings) {
  return solve_working_set(problem, settings, solve_active_newton);
}

/// Rounding ends interior points some digits above the last ones, which Newton finds from there.
ContactReport solve_inside_out(ContactProblem& problem, const ContactSolverSettings& settings) {
  const ContactReport inside = solve_interior_point(problem, settings);
  if (inside.converged || settings.max_products <= inside.products) return inside;
  ContactSolverSettings rest = settings;
  rest.max_products -= inside.products;
  ContactReport report = solve_newton(problem, rest);
  report.newton_steps += inside.newton_steps;
  report.products += inside.products;
  return report;
}

/// Null: that solver has no form for devices.
using SolveOnDevice = ContactReport (*)(ContactProblem&, const ContactSolverSettings&);
SolveOnDevice device_form(ContactSolver solver) {
  switch (solver) {
    case ContactSolver::gs:
      return solve_gauss_seidel_on_device;
    case ContactSolver::nsn:
      return solve_nsn_on_device;
    case ContactSolver::nsn_gs:
      return solve_nsn_gs_on_device;
    default:
      return nullptr;
  }
}

constexpr ContactSolverEntry kSolvers[] = {
    {ContactSolver::automatic, "automatic", "newton", solve_newton},
    {ContactSolver::gs, "gs", "block Gauss-Seidel mixed by Anderson's method", solve_gauss_seidel},
    {ContactSolver::nsn, "nsn", "non-smooth Newton with conjugate residual", solve_nsn},
    {ContactSolver::nsn_gs, "nsn_gs", "the same, then Gauss-Seidel to finish the friction", solve_nsn_gs},
    {ContactSolver::newton, "newton", "Newton on the active set with a dense factor", solve_newton},
    {ContactSolver::interior_point, "interior_point", "interior-point method in second-order cones",
     solve_inside_out},
};

}  // namespace

std::span<const ContactSolverEntry> contact_solvers() {
  return kSolvers;
}

ContactReport solve_contacts(ContactProblem& problem, const ContactSolverSettings& settings) {
  if (problem.size() == 0) return {};
  if (problem.matrix_free)  // the others read entries of G
    return settings.solver == ContactSolver::newton ? solve_active_newton(problem, settings)
                                                    : solve_nsn(problem, settings);
  if (ContactRecorder* recorder = ContactRecorder::current(); recorder && !problem.gram.empty())
    recorder->record({problem, settings.tolerance, settings.relative});
  if (const SolveOnDevice solve = settings.queue ? device_form(settings.solver) : nullptr)
    return solve(problem, settings);
  if (problem.gram.empty())
    throw ModelError("contact solver: the matrix is on a device; gs, nsn and nsn_gs run there");
  for (const ContactSolverEntry& entry : kSolvers)
    if (entry.id == settings.solver) return entry.solve(problem, settings);
  throw ModelError("contact solver: no such solver; see contact_solvers()");
}

}  // namespace sinew
