#include "tests/reference/newton.hpp"

#include <cmath>

#include <Eigen/Dense>

#include <sinew/errors.hpp>

#include "engine/elastic/quasi_newton.hpp"
#include "kernels/element/material/material_list.hpp"
#include "tests/reference/material_hessian.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;
using reference::StressDerivative;

namespace {

constexpr MaterialKind kBoth[] = {MaterialKind::arap, MaterialKind::stable_neo_hookean};
constexpr double kMu = 3.0, kLambda = 7.0, kStep = 0.01;

Mat3d stress_of(MaterialKind kind, const Mat3d& f) {
  Mat3d stress;
  with_tet_material(kind, [&]<class M>(M) {
    M::energy_and_stress(ElasticParameters<double>{kMu, kLambda}, f, stress);
  });
  return stress;
}

Mat3d random_gradient(test::Random& random, double spread) {
  Mat3d f = Mat3d::identity();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) f(i, j) += random.uniform(-spread, spread);
  return f;
}

struct Problem {
  std::shared_ptr<BodyPrecomputed> body;
  std::vector<Vec3d> rest, predicted;
  ElasticInput input() const { return {kStep, predicted.data(), predicted.data()}; }
};

/// Nodes with x = 0 are pinned where pinned is set; q~ is the rest shape moved at random.
Problem make_problem(TetMesh mesh, Material material, bool pinned, double spread) {
  BodySpec spec;
  spec.name = "body";
  spec.mesh = std::move(mesh);
  spec.material = material;
  ModelBuilder builder;
  builder.add(std::move(spec));
  const Model model = builder.build();
  const BodyData& data = model.data().bodies[0];
  std::vector<char> held;
  for (const Vec3d& x : data.rest_position) held.push_back(pinned && x.x < 1e-9);
  Problem problem;
  problem.body = precompute_body(data, held, kStep, SolverSettings{}, 0.0);
  for (const Index user : problem.body->to_user) problem.rest.push_back(data.rest_position[user]);
  test::Random random(3);
  problem.predicted = problem.rest;
  for (Index i = 0; i < problem.body->free_count; ++i) problem.predicted[i] += random.vector(spread);
  return problem;
}

double merit_at(const Problem& p, const std::vector<Vec3d>& x, std::vector<Vec3d>& gradient) {
  ElasticWorkspace workspace;
  begin_elastic_frame(*p.body, p.predicted.data(), workspace);
  gradient.resize(x.size());
  return evaluate_elastic(*p.body, p.input(), x.data(), workspace, gradient.data()).merit;
}

}  // namespace

TEST_CASE("stress derivative: finite differences of the stress, symmetric, inverted states too") {
  test::Random random(7);
  for (const MaterialKind kind : kBoth) {
    for (int sample = 0; sample < 40; ++sample) {
      Mat3d f = random_gradient(random, sample < 20 ? 0.3 : 1.5);
      if (sample % 4 == 3) f = Mat3d::diagonal(1.0, 1.1, -0.6) * f;
      const StressDerivative h =
          reference::stress_derivative(kind, kMu, kind == MaterialKind::arap ? 0.0 : kLambda, f);
      CHECK((h - h.transpose()).norm() <= 1e-14 * h.norm());
      const auto svd = svd3(f);
      if (svd.s[1] + svd.s[2] < 0.05) continue;  // next to the kink of the polar rotation
      const double step = 1e-4;
      StressDerivative differences;
      for (int column = 0; column < 9; ++column) {
        const auto at = [&](double t) {
          Mat3d moved = f;
          moved(column / 3, column % 3) += t;
          return stress_of(kind, moved);
        };
        const Mat3d d = (1.0 / (12 * step)) * (8.0 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step)));
        for (int row = 0; row < 9; ++row) differences(row, column) = d(row / 3, row % 3);
      }
      INFO("sample " << sample << ", least singular values " << svd.s[1] << ' ' << svd.s[2]);
      CHECK((h - differences).norm() <= 1e-6 * h.norm());
    }
  }
}

TEST_CASE("stress derivative at rest is Hooke's law") {
  for (const MaterialKind kind : kBoth) {
    const double lambda = kind == MaterialKind::arap ? 0.0 : kLambda;
    const StressDerivative h = reference::stress_derivative(kind, kMu, lambda, Mat3d::identity());
    // dP = 2 mu sym(dF) + lambda tr(dF) I
    for (int i = 0; i < 9; ++i) {
      for (int j = 0; j < 9; ++j) {
        const int transposed = 3 * (j % 3) + j / 3;
        const bool diagonal_i = i % 4 == 0, diagonal_j = j % 4 == 0;
        const double expected = kMu * ((i == j) + (i == transposed)) + lambda * (diagonal_i && diagonal_j);
        CHECK(h(i, j) == Approx(expected).margin(1e-12));
      }
    }
  }
}

TEST_CASE("projection keeps a definite matrix and clamps the eigenvalues of others") {
  test::Random random(9);
  StressDerivative a;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j) a(i, j) = random.uniform();
  const StressDerivative definite = a * a.transpose(), indefinite = a + a.transpose();
  CHECK((reference::projected(definite) - definite).norm() <= 1e-13 * definite.norm());
  const StressDerivative p = reference::projected(indefinite);
  const Eigen::SelfAdjointEigenSolver<StressDerivative> before(indefinite), after(p);
  REQUIRE(before.eigenvalues()[0] < -0.1);
  for (int i = 0; i < 9; ++i)
    CHECK(after.eigenvalues()[i] == Approx(std::max(0.0, before.eigenvalues()[i])).margin(1e-13));
}

TEST_CASE("sparse Hessian: finite differences of the gradient of e") {
  for (const MaterialKind kind : kBoth) {
    const Problem p = make_problem(test::block(2, 1, 1, 0.1), {kind, 1e4, 0.3, 0.0, 0.0}, true, 0.02);
    const Eigen::MatrixXd lower = reference::hessian(*p.body, kStep, p.predicted.data(), false);
    REQUIRE(lower.rows() == 3 * p.body->free_count);
    std::vector<Vec3d> plus, minus;
    for (Index column = 0; column < lower.rows(); column += 5) {
      const double step = 1e-6;
      std::vector<Vec3d> moved = p.predicted;
      moved[column / 3][column % 3] += step;
      merit_at(p, moved, plus);
      moved[column / 3][column % 3] -= 2 * step;
      merit_at(p, moved, minus);
      for (Index row = 0; row < lower.rows(); ++row) {
        const double expected = (plus[row / 3][row % 3] - minus[row / 3][row % 3]) / (2 * step);
        const double value = row >= column ? lower(row, column) : lower(column, row);
        CHECK(value == Approx(expected).margin(1e-7 * lower.norm()));
      }
    }
  }
}

TEST_CASE("Newton: one tetrahedron against dense Newton without safeguards") {
  for (const MaterialKind kind : kBoth) {
    TetMesh mesh;
    mesh.nodes = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
    mesh.tets = {{0, 1, 2, 3}};
    const Problem p = make_problem(mesh, {kind, 1e5, 0.3, 0.0, 0.0}, false, 0.01);
    const reference::NewtonResult sparse = reference::minimise(*p.body, p.input(), p.predicted);
    REQUIRE(sparse.converged);
    std::vector<Vec3d> x = p.predicted, gradient;
    for (int k = 0; k < 30; ++k) {
      merit_at(p, x, gradient);
      const Eigen::MatrixXd lower = reference::hessian(*p.body, kStep, x.data(), k < 5);
      Eigen::VectorXd g(12);
      for (int i = 0; i < 12; ++i) g[i] = gradient[i / 3][i % 3];
      const Eigen::VectorXd step = lower.selfadjointView<Eigen::Lower>().ldlt().solve(g);
      for (int i = 0; i < 12; ++i) x[i / 3][i % 3] -= step[i];
    }
    const double dense = merit_at(p, x, gradient);
    CHECK(sparse.merit == Approx(dense).epsilon(1e-12));
    for (int i = 0; i < 4; ++i) CHECK(norm(sparse.position[i] - x[i]) < 1e-12);
  }
}

TEST_CASE("Newton: a stationary point below its neighbours, pinned nodes untouched") {
  for (const MaterialKind kind : kBoth) {
    const Problem p = make_problem(test::block(3, 2, 1, 0.1), {kind, 1e5, 0.45, 0.0, 0.0}, true, 0.05);
    const reference::NewtonResult r = reference::minimise(*p.body, p.input(), p.predicted);
    CHECK(r.converged);
    CHECK(r.iterations > 2);
    std::vector<Vec3d> gradient, first;
    CHECK(merit_at(p, r.position, gradient) == r.merit);
    const double begin = merit_at(p, p.predicted, first);
    CHECK(r.merit < 0.5 * begin);
    for (Index i = 0; i < p.body->free_count; ++i) CHECK(norm(gradient[i]) <= 1e-10 * norm(first[i]));
    for (std::size_t i = p.body->free_count; i < r.position.size(); ++i)
      CHECK(r.position[i] == p.predicted[i]);
    test::Random random(5);
    std::vector<Vec3d> unused;
    for (int sample = 0; sample < 20; ++sample) {
      std::vector<Vec3d> near = r.position;
      for (Index i = 0; i < p.body->free_count; ++i) near[i] += random.vector(1e-4);
      CHECK(merit_at(p, near, unused) > r.merit);
    }
  }
}

TEST_CASE("Newton: the rest shape is its own solution; damping is refused") {
  Problem p = make_problem(test::block(1, 1, 1, 0.1), {MaterialKind::arap, 1e5, 0.3, 0.0, 0.0}, true, 0.0);
  // The gradient at the start is rounding: measured against the forces of a strain of 1.
  reference::NewtonSettings settings;
  settings.gradient_scale = kStep * kStep * 1e5 * 0.1 * 0.1;
  const reference::NewtonResult r = reference::minimise(*p.body, p.input(), p.predicted, settings);
  CHECK(r.merit <= 1e-25);
  CHECK(r.iterations <= 1);
  p = make_problem(test::block(1, 1, 1, 0.1), {MaterialKind::arap, 1e5, 0.3, 0.0, 0.01}, true, 0.0);
  CHECK_THROWS_AS(reference::minimise(*p.body, p.input(), p.predicted), ModelError);
}
