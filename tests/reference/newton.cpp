#include "tests/reference/newton.hpp"

#include <cmath>

#include <sinew/errors.hpp>

#include "engine/elastic/quasi_newton.hpp"
#include "kernels/element/shape/tet.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/reference/material_hessian.hpp"

namespace sinew::reference {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using ElementHessian = Eigen::Matrix<double, 12, 12>;

/// F(i, j) = sum_c x_c(i) b_c(j): b_1..3 the rows of D_m^-1, b_0 minus their sum.
ElementHessian element_hessian(const BodyPrecomputed& body, std::size_t t, const Vec3d* x, bool project) {
  const Tet& tet = body.tets[t];
  const Mat3d f = tet_deformation_gradient(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]], body.rest_inverse[t]);
  StressDerivative h = stress_derivative(body.kind, {body.shear_modulus, body.first_lame, body.mooney_ratio}, f);
  if (project) h = projected(h);
  Eigen::Matrix<double, 9, 12> to_gradient = Eigen::Matrix<double, 9, 12>::Zero();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int c = 1; c < 4; ++c) {
        to_gradient(3 * i + j, 3 * c + i) = body.rest_inverse[t](c - 1, j);
        to_gradient(3 * i + j, i) -= body.rest_inverse[t](c - 1, j);
      }
    }
  }
  return body.volume[t] * to_gradient.transpose() * h * to_gradient;
}

/// Zero matrix with the pattern of the Hessian.
Matrix pattern(const BodyPrecomputed& body) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Tet& tet : body.tets)
    for (const Index a : tet)
      for (const Index b : tet)
        for (int k = 0; a >= b && a < body.free_count && k < 9; ++k)
          if (a > b || k / 3 >= k % 3) entries.emplace_back(3 * a + k / 3, 3 * b + k % 3, 0.0);
  for (Index i = 0; i < 3 * body.free_count; ++i) entries.emplace_back(i, i, 0.0);
  Matrix matrix(3 * body.free_count, 3 * body.free_count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

void fill(const BodyPrecomputed& body, double time_step, const Vec3d* position, bool project,
          Matrix& matrix) {
  std::vector<ElementHessian> element(body.tets.size());
  for_each(body.tets.size(), 64,
           [&](std::size_t t) { element[t] = element_hessian(body, t, position, project); });
  for (Index k = 0; k < matrix.nonZeros(); ++k) matrix.valuePtr()[k] = 0.0;
  for (Index i = 0; i < 3 * body.free_count; ++i) matrix.coeffRef(i, i) = body.mass[i / 3];
  for (std::size_t t = 0; t < body.tets.size(); ++t) {
    for (int r = 0; r < 12; ++r) {
      for (int c = 0; c < 12; ++c) {
        const Index row = 3 * body.tets[t][r / 3] + r % 3, column = 3 * body.tets[t][c / 3] + c % 3;
        if (row >= column && row < 3 * body.free_count)
          matrix.coeffRef(row, column) += time_step * time_step * element[t](r, c);
      }
    }
  }
}

class Newton {
 public:
  Newton(const BodyPrecomputed& body, const ElasticInput& input, const std::vector<Vec3d>& start,
         const NewtonSettings& settings)
      : body_(body),
        input_(input),
        settings_(settings),
        matrix_(pattern(body)),
        trial_(start),
        gradient_(start.size()),
        trial_gradient_(start.size()) {
    result_.position = start;
    begin_elastic_frame(body_, input_.start, workspace_);
    result_.merit = evaluate(result_.position, gradient_);
    solver_.analyzePattern(matrix_);
  }

  NewtonResult run() {
    const double first = gradient_norm(gradient_);
    const double scale = settings_.gradient_scale > 0.0 ? settings_.gradient_scale : first;
    for (;;) {
      const double size = gradient_norm(gradient_);
      result_.relative_gradient = scale > 0.0 ? size / scale : 0.0;
      result_.converged = result_.relative_gradient <= settings_.tolerance;
      if (result_.converged || result_.iterations == settings_.max_iterations) break;
      if (!step(size)) break;
      ++result_.iterations;
    }
    return std::move(result_);
  }

 private:
  std::size_t free_nodes() const { return static_cast<std::size_t>(body_.free_count); }
  double evaluate(const std::vector<Vec3d>& position, std::vector<Vec3d>& gradient) {
    return evaluate_elastic(body_, input_, position.data(), workspace_, gradient.data()).merit;
  }
  double gradient_norm(const std::vector<Vec3d>& g) {
    return std::sqrt(block_dot(g.data(), g.data(), free_nodes(), sums_));
  }

  /// The true Hessian where it is definite (quadratic convergence), the projected one elsewhere.
  bool step(double size) {
    for (const bool project : {false, true}) {
      fill(body_, input_.time_step, result_.position.data(), project, matrix_);
      solver_.factorize(matrix_);
      if (solver_.info() != Eigen::Success || !(solver_.vectorD().minCoeff() > 0.0)) continue;
      Eigen::VectorXd g(3 * body_.free_count);
      for (Index i = 0; i < 3 * body_.free_count; ++i) g[i] = gradient_[i / 3][i % 3];
      const Eigen::VectorXd direction = -solver_.solve(g);
      if (search(direction, g.dot(direction), size)) return true;
    }
    return false;
  }

  bool search(const Eigen::VectorXd& direction, double slope, double size) {
    double length = 1.0;
    for (int halving = 0; halving < 40; ++halving, length *= 0.5) {
      trial_ = result_.position;
      for (Index i = 0; i < 3 * body_.free_count; ++i) trial_[i / 3][i % 3] += length * direction[i];
      const double merit = evaluate(trial_, trial_gradient_);
      // Near the minimum the energy cannot tell any more; the gradient can.
      const double rounding = 1e-13 * std::abs(result_.merit);
      const bool descends = merit <= result_.merit + 1e-4 * length * slope;
      const bool settles = merit <= result_.merit + rounding && gradient_norm(trial_gradient_) < size;
      if (!descends && !settles) continue;
      std::swap(result_.position, trial_);
      std::swap(gradient_, trial_gradient_);
      result_.merit = merit;
      return true;
    }
    return false;
  }

  const BodyPrecomputed& body_;
  const ElasticInput input_;
  const NewtonSettings settings_;
  Matrix matrix_;
  // The nodes stand in elimination order already.
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>> solver_;
  NewtonResult result_;
  ElasticWorkspace workspace_;
  std::vector<Vec3d> trial_, gradient_, trial_gradient_;
  std::vector<double> sums_;
};

}  // namespace

Matrix hessian(const BodyPrecomputed& body, double time_step, const Vec3d* position, bool project) {
  Matrix matrix = pattern(body);
  fill(body, time_step, position, project, matrix);
  return matrix;
}

NewtonResult minimise(const BodyPrecomputed& body, const ElasticInput& input, const std::vector<Vec3d>& start,
                      const NewtonSettings& settings) {
  if (body.alpha != 0.0 || body.beta != 0.0)
    throw ModelError("reference solver: the body is damped; set rayleigh_alpha and rayleigh_beta to 0");
  return Newton(body, input, start, settings).run();
}

}  // namespace sinew::reference
