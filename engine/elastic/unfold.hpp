// Elements that have collapsed to a line or a point.
//
// There most energies are stationary across the line: the stress P = F S has its rank. Neither a descent nor
// the true motion leaves such a state, however high its energy; any disturbance does. The disturbance is
// fixed here, so that the same input gives the same bits: the force towards the nearest rotation, as ARAP has
// it.
#pragma once

#include "engine/precompute/body_precompute.hpp"

namespace sinew {

/// Adds, for every tetrahedron whose F has at most one singular value above 1e-6 of max(1, |F|), the force
/// w V G^T (R(F) - F) [N] to its nodes, {node_count}; they sum to zero. True if there was one. Nothing for
/// materials that know R, which leave such a state by themselves.
bool unfolding_forces(const BodyPrecomputed& body, const Vec3d* position, Vec3d* force);

}  // namespace sinew
