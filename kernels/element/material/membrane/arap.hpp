// As-rigid-as-possible membrane: psi(F) = mu |F - R|^2, R the nearest 3 x 2 matrix with orthonormal columns.
// It knows no Poisson ratio: pulled one way it keeps its width.
#pragma once

#include "kernels/element/material/membrane/plane_stress.hpp"
#include "kernels/element/material/membrane/stretches.hpp"

namespace sinew {

struct MembraneArap {
  static constexpr const char* kName = "arap";
  template <class S>
  using Params = ElasticParameters<S>;  ///< lambda is not used

  /// psi(F) [J/m^3] and P = 2 mu (F - R) [Pa].
  template <class S, class T>
  SINEW_HD static T energy_and_stress(const Params<S>& p, const Mat32<T>& f, Mat32<T>& stress) {
    const Mat32<T> difference = f - membrane_rotation(f, membrane_invariants_of(f));
    stress = T(S(2) * p.shear_modulus) * difference;
    return p.shear_modulus * double_dot(difference, difference);
  }

  template <class S>
  SINEW_HD static MembraneStretchDerivatives<S> stretch_derivatives(const Params<S>& p, S s1, S s2) {
    return detail::corotated_stretches(p.shear_modulus, S(0), s1, s2);
  }

  template <class S>
  SINEW_HD static Mat32<S> projection(const Params<S>& p, const Mat32<S>& f, S weight) {
    return project_corotated_membrane(p.shear_modulus, S(0), f, weight);
  }
};

}  // namespace sinew
