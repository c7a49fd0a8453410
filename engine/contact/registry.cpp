#include <sinew/errors.hpp>

#include "engine/contact/active_newton.hpp"
#include "engine/contact/contact_solver.hpp"
#include "engine/contact/gauss_seidel.hpp"
#include "engine/contact/recorded_problem.hpp"

namespace sinew {

namespace {

constexpr ContactSolverEntry kSolvers[] = {
    {ContactSolver::automatic, "automatic", "the fastest one measured", solve_gauss_seidel},
    {ContactSolver::gs, "gs", "block Gauss-Seidel mixed by Anderson's method", solve_gauss_seidel},
    {ContactSolver::newton, "newton", "Newton on the active set with a dense factor", solve_active_newton},
};

}  // namespace

std::span<const ContactSolverEntry> contact_solvers() {
  return kSolvers;
}

ContactReport solve_contacts(ContactProblem& problem, const ContactSolverSettings& settings) {
  if (problem.size() == 0) return {};
  if (ContactRecorder* recorder = ContactRecorder::current())
    recorder->record({problem, settings.tolerance, settings.relative});
  for (const ContactSolverEntry& entry : kSolvers)
    if (entry.id == settings.solver) return entry.solve(problem, settings);
  throw ModelError("contact solver: no such solver; see contact_solvers()");
}

}  // namespace sinew
