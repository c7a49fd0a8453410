// Fixed corotated: psi(F) = mu |F - R|^2 + lambda/2 (J - 1)^2 (Stomakhin, Howes, Schroeder, Teran,
// "Energetically Consistent Invertible Elasticity", 2012). Keeps volume at large strain, finite and restoring
// when inverted.
#pragma once

#include "kernels/element/material/elastic_parameters.hpp"
#include "kernels/element/material/projection.hpp"
#include "kernels/element/material/stretches.hpp"
#include "kernels/element/small_matrix/polar.hpp"

namespace sinew {

struct FixedCorotated {
  static constexpr const char* kName = "fixed_corotated";
  template <class S>
  using Params = ElasticParameters<S>;

  /// P = 2 mu (F - R) + lambda (J - 1) cof F.
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat3<T>& f, Mat3<T>& stress) {
    const Mat3<T> difference = f - polar_rotation(f);
    const Mat3<T> c = cofactor(f);
    const T volumetric = dot(f.row(0), c.row(0)) - S(1);
    stress = T(S(2) * p.shear_modulus) * difference + (p.first_lame * volumetric) * c;
    return p.shear_modulus * double_dot(difference, difference) +
           (S(0.5) * p.first_lame) * (volumetric * volumetric);
  }

  template <class S>
  SINEW_HD static StretchDerivatives<S> stretch_derivatives(const Params<S>& p, const Vec3<S>& s) {
    InvariantDerivatives<S> d;
    d.j = p.first_lame * (s.x * s.y * s.z - S(1));
    d.jj = p.first_lame;
    StretchDerivatives<S> r = stretch_derivatives_of(d, s);
    add_rotation_distance(p.shear_modulus, s, r);
    return r;
  }

  template <class S>
  SINEW_HD static Mat3<S> projection(const Params<S>& p, const Mat3<S>& f, S weight) {
    return project_by_stretches<FixedCorotated>(p, f, weight);
  }
};

}  // namespace sinew
