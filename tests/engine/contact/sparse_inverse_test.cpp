// The sparse factor of the inverse of a compliance, and Newton's method with it.
#include "engine/contact/sparse_inverse.hpp"

#include <cmath>

#include "engine/contact/contact_operator.hpp"
#include "engine/contact/contact_solver.hpp"
#include "engine/contact/residuals.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/engine/contact/contact_problems.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// Inverse of `mass` plus the Laplacian of a grid of side^2 points, by conjugate gradients. {n, n}
std::vector<double> grid_compliance(std::size_t side, double mass) {
  const std::size_t n = side * side;
  const auto apply = [&](const std::vector<double>& x, std::vector<double>& out) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t r = i / side, c = i % side;
      double sum = mass * x[i];
      if (r > 0) sum += x[i] - x[i - side];
      if (r + 1 < side) sum += x[i] - x[i + side];
      if (c > 0) sum += x[i] - x[i - 1];
      if (c + 1 < side) sum += x[i] - x[i + 1];
      out[i] = sum;
    }
  };
  std::vector<double> g(n * n);
  for (std::size_t column = 0; column < n; ++column) {
    std::vector<double> x(n, 0.0), r(n, 0.0), p, ap(n);
    r[column] = 1.0;
    p = r;
    double rr = 1.0;
    while (rr > 1e-26) {
      apply(p, ap);
      double pap = 0.0, next = 0.0;
      for (std::size_t i = 0; i < n; ++i) pap += p[i] * ap[i];
      for (std::size_t i = 0; i < n; ++i) {
        x[i] += rr / pap * p[i];
        r[i] -= rr / pap * ap[i];
        next += r[i] * r[i];
      }
      for (std::size_t i = 0; i < n; ++i) p[i] = r[i] + next / rr * p[i];
      rr = next;
    }
    for (std::size_t i = 0; i < n; ++i) g[i * n + column] = x[i];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) g[i * n + j] = g[j * n + i];
  return g;
}

/// |G M b - b| / |b| for the factor M of G.
double error_of(const std::vector<double>& gram, const SplitVectors& b) {
  const std::size_t n = b.x.size();
  SparseInverse factor;
  factor.factor(gram, n);
  SplitVectors x = b;
  factor.solve(x);
  double wrong = 0.0, size = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    Vec3d sum{};
    for (std::size_t j = 0; j < n; ++j) sum += gram[i * n + j] * x.at(j);
    wrong += squared_norm(sum - b.at(i));
    size += squared_norm(b.at(i));
  }
  return std::sqrt(wrong / size);
}

SplitVectors uneven(std::size_t n) {
  SplitVectors b;
  b.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    b.set(i, {std::sin(0.7 * static_cast<double>(i)), 1.0, static_cast<double>(i % 7) - 3.0});
  return b;
}

}  // namespace

TEST_CASE("with all points as neighbours the sparse factor is the inverse") {
  CHECK(error_of(grid_compliance(5, 1e-3), uneven(25)) < 1e-11);
}

TEST_CASE("a few neighbours make a close inverse of a grid's compliance") {
  // 24 of up to 575 neighbours; its own softest mode is 2,500 times as soft as the stiffest.
  CHECK(error_of(grid_compliance(24, 3e-3), uneven(576)) < 0.05);
}

TEST_CASE("two rows on one node, and rows without compliance, stay finite") {
  std::vector<double> gram = grid_compliance(3, 0.1);
  std::vector<double> wide(121, 0.0);  // row 9 doubles row 4; row 10 cannot move
  const auto source = [](std::size_t i) { return i == 9 ? std::size_t{4} : i; };
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 10; ++j) wide[i * 11 + j] = gram[source(i) * 9 + source(j)];
  SparseInverse factor;
  factor.factor(wide, 11);
  SplitVectors x = uneven(11);
  factor.solve(x);
  for (std::size_t i = 0; i < 11; ++i) {
    CHECK(std::isfinite(x.x[i]));
    CHECK(std::isfinite(x.z[i]));
  }
  CHECK(x.x[10] == 0.0);
}

TEST_CASE("a sheet of many points comes to rest on the floor by Newton, with equal bits on two threads") {
  constexpr std::size_t side = 24, n = side * side;  // more than take the dense factor
  ContactProblem start = zero_problem(n);
  start.gram = grid_compliance(side, 3e-3);
  for (const bool hangs : {true, false}) {  // over the edge of the floor, a third of it
    for (std::size_t i = 0; i < n; ++i)
      start.displacement[i] = {2e-5, 1e-5 * std::cos(static_cast<double>(i)),
                               hangs && i % side > 15 ? 2e-3 : -1e-3};
    ContactProblem p;
    const auto solve = [&](int threads) {
      p = start;
      Executor executor(threads);
      ContactReport report;
      executor.run([&] { report = solve_contacts(p, {200, 1e-10, 0.0, ContactSolver::newton}); });
      CHECK(report.converged);
      CHECK(report.sweeps <= 30);
      return p.force;
    };
    const std::vector<Vec3d> one = solve(1);
    CHECK(measure(p).worst() < 1e-10);
    std::size_t pressed = 0;
    for (const Vec3d& f : one) pressed += f.z > 0.0;
    CHECK(pressed > 100);
    CHECK((pressed < n) == hangs);
    CHECK(solve(2) == one);
    // Pressed a little further, the same matrix serves what the last solve left.
    Executor(1).run([&] {
      for (Vec3d& u : p.displacement) u.z -= 1e-6;
      const ContactReport again = solve_contacts(p, {200, 1e-10, 0.0, ContactSolver::newton});
      CHECK(again.converged);
      CHECK(again.sweeps == 0);
    });
    CHECK(measure(p).worst() < 1e-10);
  }
}
