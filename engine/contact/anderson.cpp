#include "engine/contact/anderson.hpp"

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

double inner(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

/// Solves the symmetric positive definite n x n system in place (Cholesky); false if it is not.
bool solve_small(std::vector<double>& a, std::vector<double>& b, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) a[j * n + j] -= a[j * n + k] * a[j * n + k];
    if (!(a[j * n + j] > 0.0)) return false;
    a[j * n + j] = std::sqrt(a[j * n + j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i * n + k] * b[k];
    b[i] /= a[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k * n + i] * b[k];
    b[i] /= a[i * n + i];
  }
  return true;
}

}  // namespace

const std::vector<Vec3d>* AndersonAccelerator::extrapolate(
    const std::vector<Vec3d>& before, const ContactProblem& problem,
    const std::function<double(std::size_t)>& compliance) {
  const std::size_t count = before.size();

  if (used_ == kDepth + 1) {
    std::rotate(history_, history_ + 1, history_ + kDepth + 1);
    --used_;
  }
  Entry& newest = history_[used_++];
  newest.result = problem.force;
  newest.residual.resize(count);
  for (std::size_t c = 0; c < count; ++c) newest.residual[c] = compliance(c) * (problem.force[c] - before[c]);
  const double size = std::sqrt(inner(newest.residual, newest.residual));
  if (best_ >= 0.0 && extrapolated_ && size > 1.5 * best_) {  // worse: back to the best plain result
    forget();
    extrapolated_ = false;
    best_ = -1.0;
    next_ = safe_;
    return &next_;
  }
  if (best_ < 0.0 || size <= best_) {
    best_ = size;
    safe_ = problem.force;
  }
  if (used_ < 2) return nullptr;

  // min |residual - sum_j gamma_j (difference of residuals)|, by regularised normal equations.
  const std::size_t m = used_ - 1;
  std::vector<std::vector<Vec3d>> difference(m, std::vector<Vec3d>(count));
  std::vector<double> normal(m * m), gamma(m);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t c = 0; c < count; ++c)
      difference[j][c] = history_[j + 1].residual[c] - history_[j].residual[c];
  for (std::size_t i = 0; i < m; ++i) {
    gamma[i] = inner(difference[i], newest.residual);
    for (std::size_t j = 0; j <= i; ++j) normal[i * m + j] = inner(difference[i], difference[j]);
  }
  double scale = 0.0;
  for (std::size_t i = 0; i < m; ++i) scale = std::max(scale, normal[i * m + i]);
  for (std::size_t i = 0; i < m; ++i) normal[i * m + i] += 1e-10 * scale;
  if (!solve_small(normal, gamma, m)) {
    forget();
    return nullptr;
  }
  next_ = newest.result;
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t c = 0; c < count; ++c)
      next_[c] -= gamma[j] * (history_[j + 1].result[c] - history_[j].result[c]);
  for (std::size_t c = 0; c < count; ++c) {
    if (!is_finite(next_[c])) {
      forget();
      return nullptr;
    }
    const auto& e = problem.frame[c];
    const Vec3d local = project_on_cone(Vec3d{dot(e.n, next_[c]), dot(e.t1, next_[c]), dot(e.t2, next_[c])},
                                        problem.friction[c]);
    next_[c] = local.x * e.n + local.y * e.t1 + local.z * e.t2;
  }
  extrapolated_ = true;
  return &next_;
}

}  // namespace sinew
