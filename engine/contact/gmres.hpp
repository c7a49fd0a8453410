// Generalised minimal residuals (Saad and Schultz 1986), preconditioned from the right, without restart.
#pragma once

#include <cmath>
#include <vector>

namespace sinew {

/// Solves apply(x) = b from x = 0 until the residual is below `relative` of |b|; returns iterations. Both
/// operators write to a vector of the size of b.
template <class Apply, class Precondition>
int gmres(const std::vector<double>& b, std::vector<double>& x, int most, double relative, Apply&& apply,
          Precondition&& precondition) {
  const std::size_t n = b.size();
  const auto inner = [n](const std::vector<double>& u, const std::vector<double>& v) {
    double lane[4] = {0, 0, 0, 0};
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
      for (std::size_t l = 0; l < 4; ++l) lane[l] += u[i + l] * v[i + l];
    for (; i < n; ++i) lane[0] += u[i] * v[i];
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
  };
  const double size = std::sqrt(inner(b, b));
  if (!(size > 0.0)) return 0;
  std::vector<std::vector<double>> basis{b}, direction;  // direction = preconditioned basis
  for (double& v : basis[0]) v /= size;
  std::vector<std::vector<double>> column;  // of the Hessenberg matrix, rotated to triangular
  std::vector<double> cosine, sine, g{size};
  int k = 0;
  for (; k < most && std::abs(g[k]) > relative * size; ++k) {
    direction.emplace_back(n);
    precondition(basis[k], direction[k]);
    std::vector<double> w(n);
    apply(direction[k], w);
    std::vector<double> h(k + 2, 0.0);
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough
      for (int j = 0; j <= k; ++j) {
        const double share = inner(w, basis[j]);
        h[j] += share;
        for (std::size_t i = 0; i < n; ++i) w[i] -= share * basis[j][i];
      }
    }
    h[k + 1] = std::sqrt(inner(w, w));
    const double length = h[k + 1];
    for (int j = 0; j < k; ++j) {
      const double a = cosine[j] * h[j] + sine[j] * h[j + 1];
      h[j + 1] = cosine[j] * h[j + 1] - sine[j] * h[j];
      h[j] = a;
    }
    const double radius = std::hypot(h[k], h[k + 1]);
    if (!(radius > 0.0) || !std::isfinite(radius)) {
      direction.pop_back();
      break;
    }
    cosine.push_back(h[k] / radius);
    sine.push_back(h[k + 1] / radius);
    h[k] = radius;
    g.push_back(-sine[k] * g[k]);
    g[k] *= cosine[k];
    column.push_back(h);
    if (!(length > 1e-14 * size)) {
      ++k;
      break;
    }
    for (double& v : w) v /= length;
    basis.push_back(std::move(w));
  }
  std::vector<double> y(g.begin(), g.begin() + k);
  for (int i = k; i-- > 0;) {
    for (int j = i + 1; j < k; ++j) y[i] -= column[j][i] * y[j];
    y[i] /= column[i][i];
  }
  for (int j = 0; j < k; ++j)
    for (std::size_t i = 0; i < n; ++i) x[i] += y[j] * direction[j][i];
  return k;
}

}  // namespace sinew
