// Proximal map of an isotropic energy, argmin_P w/2 |P - F|^2 + psi(P): the step of ADMM on one element. The
// minimiser shares the singular vectors of F (von Neumann's trace inequality), so it is a minimum over three
// stretches; Newton's method with line search finds it. The smallest stretch of an inverted F is negative and
// is free to become positive. To rounding for stretches up to 100; where J costs much and F is stretched 1000
// times the steps along J = const get short, and what comes back after 100 of them is lower than F, not the
// minimum. Scalars only.
#pragma once

#include "kernels/element/material/stretches.hpp"
#include "kernels/element/small_matrix/svd3.hpp"

namespace sinew {

namespace detail {

/// x with (a + shift I) x = b, the least shift of a growing sequence for which a + shift I is positive
/// definite.
template <class S>
SINEW_HD Vec3<S> solve_positive(const Mat3<S>& a, const Vec3<S>& b) {
  S scale{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) scale += a(i, j) < S(0) ? -a(i, j) : a(i, j);
  const S least = S(1e-6) * scale;
  S shift{};
  for (int attempt = 0; attempt < 40; ++attempt) {
    // L D L^T.
    const S d0 = a(0, 0) + shift;
    if (d0 > least) {
      const S l1 = a(1, 0) / d0, l2 = a(2, 0) / d0;
      const S d1 = a(1, 1) + shift - l1 * a(1, 0);
      if (d1 > least) {
        const S m = (a(2, 1) - l2 * a(1, 0)) / d1;
        const S d2 = a(2, 2) + shift - l2 * a(2, 0) - m * m * d1;
        if (d2 > least) {
          const S y1 = b.y - l1 * b.x, y2 = b.z - l2 * b.x - m * y1;
          const S z = y2 / d2, y = y1 / d1 - m * z;
          return {b.x / d0 - l1 * y - l2 * z, y, z};
        }
      }
    }
    shift = shift > S(0) ? S(2) * shift : S(1e-3) * scale;
  }
  return b / (scale > S(0) ? scale : S(1));
}

/// Where two stretches sum to less than zero the mirrored pair has the same energy and is nearer to F, whose
/// own sums are not negative.
template <class S>
SINEW_HD void mirror(Vec3<S>& s) {
  for (int i = 0; i < 3; ++i) {
    S &a = s[(i + 1) % 3], &b = s[(i + 2) % 3];
    if (a + b >= S(0)) continue;
    const S old = a;
    a = -b;
    b = -old;
  }
}

}  // namespace detail

/// Stretches of the proximal point; sigma: the signed singular values of F.
template <class M, class S>
SINEW_HD Vec3<S> project_stretches(const typename M::template Params<S>& p, const Vec3<S>& sigma, S weight) {
  using std::sqrt;
  const auto value_at = [&](const Vec3<S>& s) {
    Mat3<S> unused;
    return S(0.5) * weight * squared_norm(s - sigma) +
           M::energy_and_stress(p, Mat3<S>::diagonal(s.x, s.y, s.z), unused);
  };
  // From F itself or, where that is lower, from F without its flat and inverted directions.
  constexpr S kOpen = S(0.5);
  Vec3<S> s = sigma;
  S value = value_at(s);
  Vec3<S> open = sigma;
  for (int i = 0; i < 3; ++i) open[i] = open[i] > kOpen ? open[i] : kOpen;
  if (const S other = value_at(open); other < value) {
    s = open;
    value = other;
  }
  constexpr S kRounding = sizeof(S) == 4 ? S(1e-6) : S(1e-15);
  for (int step = 0; step < 100; ++step) {
    const StretchDerivatives<S> d = M::stretch_derivatives(p, s);
    const Vec3<S> gradient = d.gradient + weight * (s - sigma);
    Mat3<S> hessian = d.hessian;
    for (int i = 0; i < 3; ++i) hessian(i, i) += weight;
    const Vec3<S> direction = detail::solve_positive(hessian, -gradient);
    const S slope = dot(gradient, direction);
    if (squared_norm(direction) <= kRounding * kRounding * squared_norm(s)) break;
    bool moved = false;
    S length = S(1);
    for (int halving = 0; halving < 60 && !moved; ++halving, length *= S(0.5)) {
      Vec3<S> next = s + length * direction;
      detail::mirror(next);
      const S next_value = value_at(next);
      // Where rounding hides the decrease the gradient decides.
      const S slack = S(10) * kRounding * (value < S(0) ? -value : value);
      bool good = next_value <= value + S(1e-4) * length * slope;
      if (!good && next_value <= value + slack) {
        const Vec3<S> g = M::stretch_derivatives(p, next).gradient + weight * (next - sigma);
        good = squared_norm(g) < squared_norm(gradient);
      }
      if (!good) continue;
      s = next;
      value = next_value;
      moved = true;
    }
    if (!moved) break;
  }
  return s;
}

template <class M, class S>
SINEW_HD Mat3<S> project_by_stretches(const typename M::template Params<S>& p, const Mat3<S>& f, S weight) {
  const Svd3<S> d = svd3(f);
  const Vec3<S> s = project_stretches<M>(p, d.s, weight);
  return d.u * Mat3<S>::diagonal(s.x, s.y, s.z) * transpose(d.v);
}

}  // namespace sinew
