// Stiffness-proportional damping as a potential of one frame, in Green strain E = (F^T F - I)/2:
//   psi_d(F) = beta/h (mu |E - E_t|^2 + lambda/2 tr(E - E_t)^2),   E_t at the frame's start,
// so that P_d = F S with S = beta/h (2 mu (E - E_t) + lambda tr(E - E_t) I). At small strain this is
// Rayleigh's beta K. S is symmetric, so the damping force has no torque: angular momentum is kept exactly,
// and rigid motion is not damped at all. (Measuring with the lagged rotations of the two frames instead has a
// torque of second order in the strain rate.)
#pragma once

#include <sinew/base/mat3.hpp>

namespace sinew {

/// Green strain (F^T F - I)/2; symmetric.
template <class T>
SINEW_HD Mat3<T> green_strain(const Mat3<T>& f) {
  return T(0.5) * (transpose(f) * f - Mat3<T>::identity());
}

/// Adds the damping stress [Pa] to stress; returns psi_d [J/m^3]. viscosity_*: beta/h times mu, lambda [Pa].
template <class T>
SINEW_HD T add_kelvin_voigt(T viscosity_mu, T viscosity_lambda, const Mat3<T>& f, const Mat3<T>& start_strain,
                            Mat3<T>& stress) {
  const Mat3<T> change = green_strain(f) - start_strain;
  const T tr = trace(change);
  Mat3<T> s = (T(2) * viscosity_mu) * change;
  s(0, 0) += viscosity_lambda * tr;
  s(1, 1) += viscosity_lambda * tr;
  s(2, 2) += viscosity_lambda * tr;
  stress += f * s;
  return viscosity_mu * double_dot(change, change) + T(0.5) * viscosity_lambda * tr * tr;
}

}  // namespace sinew
