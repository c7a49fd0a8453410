// Newton's method where G does not determine the forces, and the inverse with bound components behind it.
#include "engine/contact/proximal_newton.hpp"

#include <cmath>

#include "engine/contact/constrained_inverse.hpp"
#include "engine/contact/dense_cholesky.hpp"
#include "engine/contact/recorded_problem.hpp"
#include "engine/contact/residuals.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/engine/contact/contact_problems.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

TEST_CASE("constrained inverse: bindings hold, all else meets the equations of the points") {
  constexpr std::size_t m = 9, rank = 3;
  Random random(3);
  std::vector<double> a(m * m);
  std::vector<Vec3d> place(m), q(m * rank);
  for (Vec3d& x : place) x = random.vector();
  for (Vec3d& x : q) x = 0.4 * random.vector();
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) a[i * m + j] = 0.3 + std::exp(-2.0 * norm(place[i] - place[j]));
  const std::vector<double> middle{0.5, 0.1, 0.0, 0.1, 0.7, 0.0, 0.0, 0.0, 0.2};
  DenseCholesky factor;
  factor.factor(a, m);
  const auto solve = [&](SplitVectors& x) { factor.solve(x); };
  LowRankUpdate update;
  update.set(q, rank, middle, solve);

  // 2 slides along t, pushed back across it; 5 is off; 7 slides without friction across.
  const auto e = make_contact_frame(normalized(Vec3d{0.3, 0.5, 1.0}));
  const double friction = 0.6, across = 0.25;
  std::vector<Binding> bindings{{2, e.t1 + friction * e.n, e.t1, 0.0}, {2, e.t2, -1.0 * e.t2, -1.0 / across}};
  for (const Vec3d& axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
    bindings.push_back({5, axis, axis, 0.0});
  bindings.push_back({7, e.t2 + friction * e.n, e.t2, 0.0});
  ConstrainedInverse inverse;
  inverse.set(bindings, m, update, solve);

  std::vector<Vec3d> b(m);
  for (Vec3d& v : b) v = random.vector();
  SplitVectors x;
  x.assign(m, 0.0);
  for (std::size_t i = 0; i < m; ++i) x.set(i, b[i]);
  const std::vector<double> z = update.project(x);
  solve(x);
  update.subtract(z, x);
  inverse.apply(update, x);

  // left = K f - b: what the bindings add.
  std::vector<double> seen(rank, 0.0), pushed(rank, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t k = 0; k < rank; ++k) seen[k] += dot(q[i * rank + k], x.at(i));
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t l = 0; l < rank; ++l) pushed[k] += middle[k * rank + l] * seen[l];
  std::vector<Vec3d> left(m);
  for (std::size_t i = 0; i < m; ++i) {
    left[i] = -1.0 * b[i];
    for (std::size_t j = 0; j < m; ++j) left[i] += a[i * m + j] * x.at(j);
    for (std::size_t k = 0; k < rank; ++k) left[i] += pushed[k] * q[i * rank + k];
    if (i != 2 && i != 5 && i != 7) CHECK(norm(left[i]) < 1e-12);
  }
  CHECK(norm(x.at(5)) < 1e-12);
  CHECK(norm(left[5]) > 0.1);
  for (const std::size_t i : {std::size_t{2}, std::size_t{7}}) {
    const Vec3d along = i == 2 ? e.t1 : e.t2;
    CHECK(std::abs(dot(along, x.at(i)) + friction * dot(e.n, x.at(i))) < 1e-12);
    CHECK(std::abs(dot(left[i], e.n)) < 1e-12);
  }
  CHECK(std::abs(dot(left[7], e.t1)) < 1e-12);
  CHECK(std::abs(dot(left[2], e.t2) + across * dot(e.t2, x.at(2))) < 1e-12);
}

TEST_CASE("more contacts between stiff bodies than these have motions: Newton finds forces all the same") {
  // Seven cards, every point of a joint found from both sides; 200 sweeps end at 4e-8 m.
  const RecordedProblem recorded = load_problem(std::string(SINEW_TEST_DATA) + "/contact/card_house.contact");
  ContactProblem one, four;
  ContactReport report;
  for (const int threads : {1, 4}) {
    ContactProblem& p = threads == 1 ? one : four;
    p = recorded.problem;
    Executor executor(threads);
    executor.run([&] { report = solve_contacts(p, {200, recorded.tolerance, 0.0, ContactSolver::newton}); });
  }
  CHECK(report.converged);
  CHECK(report.newton_steps < 40);
  CHECK(report.sweeps <= 40);
  CHECK(measure(one).worst() <= recorded.tolerance);
  CHECK(measure(one).cone < 1e-9);
  CHECK(displacement_error(recorded.problem, one) < 1e-11);
  for (std::size_t c = 0; c < one.size(); ++c) CHECK(one.force[c] == four.force[c]);

  ContactProblem swept = recorded.problem;
  CHECK(!solve_contacts(swept, {200, recorded.tolerance, 0.0, ContactSolver::gs}).converged);
}

TEST_CASE("proximal rounds: a rigid body on many points, by itself and with a cable") {
  for (const bool cable : {false, true}) {
    ContactProblem p = body_on_plane(40, 1.0, 0.0, 12);  // one motion, forty points
    if (cable) p.scalar.push_back({{{3, {1, 0, 0}}, {7, {0, 1, 0}}}, 1e-4, 0.0, true, 0.0});
    const ContactProblem start = p;
    const ContactReport report = solve_proximal_newton(p, 1e-11);
    CHECK(report.change <= 1e-11);
    CHECK(measure(p).worst() <= 1e-11);
    CHECK(displacement_error(start, p) < 1e-14);
    CHECK(measure(p).cone < 1e-9);
  }
}
