#include "kernels/element/contact/nonsmooth.hpp"

#include "engine/contact/nonsmooth_newton.hpp"
#include "engine/contact/residuals.hpp"
#include "tests/engine/contact/contact_problems.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

constexpr Complementarity kFunctions[] = {Complementarity::fischer_burmeister, Complementarity::minimum_map};

}  // namespace

TEST_CASE("normal rows: omega and e are the derivatives of phi by gap and force") {
  test::Random random(3);
  const double r = 2e-4, step = 1e-9;
  for (const Complementarity function : kFunctions) {
    for (int k = 0; k < 50; ++k) {
      const double gap = 1e-3 * random.uniform(), force = 5.0 * random.uniform();
      if (std::abs(gap - r * force) < 1e-6) continue;  // the kink of the minimum map
      const auto row = nonsmooth_normal(gap, force, r, function);
      const auto phi = [&](double g, double l) { return nonsmooth_normal(g, l, r, function).phi; };
      CHECK(std::abs((phi(gap + step, force) - phi(gap - step, force)) / (2 * step) - row.omega) < 1e-5);
      const double df = step / r;
      CHECK(std::abs((phi(gap, force + df) - phi(gap, force - df)) / (2 * df) - row.e) < 1e-5 * r);
    }
  }
}

TEST_CASE("normal rows: closed forms") {
  const double r = 0.5;
  for (const Complementarity function : kFunctions) {
    CHECK(nonsmooth_normal(0.0, 3.0, r, function).phi == 0.0);
    CHECK(nonsmooth_normal(2.0, 0.0, r, function).phi == 0.0);
    CHECK(std::abs(nonsmooth_normal(-2.0, 0.0, r, function).phi) >= 2.0);
  }
  const auto middle = nonsmooth_normal(0.0, 0.0, r, Complementarity::fischer_burmeister);
  CHECK(middle.omega == Approx(1.0 - 1.0 / std::sqrt(2.0)));
  CHECK(middle.e == Approx(r * middle.omega));
  const auto both = nonsmooth_normal(3.0, 8.0, r, Complementarity::fischer_burmeister);  // 3 + 4 - 5
  CHECK(both.phi == Approx(2.0));
  CHECK(both.omega == Approx(0.4));
  CHECK(both.e == Approx(0.1));
}

TEST_CASE("friction rows vanish exactly where the law of Coulomb holds") {
  const double r = 2e-4, limit = 3.0;
  for (const Complementarity function : kFunctions) {
    CHECK(nonsmooth_friction(0.0, 1.0, limit, r, function) == 0.0);  // sticks
    CHECK(nonsmooth_friction(0.0, 0.0, limit, r, function) == 0.0);
    // slides: d + e l_t = 0 with l_t = -limit d / |d|, so e = |d| / limit
    CHECK(nonsmooth_friction(6e-4, limit, limit, r, function) == Approx(2e-4));
    CHECK(nonsmooth_friction(1.0, 0.0, 0.0, r, function) == 1e6 * r);  // capped
    CHECK(nonsmooth_friction(1e-3, 1.0, limit, r, function) >= 0.0);
  }
  // a = 3 r, b = 4 r: phi = 2 r, e = r (3 - 2) / (|l_t| + 2)
  CHECK(nonsmooth_friction(3 * r, 1.0, 5.0, r, Complementarity::fischer_burmeister) == Approx(r / 3.0));
}

TEST_CASE("the force behind a weighted one") {
  const double r = 2e-4;
  for (const double gap : {-1e-2, -1e-6, 0.0, 1e-9, 3e-4, 1e-2})
    for (const double force : {1e-6, 0.3, 40.0}) {
      const double behind = nonsmooth_unweighted(gap, force, r);
      const auto row = nonsmooth_normal(gap, behind, r, Complementarity::fischer_burmeister);
      INFO(gap << " " << force);
      CHECK(row.omega * behind == Approx(force).epsilon(1e-9));
    }
  CHECK(nonsmooth_unweighted(0.0, 3.0, r) == 3.0);
  CHECK(nonsmooth_unweighted(1e-3, 0.0, r) == 0.0);
}

TEST_CASE("both forms and both functions lead to the law of contact") {
  for (const NewtonForm form : {NewtonForm::exact, NewtonForm::published}) {
    for (const Complementarity function : kFunctions) {
      ContactProblem p = test::body_on_plane(12, 0.2, 1.0, 60);
      const ContactProblem start = p;
      ContactSolverSettings settings{200, 1e-9, 0.0, ContactSolver::nsn};
      settings.nsn.form = form;
      settings.nsn.krylov_iterations = 60;
      const ContactReport report = solve_nonsmooth_newton(p, settings, {function, 300});
      INFO(static_cast<int>(form) << " " << static_cast<int>(function) << " " << report.change);
      CHECK(measure(p).worst() == report.change);
      // The published form with Fischer-Burmeister keeps a share of Omega in the force: it stops early.
      const bool stops = form == NewtonForm::published && function == Complementarity::fischer_burmeister;
      CHECK(report.change < (stops ? 2e-4 : 1e-7));
      CHECK(report.change < 0.2 * measure(start).worst());
      CHECK(test::displacement_error(start, p) < 1e-13);
    }
  }
}

namespace {

/// One point of compliance 2 h^2 = 2e-4 m/N in the system and 8e-4 by masses, sinking and sliding along x.
ContactProblem one_point(double gap, double slip, double friction) {
  ContactProblem p = test::zero_problem(1);
  p.gram = {2.0};
  p.mass_gram = {8.0};
  p.friction = {friction};
  const auto& e = p.frame[0];
  p.displacement[0] = gap * e.n + slip * e.t1;
  return p;
}

ContactSolverSettings one_step(NewtonForm form, RowScaling scaling) {
  ContactSolverSettings settings{200, 1e-15, 0.0, ContactSolver::nsn};
  settings.nsn = {form, scaling, 1, 10};
  return settings;
}

}  // namespace

TEST_CASE("nsn: one step at one point has a closed form in either scaling") {
  const double w = 2e-4, gap = -3e-4, force = 2.0;
  for (const RowScaling scaling : {RowScaling::system, RowScaling::mass}) {
    const double r = scaling == RowScaling::mass ? 8e-4 : 2e-4;
    const double root = std::sqrt(gap * gap + r * r * force * force);
    const double phi = gap + r * force - root, omega = 1.0 - gap / root, e = r * (1.0 - r * force / root);
    for (const NewtonForm form : {NewtonForm::exact, NewtonForm::published}) {
      ContactProblem p = one_point(gap, 0.0, 0.0);
      const double acting = form == NewtonForm::exact ? force : omega * force;
      p.force[0] = acting * p.frame[0].n;
      const ContactReport report = solve_contacts(p, one_step(form, scaling));
      const double expected = form == NewtonForm::exact ? force - phi / (omega * w + e)
                                                        : omega * (force - phi / (omega * omega * w + e));
      INFO(static_cast<int>(form) << " " << static_cast<int>(scaling));
      CHECK(report.newton_steps == 1);
      CHECK(dot(p.force[0], p.frame[0].n) == Approx(expected).epsilon(1e-12));
      CHECK(dot(p.displacement[0], p.frame[0].n) == Approx(gap + w * (expected - acting)).epsilon(1e-12));
    }
  }
}

TEST_CASE("nsn: the scaling changes the way and not the answer") {
  // Falls by 0.3 mm, slides by 0.4 mm: 1.5 N lift it, mu = 0.5 takes 0.75 N * 0.2 mm/N of the slip.
  const double w = 2e-4;
  Vec3d after_one[2];
  for (const RowScaling scaling : {RowScaling::system, RowScaling::mass}) {
    ContactProblem p = one_point(-3e-4, 4e-4, 0.5);
    ContactSolverSettings settings = one_step(NewtonForm::exact, scaling);
    ContactProblem once = p;
    solve_contacts(once, settings);
    after_one[scaling == RowScaling::mass] = once.force[0];
    settings.nsn.steps = 0;
    settings.tolerance = 1e-12;
    const ContactReport report = solve_contacts(p, settings);
    const auto& e = p.frame[0];
    CHECK(report.converged);
    CHECK(dot(p.force[0], e.n) == Approx(1.5).epsilon(1e-6));
    CHECK(dot(p.force[0], e.t1) == Approx(-0.75).epsilon(1e-6));
    CHECK(dot(p.displacement[0], e.t1) == Approx(4e-4 - 0.75 * w).epsilon(1e-6));
  }
  CHECK(norm(after_one[0] - after_one[1]) > 0.01);
}

TEST_CASE("nsn: without inverse masses their scaling is the system's, and others never look at them") {
  ContactProblem with = test::body_on_plane(12, 0.2, 1.0, 60), without = with;
  with.mass_gram.assign(12, 50.0);
  ContactProblem mass_without = without, plain = with, newton_with = with, newton_without = without;
  const ContactSolverSettings system = one_step(NewtonForm::published, RowScaling::system),
                              mass = one_step(NewtonForm::published, RowScaling::mass);
  solve_contacts(plain, system);
  solve_contacts(without, system);
  solve_contacts(mass_without, mass);
  CHECK(plain.force == without.force);
  CHECK(mass_without.force == without.force);
  solve_contacts(with, mass);
  CHECK_FALSE(with.force == without.force);
  ContactSolverSettings newton = mass;
  newton.solver = ContactSolver::newton;
  newton.tolerance = 1e-10;
  solve_contacts(newton_with, newton);
  solve_contacts(newton_without, newton);
  CHECK(newton_with.force == newton_without.force);
}

TEST_CASE("nsn: fixed work is done to the step, whatever the residual") {
  for (const int steps : {1, 3, 7}) {
    ContactProblem p = test::body_on_plane(12, 0.2, 1.0, 60);
    ContactSolverSettings settings = one_step(NewtonForm::published, RowScaling::system);
    settings.nsn.steps = steps;
    settings.tolerance = 1.0;  // met from the start
    const ContactReport report = solve_contacts(p, settings);
    CHECK(report.newton_steps == steps);
    CHECK(report.products == steps * 12);  // residual, first product of conjugate residual, and ten
    CHECK(report.converged);
    CHECK(report.change == measure(p).worst());
  }
}
