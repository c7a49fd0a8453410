// Every solver on problems whose answer is known, through the one door.
#include "engine/contact/contact_solver.hpp"
#include "engine/contact/residuals.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/engine/contact/contact_problems.hpp"
#include "tests/support/catch.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kTolerance = 1e-12;

/// body(solve) for every solver of the table; nsn alone closes in on friction slowly and is left out where
/// answers must be exact to the last digits.
template <class Body>
void with_each_solver(Body&& body, bool exact = false) {
  for (const ContactSolverEntry& entry : contact_solvers()) {
    if (exact && entry.id == ContactSolver::nsn) continue;
    INFO(entry.name);
    body([&](ContactProblem& p) { return solve_contacts(p, {5000, kTolerance, 0.0, entry.id}); });
  }
}

}  // namespace

TEST_CASE("one block on a plane, by hand: take off, stick, slide") {
  // U = U0 + f r with r = 1e-4 * 2 m/N; mu = 0.5.
  const struct {
    Vec3d start, force;
  } cases[] = {
      {{0.0, 0.0, 1e-3}, {0, 0, 0}},
      {{2e-4, 0.0, -1e-3}, {-1.0, 0.0, 5.0}},    // held back by 1 N < 2.5 N
      {{6e-4, 8e-4, -1e-3}, {-1.5, -2.0, 5.0}},  // slides along (0.6, 0.8) with 2.5 N
  };
  for (const auto& c : cases) {
    with_each_solver([&](auto&& solve) {
      ContactProblem p = zero_problem(1);
      p.gram = {2.0};
      p.displacement = {c.start};
      const ContactReport report = solve(p);
      CHECK(report.converged);
      CHECK(norm(p.force[0] - c.force) < 1e-8);
      CHECK(norm(p.displacement[0] - (c.start + 2e-4 * c.force)) < 1e-12);
    });
  }
}

TEST_CASE("two points on one node: forces share the load of one") {
  with_each_solver([](auto&& solve) {
    ContactProblem p = zero_problem(2);
    p.gram = {2.0, 2.0, 2.0, 2.0};
    p.displacement = {Vec3d{2e-4, 0, -1e-3}, Vec3d{2e-4, 0, -1e-3}};
    CHECK(solve(p).converged);
    CHECK(norm(p.force[0] + p.force[1] - Vec3d{-1.0, 0.0, 5.0}) < 1e-6);
    CHECK(measure(p).natural_map < 1e-11);
  });
}

TEST_CASE("a held point with compliance carries what its spring gives") {
  with_each_solver([](auto&& solve) {
    ContactProblem p = zero_problem(2);
    p.law = {PointLaw::held, PointLaw::contact};
    p.held_compliance = {3e-4, 0.0};
    p.gram = {2.0, 0.5, 0.5, 1.0};
    p.displacement = {Vec3d{1e-3, -2e-3, 5e-4}, Vec3d{0.0, 0.0, 1.0}};
    CHECK(solve(p).converged);
    CHECK(norm(p.force[0] - (-1.0 / 5e-4) * Vec3d{1e-3, -2e-3, 5e-4}) < 1e-7);
    CHECK(p.force[1] == Vec3d{});
    CHECK(measure(p).held < 1e-12);
  });
}

TEST_CASE("a cable only pulls: one-sided rows") {
  // Value -z of one free point: lambda >= 0 keeps it from falling, W_ss = 2e-4, compliance 2e-4.
  for (const double place : {-1e-3, 1e-3}) {
    with_each_solver([&](auto&& solve) {
      ContactProblem p = zero_problem(1);
      p.law = {PointLaw::none};
      p.gram = {2.0};
      p.displacement = {Vec3d{0, 0, place}};
      ScalarRow row;
      row.entry = {{0, Vec3d{0, 0, 1}}};
      row.compliance = 2e-4;
      row.one_sided = true;
      p.scalar = {row};
      CHECK(solve(p).converged);
      CHECK(p.force[0] == Vec3d{});
      CHECK(std::abs(p.scalar[0].force - (place < 0 ? 2.5 : 0.0)) < 1e-7);
      CHECK(std::abs(p.displacement[0].z - (place < 0 ? -5e-4 : 1e-3)) < 1e-11);
    });
  }
}

TEST_CASE("a two-sided row over two points, beside a contact") {
  with_each_solver([](auto&& solve) {
    ContactProblem p = zero_problem(2);
    p.law = {PointLaw::none, PointLaw::contact};
    p.friction = {0.0, 0.5};
    p.gram = {2.0, 0.0, 0.0, 2.0};
    p.displacement = {Vec3d{0, 0, 4e-4}, Vec3d{0, 0, -1e-3}};
    ScalarRow row;  // z_0 - z_1 = 0
    row.entry = {{0, Vec3d{0, 0, 1}}, {1, Vec3d{0, 0, -1}}};
    p.scalar = {row};
    CHECK(solve(p).converged);
    // z_1 = 0 pressed from above: z_0 = 0 = 4e-4 + 2e-4 lambda, contact: -1e-3 + 2e-4 (f + 2) = 0.
    CHECK(std::abs(p.scalar[0].force + 2.0) < 1e-7);
    CHECK(norm(p.force[1] - Vec3d{0, 0, 3}) < 1e-7);
    CHECK(std::abs(scalar_value(p, p.scalar[0])) < 1e-11);
  });
}

TEST_CASE("a wedge between two planes is held by both") {
  // Walls at 45 degrees: a load of 2 N down needs sqrt(2) N on each.
  with_each_solver([](auto&& solve) {
    ContactProblem p = zero_problem(2);
    p.friction = {0.0, 0.0};
    p.frame = {make_contact_frame(normalized(Vec3d{1, 0, 1})),
               make_contact_frame(normalized(Vec3d{-1, 0, 1}))};
    p.gram = {1.0, 1.0, 1.0, 1.0};
    p.displacement = {Vec3d{0, 0, -2e-4}, Vec3d{0, 0, -2e-4}};
    CHECK(solve(p).converged);
    for (std::size_t c = 0; c < 2; ++c) {
      CHECK(std::abs(dot(p.force[c], p.frame[c].n) - std::sqrt(2.0)) < 1e-6);
      CHECK(norm(p.displacement[c]) < 1e-11);
    }
  });
}

TEST_CASE("sticking is exact up to the angle of friction") {
  // One rigid body on many points, pushed sideways by 0.4 of its load: no slip at 0.4001, slip at 0.3999.
  for (const double friction : {0.4001, 0.3999}) {
    with_each_solver(
        [&](auto&& solve) {
          ContactProblem p = body_on_plane(40, 1.0, 1e-2, 3);
          for (double& mu : p.friction) mu = friction;
          for (std::size_t c = 0; c < p.size(); ++c) {
            p.frame[c] = make_contact_frame(Vec3d{0, 0, 1});
            p.displacement[c] = 1e-3 * Vec3d{0.4, 0.0, -1.0};
          }
          CHECK(solve(p).converged);
          const ContactYardstick y = measure(p);
          CHECK(y.natural_map < 1e-10);
          double slip = 0.0;
          for (const Vec3d& u : p.displacement) slip = std::max(slip, std::abs(u.x));
          if (friction > 0.4)
            CHECK(slip < 1e-10);
          else
            CHECK(slip > 1e-8);
        },
        true);
  }
}

TEST_CASE("all solvers find the same motion") {
  for (const std::size_t count : {4u, 40u, 150u}) {
    ContactProblem first = body_on_plane(count, 1.0, 0.4, 20 + count);
    add_rank(first, 3, 31);
    ContactProblem answer = first;
    CHECK(solve_contacts(answer, {20000, kTolerance, 0.0, ContactSolver::gs}).converged);
    with_each_solver(
        [&](auto&& solve) {
          ContactProblem p = first;
          CHECK(solve(p).converged);
          CHECK(measure(p).natural_map < 1e-10);
          for (std::size_t c = 0; c < count; ++c)
            CHECK(norm(p.displacement[c] - answer.displacement[c]) < 1e-8);
          CHECK(displacement_error(first, p) < 1e-13);
        },
        true);
  }
}

TEST_CASE("blocks of several bodies: what is zero is skipped, not changed") {
  with_each_solver(
      [](auto&& solve) {
        ContactProblem p = body_on_plane(120, 1.0, 0.3, 40);
        for (std::size_t i = 0; i < 120; ++i)
          for (std::size_t j = 0; j < 120; ++j)
            if ((i < 64) != (j < 64)) p.gram[i * 120 + j] = 0.0;
        const ContactProblem start = p;
        CHECK(solve(p).converged);
        CHECK(measure(p).natural_map < 1e-10);
        CHECK(displacement_error(start, p) < 1e-13);
      },
      true);
}

TEST_CASE("solvers give the same bits for any number of threads") {
  with_each_solver([](auto&& solve) {
    std::vector<Vec3d> force, displacement;
    for (const int threads : {1, 2, 4}) {
      ContactProblem p = body_on_plane(200, 1.0, 0.2, 8);
      add_rank(p, 4, 5);
      Executor executor(threads);
      executor.run([&] { solve(p); });
      if (force.empty()) {
        force = p.force;
        displacement = p.displacement;
      }
      CHECK(force == p.force);
      CHECK(displacement == p.displacement);
    }
  });
}

TEST_CASE("hard cases end finite, and say when they have not converged") {
  with_each_solver([](auto&& solve) {
    // High friction and coupling of normal and tangent by a skew frame: no solution need exist nearby.
    ContactProblem p = body_on_plane(30, 1.0, 1e-6, 50);
    for (std::size_t c = 0; c < p.size(); ++c) {
      p.friction[c] = 5.0;
      p.frame[c] = make_contact_frame(normalized(Vec3d{c % 2 ? 1.0 : -1.0, 0.1 * double(c % 3), 0.05}));
      p.displacement[c] = Vec3d{c % 2 ? -1.0 : 1.0, 0.3, -2.0};
    }
    const ContactReport report = solve(p);
    for (std::size_t c = 0; c < p.size(); ++c) {
      CHECK(is_finite(p.force[c]));
      CHECK(is_finite(p.displacement[c]));
    }
    if (report.converged) CHECK(measure(p).natural_map < 1e-8);
  });
  ContactProblem p = body_on_plane(60, 1.0, 1e-3, 51);
  for (const ContactSolverEntry& entry : contact_solvers()) {
    ContactProblem copy = p;
    CHECK_FALSE(solve_contacts(copy, {1, 1e-300, 0.0, entry.id}).converged);
  }
}

TEST_CASE("points without compliance and without load cost no solver its head") {
  with_each_solver([](auto&& solve) {
    ContactProblem p = zero_problem(3);
    p.gram = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    p.displacement = {Vec3d{0, 0, -1e-3}, Vec3d{}, Vec3d{0, 0, 1e-3}};
    solve(p);
    for (std::size_t c = 0; c < 3; ++c) CHECK(p.force[c] == Vec3d{});
    ContactProblem none;
    CHECK(solve(none).converged);
  });
}

TEST_CASE("non-smooth Newton alone: near the law, and it says how near") {
  ContactProblem p = body_on_plane(40, 1.0, 0.4, 60);
  const ContactProblem start = p;
  const ContactReport report = solve_contacts(p, {200, kTolerance, 0.0, ContactSolver::nsn});
  CHECK(report.change == measure(p).worst());
  CHECK(report.change < 1e-7);
  CHECK(report.sweeps == 0);
  CHECK(displacement_error(start, p) < 1e-13);
}
