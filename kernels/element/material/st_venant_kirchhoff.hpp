// St. Venant-Kirchhoff: psi(F) = mu |E|^2 + lambda/2 (tr E)^2, E = (F^T F - I)/2 the Green strain. For large
// rotations at small strain. Under compression it weakens: in a bar pressed along its axis |P| falls again
// below a stretch of 1/sqrt(3), and a flat element resists no more. A mirrored element is a rest state of it.
#pragma once

#include <sinew/base/mat3.hpp>

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/material/projection.hpp"
#include "kernels/element/material/stretches.hpp"
#include "kernels/element/simd/scalar.hpp"

namespace sinew {

struct StVenantKirchhoff {
  static constexpr const char* kName = "st_venant_kirchhoff";
  template <class S>
  using Params = ElasticParameters<S>;

  /// P = F (2 mu E + lambda tr E I).
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat3<T>& f, Mat3<T>& stress) {
    const Mat3<T> strain = T(S(0.5)) * (transpose(f) * f - Mat3<T>::identity());
    const T tr = trace(strain);
    Mat3<T> s = T(S(2) * p.shear_modulus) * strain;
    for (int i = 0; i < 3; ++i) s(i, i) += p.first_lame * tr;
    stress = f * s;
    return p.shear_modulus * double_dot(strain, strain) + (S(0.5) * p.first_lame) * (tr * tr);
  }

  template <class S>
  SINEW_HD static StretchDerivatives<S> stretch_derivatives(const Params<S>& p, const Vec3<S>& s) {
    const S mu = p.shear_modulus, lambda = p.first_lame;
    Vec3<S> e;
    for (int i = 0; i < 3; ++i) e[i] = S(0.5) * (s[i] - S(1)) * (s[i] + S(1));
    const S volumetric = lambda * (e.x + e.y + e.z);
    StretchDerivatives<S> r;
    for (int i = 0; i < 3; ++i) {
      const S a = s[(i + 1) % 3], b = s[(i + 2) % 3];
      r.gradient[i] = s[i] * (S(2) * mu * e[i] + volumetric);
      for (int j = 0; j < 3; ++j) r.hessian(i, j) = lambda * s[i] * s[j];
      r.hessian(i, i) += S(2) * mu * e[i] + volumetric + S(2) * mu * s[i] * s[i];
      r.flip[i] = mu * (a * a + a * b + b * b - S(1)) + volumetric;
      r.twist[i] = mu * (a * a - a * b + b * b - S(1)) + volumetric;
    }
    return r;
  }

  template <class S>
  SINEW_HD static Mat3<S> projection(const Params<S>& p, const Mat3<S>& f, S weight) {
    return project_by_stretches<StVenantKirchhoff>(p, f, weight);
  }
};

}  // namespace sinew
