// Stress and strain of elements, shared out to nodes: for pictures, not for computing.
#pragma once

#include <vector>

#include "engine/precompute/body_precompute.hpp"

namespace sinew {

/// {nodes, internal order}. Von Mises stress [Pa] of Cauchy's stress P F^T / J, P the material's own without
/// damping; of sheets that of the membrane, its thickness at rest. An element pressed below kLeastRatio of
/// its volume counts as of that volume. Nodes take the mean of their elements, weighted by rest volume. Call
/// inside Executor::run.
std::vector<double> von_mises_stress(const BodyPrecomputed& body, const Vec3d* position);

/// The same of the largest principal stretch less 1.
std::vector<double> principal_strain(const BodyPrecomputed& body, const Vec3d* position);

}  // namespace sinew
