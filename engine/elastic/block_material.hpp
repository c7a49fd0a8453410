// What the loops over elements need of a body's material.
#pragma once

#include "engine/elastic/local_kernels.hpp"
#include "engine/precompute/body_precompute.hpp"

namespace sinew {

/// h: time step [s], of the damping.
BlockMaterial<double> block_material(const BodyPrecomputed& body, double h);

}  // namespace sinew
