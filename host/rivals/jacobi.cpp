#include "host/rivals/jacobi.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <sinew/errors.hpp>

#include "host/csr.hpp"

namespace sinew {

namespace {

/// Symmetric tridiagonal matrix of Lanczos.
struct Tridiagonal {
  std::vector<double> diagonal, off;  ///< off[i] joins i and i + 1

  /// Number of eigenvalues below x (Sturm sequence).
  int count_below(double x) const {
    int count = 0;
    double q = 1.0;
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      const double square = i > 0 ? off[i - 1] * off[i - 1] : 0.0;
      q = diagonal[i] - x - (i > 0 ? square / q : 0.0);
      if (q == 0.0) q = 1e-300;
      count += q < 0.0;
    }
    return count;
  }
  /// k-th least eigenvalue by bisection in [low, high].
  double eigenvalue(int k, double low, double high) const {
    for (int step = 0; step < 200 && high - low > 1e-15 * std::abs(high); ++step) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      (count_below(middle) > k ? high : low) = middle;
    }
    return 0.5 * (low + high);
  }
};

struct Extremes {
  double least = 1.0, largest = 1.0;
};

/// Extreme eigenvalues of a symmetric matrix in [0, bound] by Lanczos (1950) without reorthogonalisation:
/// lost orthogonality repeats converged values and does no harm at the ends.
Extremes extreme_eigenvalues(const CsrMatrix<double>& matrix, std::vector<double> v, double bound) {
  constexpr int kMostSteps = 400, kCheckEvery = 20;
  constexpr double kSettled = 1e-8;
  const std::size_t n = v.size();
  std::vector<double> before(n, 0.0), next(n), scratch;
  const auto normalize = [&](std::vector<double>& x) {
    const double length = std::sqrt(ordered_sum(n, scratch, [&](std::size_t i) { return x[i] * x[i]; }));
    if (length > 0.0) for_each(n, 4096, [&](std::size_t i) { x[i] /= length; });
    return length;
  };
  normalize(v);
  Tridiagonal t;
  Extremes found;
  for (int step = 1; step <= kMostSteps; ++step) {
    const double beta = t.off.empty() ? 0.0 : t.off.back();
    const double alpha = ordered_sum(n, scratch, [&](std::size_t i) {
      double sum = 0.0;
      for (std::size_t p = matrix.row_start[i]; p < matrix.row_start[i + 1]; ++p)
        sum += matrix.value[p] * v[matrix.column[p]];
      next[i] = sum - beta * before[i];
      return sum * v[i];
    });
    for_each(n, 4096, [&](std::size_t i) { next[i] -= alpha * v[i]; });
    t.diagonal.push_back(alpha);
    const double rest = normalize(next);
    const bool invariant = !(rest > 1e-13 * bound);
    if (invariant || step % kCheckEvery == 0 || step == kMostSteps) {
      const Extremes old = found;
      const double low = std::min(0.0, -bound);
      found.least = t.eigenvalue(0, low, 2.0 * bound);
      found.largest = t.eigenvalue(static_cast<int>(t.diagonal.size()) - 1, low, 2.0 * bound);
      if (invariant || (std::abs(found.least - old.least) <= kSettled * std::abs(found.least) &&
                        std::abs(found.largest - old.largest) <= kSettled * found.largest))
        break;
    }
    t.off.push_back(rest);
    before.swap(v);
    v.swap(next);
  }
  return found;
}

/// D^1/2 (1 + noise): near the softest motion of a free body, with a share of every other. The noise is a
/// fixed sequence (multiplicative congruence).
std::vector<double> start_vector(const std::vector<double>& diagonal) {
  std::vector<double> v(diagonal.size());
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < v.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    v[i] = std::sqrt(diagonal[i]) * (0.75 + 0.5 * static_cast<double>(state >> 8) / 16777216.0);
  }
  return v;
}

}  // namespace

JacobiSweep::JacobiSweep(const SymmetricMatrix& matrix) : order_(matrix.size), scale_(matrix.size) {
  std::iota(order_.begin(), order_.end(), Index{0});
  if (matrix.size == 0) return;
  CsrMatrix<double> a = permuted_rows(matrix, order_);
  const Index n = matrix.size;
  std::vector<double> diagonal(n, 0.0);
  double circles = 0.0;  // Gershgorin, for D^-1 A
  for (Index i = 0; i < n; ++i) {
    double row = 0.0;
    for (std::size_t p = a.row_start[i]; p < a.row_start[i + 1]; ++p) {
      if (a.column[p] == i) diagonal[i] = a.value[p];
      row += std::abs(a.value[p]);
    }
    if (!(diagonal[i] > 0.0) || !std::isfinite(row))
      throw BackendError("jacobi: the system is not positive definite: diagonal entry " +
                         std::to_string(diagonal[i]));
    circles = std::max(circles, row / diagonal[i]);
  }
  for (Index i = 0; i < n; ++i)  // D^-1/2 A D^-1/2: the spectrum of D^-1 A, symmetric
    for (std::size_t p = a.row_start[i]; p < a.row_start[i + 1]; ++p)
      a.value[p] /= std::sqrt(diagonal[i]) * std::sqrt(diagonal[a.column[p]]);
  const Extremes found = extreme_eigenvalues(a, start_vector(diagonal), circles);
  if (!(found.least > 0.0)) throw BackendError("jacobi: the system is not positive definite");
  constexpr double kMargin = 1.01;
  damping_ = 2.0 / (found.least + std::min(kMargin * found.largest, circles));
  spectral_radius_ =
      std::max(std::abs(1.0 - damping_ * found.least), std::abs(1.0 - damping_ * found.largest));
  for (Index i = 0; i < n; ++i) scale_[i] = damping_ / diagonal[i];
}

LinearSolver::Sizes JacobiSweep::sizes() const {
  Sizes sizes;
  sizes.stored_entries = scale_.size();
  sizes.bytes = scale_.size() * sizeof(double);
  return sizes;
}

void JacobiSweep::solve(Vec3d* const* block, std::size_t count, Workspace&) const {
  for (std::size_t c = 0; c < count; ++c)
    for_each(scale_.size(), 4096, [&](std::size_t i) { block[c][i] *= scale_[i]; });
}

double chebyshev_weight(int k, double weight, double spectral_radius) {
  if (k == 0) return 1.0;
  const double square = spectral_radius * spectral_radius;
  return k == 1 ? 2.0 / (2.0 - square) : 4.0 / (4.0 - square * weight);
}

}  // namespace sinew
