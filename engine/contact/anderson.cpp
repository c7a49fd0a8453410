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

/// Takes the newest sweep into the ring; only its row of the normal matrix is new.
void AndersonAccelerator::remember(const std::vector<Vec3d>& result) {
  const std::size_t count = result.size();
  if (has_last_) {
    const std::size_t slot = next_slot_;
    next_slot_ = (next_slot_ + 1) % kDepth;
    used_ = std::min(used_ + 1, kDepth);
    Entry& entry = entry_[slot];
    entry.result.resize(count);
    entry.residual.resize(count);
    for (std::size_t c = 0; c < count; ++c) {
      entry.result[c] = result[c] - last_result_[c];
      entry.residual[c] = residual_[c] - last_residual_[c];
    }
    for (std::size_t j = 0; j < used_; ++j)
      normal_[slot][j] = normal_[j][slot] = inner(entry.residual, entry_[j].residual);
  } else {
    next_slot_ = 0;
  }
  has_last_ = true;
  last_result_ = result;
  last_residual_ = residual_;
}

const std::vector<Vec3d>* AndersonAccelerator::extrapolate(
    const std::vector<Vec3d>& before, const std::vector<Vec3d>& after, const std::vector<double>& weight,
    const std::function<Vec3d(std::size_t, const Vec3d&)>& project) {
  const std::size_t count = before.size();
  residual_.resize(count);
  for (std::size_t c = 0; c < count; ++c) residual_[c] = weight[c] * (after[c] - before[c]);
  const double size = std::sqrt(inner(residual_, residual_));
  if (best_ >= 0.0 && extrapolated_ && size > 1.5 * best_) {  // worse: back to the best plain result
    forget();
    extrapolated_ = false;
    best_ = -1.0;
    pause_ = next_pause_;
    next_pause_ = std::min(2 * next_pause_, kLongestPause);
    next_ = safe_;
    return &next_;
  }
  if (pause_ > 0) {
    --pause_;
    return nullptr;
  }
  if (best_ < 0.0 || size <= best_) {
    best_ = size;
    safe_ = after;
  }
  if (calls_++ < kFirstCalls)
    largest_ = std::max(largest_, size);  // later ones may come of a jump themselves
  remember(after);
  if (used_ == 0) return nullptr;

  // min |residual - sum_j gamma_j (difference of residuals)|: normal equations, scaled to a unit diagonal so
  // that the regularisation treats old (large) and new (small) differences alike.
  const std::size_t m = used_;
  std::vector<double> scale(m), normal(m * m), gamma(m);
  for (std::size_t i = 0; i < m; ++i) scale[i] = normal_[i][i] > 0.0 ? 1.0 / std::sqrt(normal_[i][i]) : 0.0;
  for (std::size_t i = 0; i < m; ++i) {
    gamma[i] = scale[i] * inner(entry_[i].residual, residual_);
    for (std::size_t j = 0; j <= i; ++j) normal[i * m + j] = scale[i] * scale[j] * normal_[i][j];
    normal[i * m + i] += 1e-12;
  }
  if (!solve_small(normal, gamma, m)) {
    forget();
    return nullptr;
  }
  next_ = after;
  for (std::size_t j = 0; j < m; ++j) {
    const double weight = scale[j] * gamma[j];
    for (std::size_t c = 0; c < count; ++c) next_[c] -= weight * entry_[j].result[c];
  }
  double jump = 0.0;
  for (std::size_t c = 0; c < count; ++c) jump += squared_norm(weight[c] * (next_[c] - after[c]));
  if (!(jump <= kFarthest * kFarthest * largest_ * largest_)) {
    forget();
    return nullptr;
  }
  for (std::size_t c = 0; c < count; ++c) next_[c] = project(c, next_[c]);
  extrapolated_ = true;
  return &next_;
}

}  // namespace sinew
