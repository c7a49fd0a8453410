// St. Venant-Kirchhoff membrane: psi = mu |E|^2 + lambda_ps/2 (tr E)^2, E = (F^T F - I)/2. It weakens under
// compression; a triangle that is collapsed to a line or a point feels no force that opens it.
#pragma once

#include "kernels/element/material/membrane/plane_stress.hpp"
#include "kernels/element/material/membrane/stretches.hpp"

namespace sinew {

struct MembraneStVenantKirchhoff {
  static constexpr const char* kName = "st_venant_kirchhoff";
  template <class S>
  using Params = ElasticParameters<S>;

  /// P = F (2 mu E + lambda_ps tr E I).
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat32<T>& f, Mat32<T>& stress) {
    const S mu = p.shear_modulus, lambda = plane_stress_lame(p);
    const Vec3<T> a = f.column(0), b = f.column(1);
    const T x = S(0.5) * (squared_norm(a) - S(1)), y = S(0.5) * (squared_norm(b) - S(1));
    const T xy = S(0.5) * dot(a, b), tr = x + y;
    Mat2<T> s;
    s(0, 0) = S(2) * mu * x + lambda * tr;
    s(1, 1) = S(2) * mu * y + lambda * tr;
    s(0, 1) = s(1, 0) = S(2) * mu * xy;
    stress = f * s;
    return mu * (x * x + y * y + S(2) * (xy * xy)) + (S(0.5) * lambda) * (tr * tr);
  }

  template <class S>
  SINEW_HD static MembraneStretchDerivatives<S> stretch_derivatives(const Params<S>& p, S s1, S s2) {
    const S mu = p.shear_modulus, lambda = plane_stress_lame(p);
    const S e1 = S(0.5) * (s1 - S(1)) * (s1 + S(1)), e2 = S(0.5) * (s2 - S(1)) * (s2 + S(1));
    const S pull = lambda * (e1 + e2);
    MembraneStretchDerivatives<S> r;
    r.bend[0] = S(2) * mu * e1 + pull;
    r.bend[1] = S(2) * mu * e2 + pull;
    r.gradient[0] = s1 * r.bend[0];
    r.gradient[1] = s2 * r.bend[1];
    r.hessian[0] = r.bend[0] + (S(2) * mu + lambda) * s1 * s1;
    r.hessian[1] = r.bend[1] + (S(2) * mu + lambda) * s2 * s2;
    r.hessian[2] = lambda * s1 * s2;
    r.flip = mu * (s1 * s1 + s1 * s2 + s2 * s2 - S(1)) + pull;
    r.twist = mu * (s1 * s1 - s1 * s2 + s2 * s2 - S(1)) + pull;
    return r;
  }

  template <class S>
  SINEW_HD static Mat32<S> projection(const Params<S>& p, const Mat32<S>& f, S weight) {
    return project_by_stretches<MembraneStVenantKirchhoff>(p, f, weight);
  }
};

}  // namespace sinew
