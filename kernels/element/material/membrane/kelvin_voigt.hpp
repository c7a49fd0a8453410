// Kelvin-Voigt damping of triangles: kernels/element/material/kelvin_voigt.hpp in the plane, in the 2 x 2
// Green strain E = (F^T F - I)/2 of the 3 x 2 deformation gradient.
#pragma once

#include <sinew/base/mat32.hpp>

namespace sinew {

/// Symmetric 2 x 2.
template <class T>
struct PlaneStrain {
  T xx{}, xy{}, yy{};
};

template <class T>
SINEW_HD PlaneStrain<T> green_strain(const Mat32<T>& f) {
  const Vec3<T> a = f.column(0), b = f.column(1);
  return {T(0.5) * (dot(a, a) - T(1)), T(0.5) * dot(a, b), T(0.5) * (dot(b, b) - T(1))};
}

/// Adds the damping stress [Pa] to stress; returns psi_d [J/m^3]. viscosity_*: beta/h times mu and times the
/// lambda of plane stress [Pa].
template <class T>
SINEW_HD T add_kelvin_voigt(T viscosity_mu, T viscosity_lambda, const Mat32<T>& f,
                            const PlaneStrain<T>& start_strain, Mat32<T>& stress) {
  const PlaneStrain<T> now = green_strain(f);
  const T xx = now.xx - start_strain.xx, xy = now.xy - start_strain.xy, yy = now.yy - start_strain.yy;
  const T tr = xx + yy;
  Mat2<T> s;
  s(0, 0) = T(2) * viscosity_mu * xx + viscosity_lambda * tr;
  s(0, 1) = s(1, 0) = T(2) * viscosity_mu * xy;
  s(1, 1) = T(2) * viscosity_mu * yy + viscosity_lambda * tr;
  stress += f * s;
  return viscosity_mu * (xx * xx + T(2) * (xy * xy) + yy * yy) + T(0.5) * viscosity_lambda * tr * tr;
}

}  // namespace sinew
