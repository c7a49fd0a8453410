#include "engine/contact/gauss_seidel.hpp"
#include "engine/contact/residuals.hpp"

#include "kernels/runtime/executor.hpp"
#include "tests/engine/contact/contact_problems.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using test::body_on_plane;

namespace {

Vec3d local(const ContactProblem& p, std::size_t c, const Vec3d& v) {
  return {dot(p.frame[c].n, v), dot(p.frame[c].t1, v), dot(p.frame[c].t2, v)};
}

/// The obvious twin: plain sequential sweeps, displacements recomputed from scratch each time.
void solve_slowly(ContactProblem& p, const std::vector<Vec3d>& start, int sweeps) {
  const std::size_t n = p.size();
  for (int s = 0; s < sweeps; ++s) {
    for (std::size_t c = 0; c < n; ++c) {
      Vec3d u = start[c];
      for (std::size_t d = 0; d < n; ++d)
        if (d != c) u += (p.squared_step * p.gram[c * n + d]) * p.force[d];
      const Vec3d f = solve_coulomb_point(local(p, c, u), p.compliance(c), p.friction[c]);
      p.force[c] = f.x * p.frame[c].n + f.y * p.frame[c].t1 + f.z * p.frame[c].t2;
    }
  }
}

}  // namespace

TEST_CASE("blocked sweeps equal sequential Gauss-Seidel, one by one") {
  for (const std::size_t count : {1u, 5u, 32u, 33u, 100u}) {
    ContactProblem fast = body_on_plane(count, 1.0, 0.5, count);
    ContactProblem slow = fast;
    const std::vector<Vec3d> start = fast.displacement;
    ContactSolverSettings settings{7, 1e-300, 0.0, ContactSolver::gs, true};
    CHECK(solve_gauss_seidel(fast, settings).sweeps <= 7);
    solve_slowly(slow, start, 7);
    for (std::size_t c = 0; c < count; ++c)
      CHECK(norm(fast.force[c] - slow.force[c]) < 1e-10 * (1.0 + norm(slow.force[c])));
  }
}

TEST_CASE("the solution obeys Signorini and Coulomb, and displacements belong to forces") {
  for (const std::size_t count : {1u, 3u, 40u, 150u}) {
    ContactProblem p = body_on_plane(count, 1.0, 0.2, 10 + count);
    const std::vector<Vec3d> start = p.displacement;
    const ContactReport report = solve_gauss_seidel(p, {2000, 1e-13, 0.0, ContactSolver::gs, false});
    CHECK(report.converged);
    CHECK(natural_map_residual(p) < 1e-11);
    for (std::size_t c = 0; c < count; ++c) {
      Vec3d u = start[c];
      for (std::size_t d = 0; d < count; ++d) u += (p.squared_step * p.gram[c * count + d]) * p.force[d];
      CHECK(norm(u - p.displacement[c]) < 1e-14);
    }
  }
}

TEST_CASE("mixing makes stiff bodies converge where plain sweeps stop") {
  ContactProblem mixed = body_on_plane(200, 1.0, 2e-2, 5);
  ContactProblem plain = mixed;
  const ContactReport fast = solve_gauss_seidel(mixed, {400, 1e-11, 0.0, ContactSolver::gs, false});
  const ContactReport slow = solve_gauss_seidel(plain, {400, 1e-11, 0.0, ContactSolver::gs, true});
  CHECK(fast.converged);
  CHECK(fast.sweeps < 200);
  CHECK(!slow.converged);
  CHECK(natural_map_residual(mixed) < 1e-11);
  CHECK(natural_map_residual(plain) > 1e-10);
}

TEST_CASE("the term of low rank: same law for the full operator") {
  const std::size_t count = 50;
  test::Random random(9);
  ContactProblem p = body_on_plane(count, 1.0, 0.3, 6);
  const std::vector<double> middle{0.8, 0.1, 0.1, -0.02};
  std::vector<Vec3d> q;
  for (std::size_t k = 0; k < count * 2; ++k) q.push_back(0.5 * random.vector());
  p.metric.set_dense(2, q, middle);
  const std::vector<Vec3d> start = p.displacement;
  CHECK(solve_gauss_seidel(p, {3000, 1e-13, 0.0, ContactSolver::gs, false}).converged);
  CHECK(natural_map_residual(p) < 1e-10);
  double z[2] = {0, 0};
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t k = 0; k < 2; ++k) z[k] += dot(q[c * 2 + k], p.force[c]);
  for (std::size_t c = 0; c < count; ++c) {
    Vec3d u = start[c];
    for (std::size_t d = 0; d < count; ++d) u += (p.squared_step * p.gram[c * count + d]) * p.force[d];
    for (std::size_t k = 0; k < 2; ++k)
      u += (p.squared_step * (middle[2 * k] * z[0] + middle[2 * k + 1] * z[1])) * q[c * 2 + k];
    CHECK(norm(u - p.displacement[c]) < 1e-13);
  }
}

TEST_CASE("two rows on one node: a singular operator is solved all the same") {
  ContactProblem p = body_on_plane(2, 1.0, 0.0, 7);
  for (double& g : p.gram) g = 1.0;  // same point twice
  p.frame[1] = make_contact_frame(normalized(Vec3d{1, 0, 1}));
  const ContactReport report = solve_gauss_seidel(p, {2000, 1e-12, 0.0, ContactSolver::gs, false});
  CHECK(report.converged);
  CHECK(natural_map_residual(p) < 1e-10);
}

TEST_CASE("same bits for any number of threads") {
  std::vector<Vec3d> first;
  for (const int threads : {1, 2, 4}) {
    ContactProblem p = body_on_plane(700, 1.0, 0.2, 8);
    Executor executor(threads);
    executor.run([&] { solve_gauss_seidel(p, {30, 1e-12, 0.0, ContactSolver::gs, false}); });
    if (first.empty()) first = p.force;
    CHECK(first == p.force);
  }
}
