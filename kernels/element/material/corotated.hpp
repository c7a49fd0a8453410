// Corotated linear elasticity: psi(F) = mu |F - R|^2 + lambda/2 tr(R^T F - I)^2, R the rotation of the polar
// decomposition (Müller and Gross 2004; Sifakis and Barbic 2012, section 3.4). Linear in the stretches:
// cheap, but volume is kept to first order only, and nothing prevents inversion.
#pragma once

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/material/stretches.hpp"
#include "kernels/element/small_matrix/polar.hpp"

namespace sinew {

struct Corotated {
  static constexpr const char* kName = "corotated";
  template <class S>
  using Params = ElasticParameters<S>;

  /// P = 2 mu (F - R) + lambda tr(R^T F - I) R; R^T dR is skew, so R may be held fixed in the derivative.
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat3<T>& f, Mat3<T>& stress) {
    const Mat3<T> r = polar_rotation(f);
    const Mat3<T> difference = f - r;
    const T tr = double_dot(r, difference);
    stress = T(S(2) * p.shear_modulus) * difference + (p.first_lame * tr) * r;
    return p.shear_modulus * double_dot(difference, difference) + (S(0.5) * p.first_lame) * (tr * tr);
  }

  template <class S>
  SINEW_HD static StretchDerivatives<S> stretch_derivatives(const Params<S>& p, const Vec3<S>& s) {
    StretchDerivatives<S> r;
    add_rotation_distance(p.shear_modulus, s, r);
    const S tr = (s.x - S(1)) + (s.y - S(1)) + (s.z - S(1));
    for (int i = 0; i < 3; ++i) {
      const S sum = s[(i + 1) % 3] + s[(i + 2) % 3];
      r.gradient[i] += p.first_lame * tr;
      for (int j = 0; j < 3; ++j) r.hessian(i, j) += p.first_lame;
      r.twist[i] += S(2) * p.first_lame * tr / (sum > S(1e-9) ? sum : S(1e-9));
    }
    return r;
  }

  /// Closed form: the energy is quadratic in the stretches. Where lambda pulls two of them past each other's
  /// negative (tr(R^T F - I) > 2 mu / lambda: strongly stretched and flat) the energy has a convex kink at
  /// s_2 + s_3 = 0, and the minimum lies on it.
  template <class S>
  SINEW_HD static Mat3<S> projection(const Params<S>& p, const Mat3<S>& f, S weight) {
    const S mu2 = S(2) * p.shear_modulus, lambda = p.first_lame, w = weight + mu2;
    const Svd3<S> d = svd3(f);
    const S tr = weight * ((d.s.x - S(1)) + (d.s.y - S(1)) + (d.s.z - S(1))) / (w + S(3) * lambda);
    Vec3<S> s;
    for (int i = 0; i < 3; ++i) s[i] = (weight * d.s[i] + mu2 - lambda * tr) / w;
    if (s.y + s.z < S(0)) {
      s.x = (weight * d.s.x + mu2 + S(3) * lambda) / (w + lambda);
      s.y = S(0.5) * weight * (d.s.y - d.s.z) / w;
      s.z = -s.y;
    }
    return d.u * Mat3<S>::diagonal(s.x, s.y, s.z) * transpose(d.v);
  }
};

}  // namespace sinew
