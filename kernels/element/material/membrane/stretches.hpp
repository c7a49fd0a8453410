// Membrane energies as functions of the two stretches of F = U diag(s) V^T, and the proximal map built on
// them. In the frame of U (completed by the normal) and V a change X = U^T dF V gives the change of stress
//   diagonal: H,   X_12, X_21: flip and twist as in stretches.hpp of the solids,   normal: bend_j X_3j,
//   flip = (g_1 - g_2)/(s_1 - s_2),   twist = (g_1 + g_2)/(s_1 + s_2),   bend_j = g_j / s_j.
// Scalars only.
#pragma once

#include "kernels/element/material/membrane/plane_stress.hpp"
#include "kernels/element/small_matrix/svd32.hpp"

namespace sinew {

template <class S>
struct MembraneStretchDerivatives {
  S gradient[2];  ///< g [Pa]
  S hessian[3];   ///< H_11, H_22, H_12 [Pa]
  S flip, twist;  ///< [Pa]
  S bend[2];      ///< [Pa]; held finite where s_j = 0
};

namespace detail {

/// a / b, b >= 0 held above rounding: the energies have kinks where a stretch, or the sum of both, vanishes.
template <class S>
SINEW_HD S over_stretch(S a, S b) {
  return a / (b > S(1e-9) ? b : S(1e-9));
}

/// mu |F - R|^2 + lambda/2 (s_1 + s_2 - 2)^2.
template <class S>
SINEW_HD MembraneStretchDerivatives<S> corotated_stretches(S mu, S lambda, S s1, S s2) {
  const S pull = lambda * ((s1 - S(1)) + (s2 - S(1)));
  MembraneStretchDerivatives<S> r;
  r.gradient[0] = S(2) * mu * (s1 - S(1)) + pull;
  r.gradient[1] = S(2) * mu * (s2 - S(1)) + pull;
  r.hessian[0] = r.hessian[1] = S(2) * mu + lambda;
  r.hessian[2] = lambda;
  r.flip = S(2) * mu;
  r.twist = over_stretch(r.gradient[0] + r.gradient[1], s1 + s2);
  r.bend[0] = over_stretch(r.gradient[0], s1);
  r.bend[1] = over_stretch(r.gradient[1], s2);
  return r;
}

template <class S>
SINEW_HD Mat32<S> from_stretches(const Svd32<S>& d, S s1, S s2) {
  return Mat32<S>::columns(s1 * d.u[0], s2 * d.u[1]) * transpose(d.v);
}

}  // namespace detail

/// argmin_P w/2 |P - F|^2 + psi(P) for psi(s_1, s_2) by Newton's method with line search. An energy depends
/// on the sign of no stretch, so that a negative one may change it and come nearer to F.
template <class M, class S>
SINEW_HD Mat32<S> project_by_stretches(const typename M::template Params<S>& p, const Mat32<S>& f, S weight) {
  const Svd32<S> d = svd32(f);
  const S sigma1 = d.s[0], sigma2 = d.s[1];
  const auto value_at = [&](S s1, S s2) {
    Mat32<S> diagonal, unused;
    diagonal(0, 0) = s1;
    diagonal(1, 1) = s2;
    const S x = s1 - sigma1, y = s2 - sigma2;
    return S(0.5) * weight * (x * x + y * y) + M::energy_and_stress(p, diagonal, unused);
  };
  constexpr S kOpen = S(0.5);  // from F or, where that is lower, from F without its flat directions
  S s1 = sigma1, s2 = sigma2, value = value_at(s1, s2);
  const S open1 = s1 > kOpen ? s1 : kOpen, open2 = s2 > kOpen ? s2 : kOpen;
  if (const S other = value_at(open1, open2); other < value) {
    s1 = open1;
    s2 = open2;
    value = other;
  }
  constexpr S kRounding = sizeof(S) == 4 ? S(1e-6) : S(1e-15);
  const auto gradient_at = [&](S a, S b, S* g) {
    const MembraneStretchDerivatives<S> m = M::stretch_derivatives(p, a, b);
    g[0] = m.gradient[0] + weight * (a - sigma1);
    g[1] = m.gradient[1] + weight * (b - sigma2);
    return m;
  };
  for (int step = 0; step < 100; ++step) {
    S g[2];
    const MembraneStretchDerivatives<S> m = gradient_at(s1, s2, g);
    S h11 = m.hessian[0] + weight, h22 = m.hessian[1] + weight;
    const S h12 = m.hessian[2];
    // Lowest eigenvalue of the 2 x 2 matrix; shifted where it is not positive.
    const S mean = S(0.5) * (h11 + h22), half = S(0.5) * (h11 - h22);
    const S radius = sqrt(half * half + h12 * h12);
    const S least = S(1e-3) * ((mean < S(0) ? -mean : mean) + radius);
    if (mean - radius < least) {
      h11 += least - (mean - radius);
      h22 += least - (mean - radius);
    }
    const S det = h11 * h22 - h12 * h12;
    const S d1 = (h12 * g[1] - h22 * g[0]) / det, d2 = (h12 * g[0] - h11 * g[1]) / det;
    if (d1 * d1 + d2 * d2 <= kRounding * kRounding * (s1 * s1 + s2 * s2)) break;
    const S slope = g[0] * d1 + g[1] * d2;
    bool moved = false;
    S length = S(1);
    for (int halving = 0; halving < 60 && !moved; ++halving, length *= S(0.5)) {
      S n1 = s1 + length * d1, n2 = s2 + length * d2;
      n1 = n1 < S(0) ? -n1 : n1;
      n2 = n2 < S(0) ? -n2 : n2;
      const S next = value_at(n1, n2);
      bool good = next <= value + S(1e-4) * length * slope;
      if (!good && next <= value + S(10) * kRounding * value) {  // rounding hides the decrease
        S ng[2];
        gradient_at(n1, n2, ng);
        good = ng[0] * ng[0] + ng[1] * ng[1] < g[0] * g[0] + g[1] * g[1];
      }
      if (!good) continue;
      s1 = n1;
      s2 = n2;
      value = next;
      moved = true;
    }
    if (!moved) break;
  }
  return detail::from_stretches(d, s1, s2);
}

/// The same for mu |F - R|^2 + lambda/2 (s_1 + s_2 - 2)^2 in closed form. Where lambda pulls the smaller
/// stretch below zero the minimum lies on the energy's kink at s_2 = 0.
template <class S>
SINEW_HD Mat32<S> project_corotated_membrane(S mu, S lambda, const Mat32<S>& f, S weight) {
  const Svd32<S> d = svd32(f);
  const S w = weight + S(2) * mu;
  const S pull = lambda * weight * ((d.s[0] - S(1)) + (d.s[1] - S(1))) / (w + S(2) * lambda);
  S s1 = (weight * d.s[0] + S(2) * mu - pull) / w, s2 = (weight * d.s[1] + S(2) * mu - pull) / w;
  if (s2 < S(0)) {
    s1 = (weight * d.s[0] + S(2) * mu + S(2) * lambda) / (w + lambda);
    s2 = S(0);
  }
  return detail::from_stretches(d, s1, s2);
}

}  // namespace sinew
