#include "benchmarks/twist.hpp"

#include <cmath>
#include <numbers>

#include <sinew/errors.hpp>

#include "benchmarks/bench_command.hpp"
#include "benchmarks/twist_methods.hpp"
#include "host/rivals/jacobi.hpp"
#include "host/rivals/triangular.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/reference/newton.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::bench;

namespace {

constexpr MaterialKind kBoth[] = {MaterialKind::arap, MaterialKind::stable_neo_hookean};

TwistProblem small_bar(MaterialKind kind, double young) {
  return make_twist_problem(300, kind, young, 0.5 * std::numbers::pi);
}

/// y := A x.
std::vector<Vec3d> product(const SymmetricMatrix& a, const std::vector<Vec3d>& x) {
  std::vector<Vec3d> y(x.size());
  for (Index j = 0; j < a.size; ++j) {
    for (Index k = a.column_start[j]; k < a.column_start[j + 1]; ++k) {
      y[a.row[k]] += a.value[k] * x[j];
      if (a.row[k] != j) y[j] += a.value[k] * x[a.row[k]];
    }
  }
  return y;
}

}  // namespace

TEST_CASE("twist problem: ends turned by half the angle each, all else at rest") {
  const TwistProblem p = small_bar(MaterialKind::arap, 1e6);
  const double turn = std::numbers::pi / 4;
  REQUIRE(p.body->free_count < p.body->node_count);
  for (std::size_t i = 0; i < p.first.size(); ++i) {
    const Vec3d x = p.predicted[i];
    const bool end = std::abs(x.x) > 0.4999;
    CHECK(end == (static_cast<Index>(i) >= p.body->free_count));
    if (!end) {
      CHECK(p.first[i] == x);
      continue;
    }
    const double c = std::cos(turn), s = x.x > 0 ? std::sin(turn) : -std::sin(turn);
    CHECK(norm(p.first[i] - Vec3d{x.x, c * x.y - s * x.z, s * x.y + c * x.z}) < 1e-14);
  }
}

TEST_CASE("twist problem: the assembled matrix is the one of the local step") {
  // For ARAP, grad e(q) + A d bounds grad e(q + d) in energy: e is below its quadratic model with matrix A,
  // and they agree for a translation, which only inertia sees.
  const TwistProblem p = small_bar(MaterialKind::arap, 1e6);
  const JacobiSweep any(p.system);
  ElasticWorkspace workspace;
  begin_elastic_frame(*p.body, p.predicted.data(), workspace);
  std::vector<Vec3d> g(p.first.size()), unused(p.first.size());
  const double e = evaluate_elastic(*p.body, p.input(), p.first.data(), workspace, g.data()).merit;
  std::vector<Vec3d> ones(p.body->free_count, Vec3d{1, 1, 1});
  double mass = 0.0, row_sum_inside = 0.0;
  const std::vector<Vec3d> a_ones = product(p.system, ones);
  for (Index i = 0; i < p.body->free_count; ++i) {
    if (std::abs(p.predicted[i].x) > 0.3) continue;  // no neighbour of a pinned node
    mass += p.body->mass[i];
    row_sum_inside += a_ones[i].y;
  }
  CHECK(row_sum_inside == Approx(mass).epsilon(1e-9));
  for (int direction = 0; direction < 5; ++direction) {
    std::vector<Vec3d> d(p.body->free_count), moved = p.first;
    for (std::size_t i = 0; i < d.size(); ++i) {
      d[i] = {1e-2 * std::sin(i + direction), 1e-2 * std::cos(3.0 * i), 1e-2 * std::sin(2.0 * i * direction)};
      moved[i] += d[i];
    }
    const std::vector<Vec3d> ad = product(p.system, d);
    double model = e;
    for (std::size_t i = 0; i < d.size(); ++i) model += dot(g[i] + 0.5 * ad[i], d[i]);
    const double there = evaluate_elastic(*p.body, p.input(), moved.data(), workspace, unused.data()).merit;
    CHECK(there <= model);
    CHECK(there >= model - 0.5 * std::abs(model - e));
  }
}

TEST_CASE("twist methods: monotone, and all end in the minimum that Newton finds from q_0") {
  Executor executor(2);
  executor.run([&] {
    for (const MaterialKind kind : kBoth) {
      const TwistProblem p = small_bar(kind, 1e6);
      const reference::NewtonResult newton = reference::minimise(*p.body, p.input(), p.first);
      REQUIRE(newton.converged);
      const auto complete = make_triangular(p.system, FactorLibrary::automatic, 0.0);
      const JacobiSweep sweep(p.system);
      struct Case {
        TwistMethod method;
        const LinearSolver& solver;
        bool monotone;
      };
      const Case cases[] = {{{"plain", 0, 0.0, 0.0}, *complete, true},
                            {{"L-BFGS", 5, 0.0, 0.0}, *complete, true},
                            {{"jacobi", 0, 1.0, 0.0}, sweep, true},
                            {{"chebyshev", 0, 1.0, sweep.spectral_radius()}, sweep, false}};
      int iterations[4] = {}, index = 0;
      for (const Case& c : cases) {
        INFO(to_string(kind) << ' ' << c.method.name);
        const TwistRun run = run_twist_method(p, c.solver, c.method, 3000, newton.merit * (1.0 + 1e-9));
        CHECK(run.merit.back() <= newton.merit * (1.0 + 1e-9));
        CHECK(run.merit.back() >= newton.merit * (1.0 - 1e-13));
        if (c.monotone)
          for (std::size_t k = 1; k < run.merit.size(); ++k) CHECK(run.merit[k] <= run.merit[k - 1]);
        CHECK(run.evaluations.size() == run.merit.size());
        for (std::size_t i = p.body->free_count; i < p.first.size(); ++i)
          CHECK(run.last_position[i] == p.first[i]);
        iterations[index++] = static_cast<int>(run.merit.size()) - 1;
      }
      CHECK(iterations[1] < iterations[0]);      // L-BFGS needs fewer than plain steps
      CHECK(4 * iterations[1] < iterations[2]);  // and far fewer than Jacobi
      CHECK(iterations[3] < iterations[2]);      // weights help
    }
  });
}

TEST_CASE("twist methods: projective dynamics to the letter for ARAP without history") {
  const TwistProblem p = small_bar(MaterialKind::arap, 1e5);
  const auto complete = make_triangular(p.system, FactorLibrary::automatic, 0.0);
  const TwistRun run = run_twist_method(p, *complete, {"plain", 0, 0.0, 0.0}, 1, 0.0);
  // A (q_1 - q_0) = -grad e(q_0): checked by a product, not by the solver.
  ElasticWorkspace workspace;
  begin_elastic_frame(*p.body, p.predicted.data(), workspace);
  std::vector<Vec3d> g(p.first.size()), step;
  evaluate_elastic(*p.body, p.input(), p.first.data(), workspace, g.data());
  for (Index i = 0; i < p.body->free_count; ++i) step.push_back(run.last_position[i] - p.first[i]);
  const std::vector<Vec3d> a_step = product(p.system, step);
  for (Index i = 0; i < p.body->free_count; ++i)
    CHECK(norm(a_step[i] + g[i]) <= 1e-9 * (norm(g[i]) + p.body->mass[i]));
}

TEST_CASE("twist study: curves of every method, the same on any thread count") {
  TwistSettings settings;
  settings.vertices = 200;
  settings.young = {1e5};
  settings.iterations = 40;
  std::vector<TwistCase> one, two;
  std::string parts;
  Executor(1).run([&] { one = run_twist_study(settings, [&](const std::string& s) { parts += s + "\n"; }); });
  Executor(2).run([&] { two = run_twist_study(settings, [](const std::string&) {}); });
  REQUIRE(one.size() == 2);
  CHECK(parts.find("arap, E = 100000 Pa: chebyshev") != std::string::npos);
  for (std::size_t c = 0; c < one.size(); ++c) {
    CHECK(one[c].best_merit == two[c].best_merit);
    CHECK(one[c].newton_gradient <= 1e-12);
    REQUIRE(one[c].curves.size() == 5);
    for (std::size_t m = 0; m < 5; ++m) {
      const TwistCurve& curve = one[c].curves[m];
      CHECK(curve.error == two[c].curves[m].error);
      CHECK(curve.error.front() == 1.0);
      CHECK(curve.error.size() == curve.ms.size());
      CHECK(curve.error.size() <= 41);
      CHECK(curve.error.back() > -1e-9);
      CHECK(curve.local_ms > 0.0);
      for (std::size_t k = 1; k < curve.ms.size(); ++k) CHECK(curve.ms[k] > curve.ms[k - 1]);
    }
    CHECK(one[c].curves[1].converged_at() > 0);
    CHECK(one[c].curves[1].converged_at() <= one[c].curves[0].converged_at());
  }
}

TEST_CASE("curves: first iteration below 1e-3 and error within a frame") {
  TwistCurve curve;
  curve.error = {1.0, 0.1, 9e-4, 1e-5};
  curve.local_steps = {1, 2, 4, 5};
  curve.set_costs(8.0, 2.0);
  CHECK(curve.ms == std::vector<double>{8.0, 18.0, 36.0, 46.0});
  CHECK(curve.converged_at() == 2);
  CHECK(curve.error_in_frame() == 0.1);
  CHECK(curve.ms_per_iteration() == Approx(46.0 / 3));
  curve.error = {1.0, 0.1};
  CHECK(curve.converged_at() == -1);
}

TEST_CASE("stiffnesses of the command line") {
  CHECK(parse_young("1e5") == std::vector<double>{1e5});
  CHECK(parse_young("1e5,2.5e7") == std::vector<double>{1e5, 2.5e7});
  for (const char* wrong :
       {"", "1e5,", ",1e5", "1e5;1e6", "soft", "-1", "0", "nan", "inf", "1e5 ", "1e2", "1e13"})
    CHECK_THROWS_AS(parse_young(wrong), Error);
}
