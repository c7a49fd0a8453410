// Elimination of held points against the whole system solved at once, on random problems.
#include <algorithm>
#include <cmath>

#include "engine/contact/gauss_seidel.hpp"
#include "engine/handles/handle_elimination.hpp"
#include "engine/handles/scalar_rows.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

/// Gram matrix B B^T + ridge of `points` points, each a row of B over `nodes` nodes.
std::vector<double> random_gram(test::Random& random, std::size_t points, std::size_t nodes, double ridge) {
  std::vector<double> b(points * nodes);
  for (double& x : b) x = random.uniform();
  std::vector<double> gram(points * points);
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t j = 0; j < points; ++j) {
      for (std::size_t k = 0; k < nodes; ++k) gram[i * points + j] += b[i * nodes + k] * b[j * nodes + k];
      if (i == j) gram[i * points + j] += ridge;
    }
  return gram;
}

/// Points held and of a given other law in turn; two pairs of rank-two metric.
ContactProblem random_problem(test::Random& random, std::size_t points, PointLaw other) {
  ContactProblem p;
  p.resize(points);
  p.squared_step = 1e-4;
  p.gram = random_gram(random, points, points, 0.1);
  const std::vector<double> middle = random_gram(random, 4, 4, 0.0);
  std::vector<Vec3d> low_rank(points * 4);
  for (Vec3d& q : low_rank) q = random.vector(0.3);
  p.metric.set_dense(4, low_rank, middle);
  p.law.resize(points);
  p.held_compliance.resize(points);
  for (std::size_t c = 0; c < points; ++c) {
    p.law[c] = c % 2 == 0 ? PointLaw::held : other;
    p.held_compliance[c] = c % 4 == 0 ? 0.0 : 1e-3 * random.uniform(0.1, 1.0);
    p.displacement[c] = random.vector(0.01);
    p.force[c] = random.vector(2.0);
    p.frame[c] = make_contact_frame(normalized(random.vector()));
    p.friction[c] = 0.4;
  }
  return p;
}

/// Displacements when the forces change by `change`.
std::vector<Vec3d> displacements(const ContactProblem& p, const std::vector<Vec3d>& change) {
  const std::size_t rank = p.metric.rank();
  const std::vector<Vec3d> q = p.metric.dense();
  const std::vector<double> middle = p.metric.dense_middle();
  std::vector<double> seen(rank), z(rank);
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t c = 0; c < p.size(); ++c) seen[k] += dot(q[c * rank + k], change[c]);
  for (std::size_t k = 0; k < rank; ++k)
    for (std::size_t l = 0; l < rank; ++l) z[k] += middle[k * rank + l] * seen[l];
  std::vector<Vec3d> u = p.displacement;
  for (std::size_t c = 0; c < p.size(); ++c) {
    for (std::size_t d = 0; d < p.size(); ++d)
      u[c] += (p.squared_step * p.gram[c * p.size() + d]) * change[d];
    for (std::size_t k = 0; k < rank; ++k) u[c] += (p.squared_step * z[k]) * q[c * rank + k];
  }
  return u;
}

std::vector<Vec3d> changes(const ContactProblem& before, const ContactProblem& after) {
  std::vector<Vec3d> change(before.size());
  for (std::size_t c = 0; c < before.size(); ++c) change[c] = after.force[c] - before.force[c];
  for (std::size_t s = 0; s < before.scalar.size(); ++s)
    for (const auto& e : before.scalar[s].entry)
      change[e.point] += (after.scalar[s].force - before.scalar[s].force) * e.direction;
  return change;
}

double scalar_value(const ContactProblem& p, std::size_t s, const std::vector<Vec3d>& u) {
  double value = p.scalar[s].offset;
  for (const auto& e : p.scalar[s].entry) value += dot(e.direction, u[e.point]);
  return value;
}

/// Solves the two-sided scalar rows of a problem without contacts and held points.
void solve_scalars(ContactProblem& p) {
  const std::size_t n = p.scalar.size();
  const ContactProblem start = p;
  const auto values = [&] {
    const auto u = displacements(start, changes(start, p));
    std::vector<double> v(n);
    for (std::size_t s = 0; s < n; ++s)
      v[s] = scalar_value(start, s, u) + p.scalar[s].compliance * p.scalar[s].force;
    return v;
  };
  std::vector<double> right = values(), matrix(n * n);
  for (std::size_t s = 0; s < n; ++s) {
    p = start;
    p.scalar[s].force += 1.0;
    const std::vector<double> moved = values();
    for (std::size_t i = 0; i < n; ++i) matrix[i * n + s] = moved[i] - right[i];
  }
  REQUIRE(solve_dense(matrix, n, right, 1));
  p = start;
  for (std::size_t s = 0; s < n; ++s) p.scalar[s].force -= right[s];
  p.displacement = displacements(start, changes(start, p));
}

double largest(const std::vector<Vec3d>& v) {
  double most = 0.0;
  for (const Vec3d& x : v) most = std::max(most, norm(x));
  return most;
}

}  // namespace

TEST_CASE("elimination: held points and cables as in the whole system") {
  test::Random random(3);
  ContactProblem full = random_problem(random, 13, PointLaw::none);
  for (Index s = 0; s < 2; ++s) {
    ScalarRow row;
    row.offset = random.uniform(-0.01, 0.01);
    row.compliance = s == 0 ? 0.0 : 2e-4;
    row.force = random.uniform();
    for (Index k = 1; k < 9; k += 2 + 2 * s) row.entry.push_back({k, random.vector()});
    full.scalar.push_back(row);
  }
  const ContactProblem start = full;

  HandleElimination elimination;
  ContactProblem reduced;
  elimination.prepare(full, reduced);
  elimination.reduce(full, reduced);
  REQUIRE(reduced.size() == 6);
  CHECK(elimination.held_count() == 7);
  solve_scalars(reduced);
  elimination.recover(reduced, full);

  // The laws hold, and the displacements belong to the forces.
  const std::vector<Vec3d> u = displacements(start, changes(start, full));
  for (std::size_t c = 0; c < full.size(); ++c) {
    CHECK(norm(u[c] - full.displacement[c]) < 1e-12);
    if (full.law[c] == PointLaw::held) CHECK(norm(u[c] + full.held_compliance[c] * full.force[c]) < 1e-12);
    if (full.law[c] == PointLaw::none) CHECK(full.force[c] == start.force[c]);
  }
  for (std::size_t s = 0; s < 2; ++s)
    CHECK(std::abs(scalar_value(full, s, u) + full.scalar[s].compliance * full.scalar[s].force) < 1e-12);
  CHECK(largest(changes(start, full)) > 1.0);  // not by doing nothing
}

TEST_CASE("elimination: contacts among held points end in their law") {
  test::Random random(8);
  for (int trial = 0; trial < 5; ++trial) {
    ContactProblem full = random_problem(random, 24, PointLaw::contact);
    std::fill(full.force.begin(), full.force.end(), Vec3d{});
    const ContactProblem start = full;
    HandleElimination elimination;
    ContactProblem reduced;
    elimination.prepare(full, reduced);
    elimination.reduce(full, reduced);
    CHECK(reduced.metric.rank() == 4);
    CHECK(solve_gauss_seidel(reduced, {2000, 1e-14, 0.0, ContactSolver::gs, false}).converged);
    elimination.recover(reduced, full);
    const std::vector<Vec3d> u = displacements(start, changes(start, full));
    int pressed = 0;
    for (std::size_t c = 0; c < full.size(); ++c) {
      CHECK(norm(u[c] - full.displacement[c]) < 1e-12);
      const Vec3d f = full.force[c];
      if (full.law[c] == PointLaw::held) {
        CHECK(norm(u[c] + full.held_compliance[c] * f) < 1e-12);
        continue;
      }
      const auto& e = full.frame[c];
      const Vec3d local{dot(e.n, u[c]), dot(e.t1, u[c]), dot(e.t2, u[c])};
      const Vec3d local_force{dot(e.n, f), dot(e.t1, f), dot(e.t2, f)};
      CHECK(natural_map_residual(local, local_force, full.compliance(c), 0.4) < 1e-11);
      if (local_force.x > 0.0) ++pressed;
    }
    CHECK(pressed >= 2);
  }
}

TEST_CASE("elimination: handles alone need no solver") {
  test::Random random(4);
  ContactProblem full = random_problem(random, 9, PointLaw::held);
  const ContactProblem start = full;
  HandleElimination elimination;
  ContactProblem reduced;
  elimination.prepare(full, reduced);
  elimination.reduce(full, reduced);
  REQUIRE(reduced.size() == 0);
  elimination.recover(reduced, full);
  const std::vector<Vec3d> u = displacements(start, changes(start, full));
  for (std::size_t c = 0; c < full.size(); ++c)
    CHECK(norm(u[c] + full.held_compliance[c] * full.force[c]) < 1e-13);
}

TEST_CASE("elimination: the factor stays while handles stay") {
  test::Random random(5);
  ContactProblem full = random_problem(random, 10, PointLaw::contact);
  HandleElimination elimination;
  ContactProblem reduced;
  elimination.prepare(full, reduced);
  full.displacement[3] = {};
  full.gram[1 * 10 + 3] = full.gram[3 * 10 + 1] *= 0.5;  // between contacts
  elimination.prepare(full, reduced);
  CHECK(elimination.factor_count() == 1);
  full.held_compliance[2] *= 2.0;
  elimination.prepare(full, reduced);
  CHECK(elimination.factor_count() == 2);
}

TEST_CASE("elimination: dependent rows meet their targets in the sense of least squares") {
  // Three hard handles on one node, three rows of one cell, and a free contact point.
  test::Random random(6);
  const std::size_t points = 8, nodes = 4;
  std::vector<double> weight(points * nodes);
  for (std::size_t p = 0; p < 3; ++p) weight[p * nodes] = 1.0;
  for (std::size_t p = 3; p < 7; ++p)
    for (std::size_t k = 1; k < 3; ++k) weight[p * nodes + k] = random.uniform(0.0, 1.0);
  for (std::size_t k = 0; k < nodes; ++k) weight[7 * nodes + k] = random.uniform();
  const std::vector<double> inverse = random_gram(random, nodes, nodes, 0.2);
  ContactProblem full;
  full.resize(points);
  full.squared_step = 1e-4;
  for (std::size_t a = 0; a < points; ++a)
    for (std::size_t b = 0; b < points; ++b)
      for (std::size_t i = 0; i < nodes; ++i)
        for (std::size_t j = 0; j < nodes; ++j)
          full.gram[a * points + b] += weight[a * nodes + i] * inverse[i * nodes + j] * weight[b * nodes + j];
  full.law.assign(points, PointLaw::held);
  full.law[7] = PointLaw::none;
  // Targets at the node that contradict each other, and ones of the cell that a motion can meet.
  const Vec3d moved[2] = {random.vector(0.1), random.vector(0.1)};
  for (std::size_t p = 0; p < 3; ++p) full.displacement[p] = {0.1 * static_cast<double>(p), -0.3, 0.0};
  for (std::size_t p = 3; p < 7; ++p)
    full.displacement[p] = weight[p * nodes + 1] * moved[0] + weight[p * nodes + 2] * moved[1];
  HandleElimination elimination;
  ContactProblem reduced;
  elimination.prepare(full, reduced);
  elimination.reduce(full, reduced);
  elimination.recover(reduced, full);
  for (std::size_t p = 0; p < 3; ++p) {  // the mean target is met, at the same force for each
    CHECK(norm(full.displacement[p] - Vec3d{0.1 * static_cast<double>(p) - 0.1, 0.0, 0.0}) < 1e-10);
    CHECK(norm(full.force[p] - full.force[0]) < 1e-6 * norm(full.force[0]));
  }
  for (std::size_t p = 3; p < 7; ++p) CHECK(norm(full.displacement[p]) < 1e-10);
  CHECK(largest(full.force) < 1e5);
}

TEST_CASE("elimination: contacts that held points carry along have no say") {
  // Point 3 is the mean of the held points 0 and 1.
  test::Random random(9);
  const std::vector<double> inverse = random_gram(random, 3, 3, 0.2);
  const double weight[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0.5, 0}};
  ContactProblem full;
  full.resize(4);
  full.squared_step = 1e-4;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) full.gram[a * 4 + b] += weight[a][i] * inverse[i * 3 + j] * weight[b][j];
  full.law = {PointLaw::held, PointLaw::held, PointLaw::contact, PointLaw::contact};
  for (std::size_t c = 0; c < 4; ++c) {
    full.displacement[c] = {0.0, 0.0, c < 2 ? 0.0 : -0.01};
    full.frame[c] = make_contact_frame(Vec3d{0, 0, 1});
  }
  HandleElimination elimination;
  ContactProblem reduced;
  elimination.prepare(full, reduced);
  elimination.reduce(full, reduced);
  CHECK(reduced.gram[3] == 0.0);
  CHECK(reduced.gram[0] > 0.0);
  CHECK(solve_gauss_seidel(reduced, {200, 1e-14, 0.0, ContactSolver::gs, false}).converged);
  elimination.recover(reduced, full);
  CHECK(full.force[3] == Vec3d{});
  CHECK(std::abs(full.displacement[2].z) < 1e-13);
  CHECK(norm(full.displacement[0]) < 1e-13);
}

TEST_CASE("scalar rows: pulled or slack, as the complementarity says") {
  test::Random random(11);
  int taut = 0, slack = 0;
  for (int trial = 0; trial < 20; ++trial) {
    ContactProblem p = random_problem(random, 9, PointLaw::none);
    std::fill(p.law.begin(), p.law.end(), PointLaw::none);
    for (Index s = 0; s < 5; ++s) {
      ScalarRow row;
      row.offset = random.uniform(-0.01, 0.01);
      row.compliance = s % 2 == 0 ? 0.0 : 1e-3;
      row.one_sided = s > 0;
      row.force = s > 0 ? random.uniform(0.0, 1.0) : random.uniform();
      for (Index k = 0; k < 3; ++k) row.entry.push_back({(2 * s + 3 * k) % 9, random.vector()});
      p.scalar.push_back(row);
    }
    const ContactProblem start = p;
    ContactReport report;
    REQUIRE(solve_scalar_rows(p, report));
    CHECK(report.converged);
    const std::vector<Vec3d> u = displacements(start, changes(start, p));
    for (std::size_t c = 0; c < 9; ++c) CHECK(norm(u[c] - p.displacement[c]) < 1e-13);
    for (std::size_t s = 0; s < 5; ++s) {
      const double force = p.scalar[s].force;
      const double value = scalar_value(p, s, u) + p.scalar[s].compliance * force;
      if (!p.scalar[s].one_sided) {
        CHECK(std::abs(value) < 1e-13);
        continue;
      }
      CHECK(force >= 0.0);
      CHECK(value > -1e-13);
      CHECK(std::min(force, 1e3 * std::abs(value)) < 1e-9);
      ++(force > 0.0 ? taut : slack);
    }
  }
  CHECK(taut > 10);
  CHECK(slack > 10);
  ContactProblem held = random_problem(random, 4, PointLaw::none);
  ContactReport report;
  CHECK_FALSE(solve_scalar_rows(held, report));
}
