// Problems of many candidates and few contacts.
#include "engine/contact/working_set.hpp"

#include "engine/contact/active_newton.hpp"
#include "engine/contact/residuals.hpp"
#include "tests/engine/contact/contact_problems.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

std::size_t largest_part = 0, solves = 0;
ContactReport counted(ContactProblem& problem, const ContactSolverSettings& settings) {
  largest_part = std::max(largest_part, problem.size());
  ++solves;
  return solve_active_newton(problem, settings);
}

/// A sixth of the points overlap at the start; as many are close below a ceiling that they are pushed
/// against.
ContactProblem candidates() {
  ContactProblem p = body_on_plane(240, 1.0, 0.4, 21);
  add_rank(p, 4, 22);
  for (std::size_t c = 0; c < p.size(); ++c)
    p.displacement[c] += (c % 6 == 0 ? -1e-3 : 1.6e-3) * p.frame[c].n;
  for (std::size_t c = 3; c < p.size(); c += 6) {
    p.frame[c] = make_contact_frame(-1.0 * p.frame[c].n);
    p.displacement[c] = 3e-4 * p.frame[c].n;
  }
  p.scalar.push_back({{{3, {1, 0, 0}}, {10, {0, 0, -1}}}, 2e-5, 1e-7, false, 0.0});
  return p;
}

}  // namespace

TEST_CASE("working set: the answer is that of the whole problem, from a part of it") {
  const ContactProblem start = candidates();
  ContactProblem p = start;
  const ContactSolverSettings settings{500, 1e-11, 0.0, ContactSolver::newton};
  largest_part = solves = 0;
  const ContactReport report = solve_working_set(p, settings, counted);
  CHECK(report.converged);
  CHECK(measure(p).worst() <= 1e-11);
  CHECK(displacement_error(start, p) < 1e-12);
  CHECK(largest_part < p.size() / 2);
  std::size_t joined = 0;
  for (std::size_t c = 0; c < p.size(); ++c)
    joined += dot(start.frame[c].n, start.displacement[c]) > 0.0 && !(p.force[c] == Vec3d{});
  CHECK(joined > 0);  // by a second round
  CHECK(solves > 1);

  ContactProblem whole = start;
  CHECK(solve_active_newton(whole, settings).converged);
  for (std::size_t c = 0; c < p.size(); ++c) CHECK(norm(p.force[c] - whole.force[c]) < 1e-4);
  CHECK(p.scalar[0].force == Approx(whole.scalar[0].force).margin(1e-6));
}

TEST_CASE("working set: most points at work are solved for as a whole, and nothing to do costs nothing") {
  ContactProblem p = body_on_plane(100, 1.0, 0.4, 23);
  largest_part = solves = 0;
  CHECK(solve_working_set(p, {500, 1e-11, 0.0, ContactSolver::newton}, counted).converged);
  CHECK(largest_part == 100);
  solves = 0;
  const ContactReport again = solve_working_set(p, {500, 1e-11, 0.0, ContactSolver::newton}, counted);
  CHECK(again.converged);
  CHECK(solves == 0);
  CHECK(again.products == 0);
}
