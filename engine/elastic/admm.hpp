// ADMM with a scaled dual u per element (Overby, Brown, Li, Narain, "ADMM >= Projective Dynamics", 2017),
// exact for every material:
//
//   p = argmin_P w/2 |P - (F + u)|^2 + psi(P),    u <- u + F - p,    A q = M q~ + h^2 sum w V G^T (p - u).
//
// Written as a step from q it is d = -A^-1 (gradient of e with the stress P(F) replaced by w (F - p + u)), so
// that everything else (inertia, damping, bending, springs, contact) stays as in the quasi-Newton method.
// Its fixed point has F = p and w u = P(F). u starts a frame at P(F)/w, where p = F: the first step is that
// of plain quasi-Newton.
#pragma once

#include <vector>

#include "engine/precompute/body_precompute.hpp"

namespace sinew {

struct AdmmWorkspace {
  std::vector<Mat3d> dual;             ///< {tet_count} u [1]
  std::vector<Mat3d> corner_gradient;  ///< {tet_count}
  std::vector<Mat32d> sheet_dual;      ///< {triangle_count}
  std::vector<Mat32d> sheet_gradient;  ///< {triangle_count}
};

/// u := P(F)/w.
void begin_admm(const BodyPrecomputed& body, const Vec3d* position, AdmmWorkspace& workspace);

/// Updates p and u at the position; correction, {node_count} [N s^2]: what replaces the stress, to be added
/// to the gradient of e.
void sweep_admm(const BodyPrecomputed& body, double time_step, const Vec3d* position,
                AdmmWorkspace& workspace, Vec3d* correction);

}  // namespace sinew
