#include "engine/elastic/local_step.hpp"

#include "engine/elastic/quasi_newton.hpp"
#include "kernels/element/small_matrix/polar.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

/// x := A_s^-1 x.
void solve(const LinearSolver& solver, std::vector<Vec3d>& x) {
  Vec3d* block = x.data();
  solver.solve(&block, 1, *solver.make_workspace());
}

Model small_model(MaterialKind kind, double alpha, double beta) {
  BodySpec body;
  body.name = "block";
  body.mesh = test::block(2, 2, 1, 0.1);
  body.material = {kind, 1e4, 0.3, alpha, beta};
  ModelBuilder builder;
  builder.add(body);
  return builder.build();
}

std::vector<Vec3d> in_internal_order(const BodyPrecomputed& p, const std::vector<Vec3d>& user) {
  std::vector<Vec3d> x;
  for (const Index u : p.to_user) x.push_back(user[u]);
  return x;
}

}  // namespace

TEST_CASE("gradient of the incremental potential: finite differences, all terms") {
  for (const MaterialKind kind : {MaterialKind::arap, MaterialKind::stable_neo_hookean}) {
    const Model model = small_model(kind, 2.0, 0.02);
    const BodyData& data = model.data().bodies[0];
    const auto p =
        precompute_body(data, std::vector<char>(data.start_position.size(), 0), 0.01, SolverSettings{}, 0.0);
    test::Random random(1);
    const std::vector<Vec3d> start = in_internal_order(*p, data.start_position);
    std::vector<Vec3d> predicted = start, q = start;
    for (auto& x : predicted) x += random.vector(0.01);
    for (auto& x : q) x += random.vector(0.01);
    ElasticWorkspace workspace;
    begin_elastic_frame(*p, start.data(), workspace);
    const ElasticInput input{0.01, predicted.data(), start.data()};
    std::vector<Vec3d> gradient(q.size()), unused(q.size());
    evaluate_elastic(*p, input, q.data(), workspace, gradient.data());
    for (std::size_t i = 0; i < q.size(); i += 3) {
      for (int axis = 0; axis < 3; ++axis) {
        const auto at = [&](double t) {
          std::vector<Vec3d> moved = q;
          moved[i][axis] += t;
          return evaluate_elastic(*p, input, moved.data(), workspace, unused.data()).merit;
        };
        const double step = 1e-5;
        const double expected = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
        CHECK(gradient[i][axis] == Approx(expected).margin(1e-8 * norm(gradient[i]) + 1e-10));
      }
    }
  }
}

TEST_CASE("system matrix: A is inertia plus w times the graph stiffness, for any direction") {
  const Model model = small_model(MaterialKind::arap, 0.0, 0.0);
  const BodyData& data = model.data().bodies[0];
  const auto p =
      precompute_body(data, std::vector<char>(data.start_position.size(), 0), 0.01, SolverSettings{}, 0.0);
  // At rest ARAP's gradient changes by A x for a displacement x = stretch (no rotation): A^-1 brings x back.
  const std::vector<Vec3d> start = in_internal_order(*p, data.start_position);
  std::vector<Vec3d> q = start;
  const double s = 1e-7;
  for (Vec3d& x : q) x += s * Vec3d{x.x, -0.5 * x.y, 2.0 * x.z};
  ElasticWorkspace workspace;
  begin_elastic_frame(*p, start.data(), workspace);
  std::vector<Vec3d> gradient(q.size());
  evaluate_elastic(*p, {0.01, start.data(), start.data()}, q.data(), workspace, gradient.data());
  solve(*p->solver, gradient);
  for (std::size_t i = 0; i < q.size(); ++i) CHECK(norm(gradient[i] - (q[i] - start[i])) < 1e-5 * s);
}

TEST_CASE("one full step with A alone is projective dynamics for ARAP") {
  const Model model = small_model(MaterialKind::arap, 0.0, 0.0);
  const BodyData& data = model.data().bodies[0];
  const auto p =
      precompute_body(data, std::vector<char>(data.start_position.size(), 0), 0.01, SolverSettings{}, 0.0);
  test::Random random(3);
  std::vector<Vec3d> q = in_internal_order(*p, data.start_position);
  const std::vector<Vec3d> start = q;
  std::vector<Vec3d> predicted = q;
  for (auto& x : q) x += random.vector(0.02);
  ElasticWorkspace workspace;
  begin_elastic_frame(*p, start.data(), workspace);
  std::vector<Vec3d> step(q.size());
  evaluate_elastic(*p, {0.01, predicted.data(), start.data()}, q.data(), workspace, step.data());
  solve(*p->solver, step);
  // The published form: A q+ = M q~ + h^2 sum w V G^T R(F).
  std::vector<Vec3d> rhs(q.size());
  for (std::size_t i = 0; i < q.size(); ++i) rhs[i] = p->mass[i] * predicted[i];
  for (std::size_t t = 0; t < p->tets.size(); ++t) {
    const Tet& e = p->tets[t];
    const Mat3d f =
        Mat3d::columns(q[e[1]] - q[e[0]], q[e[2]] - q[e[0]], q[e[3]] - q[e[0]]) * p->rest_inverse[t];
    const Mat3d r =
        (1e-4 * p->element_weight * p->volume[t]) * (polar_rotation(f) * transpose(p->rest_inverse[t]));
    for (int c = 1; c < 4; ++c) {
      rhs[e[c]] += r.column(c - 1);
      rhs[e[0]] -= r.column(c - 1);
    }
  }
  solve(*p->solver, rhs);
  for (std::size_t i = 0; i < q.size(); ++i) CHECK(norm(q[i] - step[i] - rhs[i]) < 1e-12);
}

TEST_CASE("compact quasi-Newton form obeys the secant equations and is symmetric positive") {
  // Diagonal A^-1 = 1, a hidden quadratic with Hessian D: H y_k = s_k for the newest pair; with n pairs H =
  // D^-1.
  const std::size_t n = 4;
  test::Random random(4);
  QuasiNewton metric;
  metric.begin(3, n);
  std::vector<double> sums;
  std::vector<Vec3d> s(n), y(n);
  const auto apply = [&](const std::vector<Vec3d>& r) {
    Mirrored<Vec3d> out = r;
    metric.add_low_rank(r, 1.0, out, sums);
    return out.host();
  };
  for (int k = 0; k < 7; ++k) {  // more pairs than are kept
    for (std::size_t i = 0; i < n; ++i) {
      s[i] = random.vector();
      y[i] = {2.0 * s[i].x, 5.0 * s[i].y, 0.5 * s[i].z};
    }
    metric.push(s, y, y, sums);
    const std::vector<Vec3d> back = apply(y);
    for (std::size_t i = 0; i < n; ++i) CHECK(norm(back[i] - s[i]) < 1e-10);
    std::vector<Vec3d> a(n), b(n);
    for (std::size_t i = 0; i < n; ++i) a[i] = random.vector(), b[i] = random.vector();
    CHECK(block_dot(a.data(), apply(b).data(), n, sums) ==
          Approx(block_dot(b.data(), apply(a).data(), n, sums)));
    CHECK(block_dot(a.data(), apply(a).data(), n, sums) > 0.0);
  }
  CHECK(metric.pairs() == 3);
  metric.push(s, s, s, sums);
  for (Vec3d& v : y) v = -1.0 * v;
  metric.push(s, y, y, sums);  // negative curvature: left out
  const std::vector<Vec3d> back = apply(s);
  for (std::size_t i = 0; i < n; ++i) CHECK(norm(back[i] - s[i]) < 1e-10);
}
