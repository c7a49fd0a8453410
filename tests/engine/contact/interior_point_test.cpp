#include "engine/contact/interior_point.hpp"

#include <string>

#include "engine/contact/recorded_problem.hpp"
#include "engine/contact/residuals.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/engine/contact/contact_problems.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

TEST_CASE("interior points: two leaning cards, where sweeps give up") {
  // E = 1e9 Pa, rotations in the metric: compliances of turning and of straining differ by 1e6.
  const RecordedProblem recorded =
      load_problem(std::string(SINEW_TEST_DATA) + "/contact/leaning_cards.contact");
  ContactProblem one, four;
  ContactReport report;
  for (const int threads : {1, 4}) {
    ContactProblem& p = threads == 1 ? one : four;
    p = recorded.problem;
    Executor executor(threads);
    executor.run([&] { report = solve_interior_point(p, {200, recorded.tolerance, 0.0, {}}); });
  }
  CHECK(report.converged);
  CHECK(report.newton_steps < 30);
  CHECK(report.change == measure(one).worst());
  CHECK(measure(one).worst() <= recorded.tolerance);
  CHECK(measure(one).cone < 1e-12);
  CHECK(displacement_error(recorded.problem, one) < 1e-12);
  for (std::size_t c = 0; c < one.size(); ++c) CHECK(one.force[c] == four.force[c]);

  ContactProblem swept = recorded.problem;
  solve_contacts(swept, {200, recorded.tolerance, 0.0, ContactSolver::gs});
  CHECK(measure(swept).worst() > 1000.0 * recorded.tolerance);
}

TEST_CASE("interior points: no friction, springs and cables are laws like others") {
  for (const double friction : {0.0, 0.4})
    for (const bool more : {false, true}) {
      INFO("friction " << friction << (more ? ", with a held point and cables" : ""));
      ContactProblem p = body_on_plane(20, 1.0, 0.3, 12);
      p.friction.assign(p.size(), friction);
      if (more) {
        p.law.assign(p.size(), PointLaw::contact);
        p.law[5] = PointLaw::held;
        p.held_compliance.assign(p.size(), 0.0);
        p.held_compliance[5] = 1e-5;
        p.scalar.push_back({{{3, {1, 0, 0}}, {7, {0, 1, 0}}}, -1e-4, 1e-6, true, 0.0});
        p.scalar.push_back({{{2, {0, 1, 0}}}, 1e-5, 0.0, false, 0.0});
      }
      const ContactProblem start = p;
      const double before = measure(p).worst();
      const ContactReport report = solve_interior_point(p, {200, 1e-9, 0.0, {}});
      CHECK(report.converged);
      CHECK(before > 1e-6);
      CHECK(measure(p).worst() <= 1e-9);
      CHECK(displacement_error(start, p) < 1e-12);
      if (more) CHECK(p.scalar[0].force >= 0.0);
    }
}

TEST_CASE("interior points: what asks for opposite things gets no forces of any size") {
  ContactProblem p = zero_problem(2);  // two points of one node, pushed towards each other
  p.gram = {2.0, 2.0, 2.0, 2.0};
  p.frame[1] = make_contact_frame(Vec3d{0.0, 0.0, -1.0});
  p.displacement = {Vec3d{0.0, 0.0, -1e-3}, Vec3d{0.0, 0.0, -1e-3 + 1e-5}};
  const ContactReport report = solve_interior_point(p, {200, 1e-12, 0.0, {}});
  CHECK_FALSE(report.converged);
  for (std::size_t c = 0; c < 2; ++c) CHECK(p.compliance(c) * norm(p.force[c]) < 1e-2);
}

TEST_CASE("interior points: not begun where the work allows too little, and never beyond it") {
  const ContactProblem start = body_on_plane(60, 1.0, 0.3, 7);
  ContactProblem free = start, little = start, some = start;
  const ContactReport all = solve_interior_point(free, {200, 1e-9, 0.0, {}});
  REQUIRE(all.converged);
  REQUIRE(all.newton_steps > 0);
  const int step = all.products / all.newton_steps;
  CHECK(step >= 9);  // a dense factor of 180 unknowns
  ContactSolverSettings settings{200, 1e-9, 0.0, {}};
  settings.max_products = 5 * step;
  const ContactReport none = solve_interior_point(little, settings);
  CHECK(none.newton_steps == 0);
  CHECK(none.products == 0);
  for (std::size_t c = 0; c < start.size(); ++c) CHECK(little.force[c] == start.force[c]);
  settings.tolerance = 0.0;
  settings.max_products = 12 * step;
  const ContactReport cut = solve_interior_point(some, settings);
  CHECK(cut.newton_steps == 12);
  CHECK(cut.products <= settings.max_products);
}

TEST_CASE("interior points pay for few points, and for many where bodies keep the factor sparse") {
  CHECK(interior_point_pays(body_on_plane(250, 1.0, 0.2, 3)));
  CHECK_FALSE(interior_point_pays(body_on_plane(251, 1.0, 0.2, 3)));
  ContactProblem bodies = zero_problem(400);  // eight of 50 points each
  for (std::size_t i = 0; i < 400; ++i)
    for (std::size_t j = 0; j < 400; ++j)
      if (i / 50 == j / 50) bodies.gram[i * 400 + j] = i == j ? 2.0 : 1.0;
  CHECK(interior_point_pays(bodies));
  bodies.resize(601);
  CHECK_FALSE(interior_point_pays(bodies));
}

TEST_CASE("newton: points far up take no part, and the answer is that of all points") {
  // Stiff and flat, so that steps stall; half of the points are a metre up.
  for (const std::uint64_t seed : {70u, 71u, 72u}) {
    ContactProblem p = body_on_plane(120, 1.0, 1e-4, seed);
    for (std::size_t c = 0; c < p.size(); c += 2) p.displacement[c] += 1.0 * p.frame[c].n;
    const ContactProblem start = p;
    ContactSolverSettings settings{200, 1e-10, 0.0, ContactSolver::newton};
    const ContactReport report = solve_contacts(p, settings);
    INFO(seed);
    CHECK(report.converged);
    CHECK(measure(p).worst() == report.change);
    CHECK(displacement_error(start, p) < 1e-12);
    for (std::size_t c = 0; c < p.size(); c += 2) CHECK(p.force[c] == Vec3d{});
  }
}
