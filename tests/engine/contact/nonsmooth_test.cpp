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

TEST_CASE("both forms and both functions lead to the law of contact") {
  for (const NewtonForm form : {NewtonForm::exact, NewtonForm::published}) {
    for (const Complementarity function : kFunctions) {
      ContactProblem p = test::body_on_plane(12, 0.2, 1.0, 60);
      const ContactProblem start = p;
      NonsmoothSettings settings;
      settings.form = form;
      settings.function = function;
      settings.max_steps = 300;
      settings.krylov_iterations = 60;
      const ContactReport report = solve_nonsmooth_newton(p, {200, 1e-9, 0.0, ContactSolver::nsn}, settings);
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
