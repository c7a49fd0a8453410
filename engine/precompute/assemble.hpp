// The constant scalar system of a body of tetrahedra,
//
//     A_s = (1 + h alpha) M + h^2 (1 + beta/h) sum_e w V_e G_e^T G_e            (docs/method.md, section 2)
//
// restricted to its free nodes. Linear in the size of the mesh; every entry is summed in the order of the
// elements, so that its bits depend on nothing else.
#pragma once

#include <array>
#include <vector>

#include <sinew/mesh.hpp>

#include "engine/model/model_data.hpp"
#include "host/cholesky.hpp"

namespace sinew {

/// Stiffness w [Pa] that stands for a material in A_s; 2 mu is exact for ARAP (projective dynamics).
double rest_weight(const Material& material);

/// Square matrix of one element over its corners: entry (a, b), a >= b, at a (a + 1) / 2 + b.
using TetMatrix = std::array<double, 10>;

/// diagonal: {size}. index_of: {node_count}, row of a node, -1: none; ascending over the others, size of
/// them.
SymmetricMatrix assemble(const std::vector<Tet>& tets, const std::vector<TetMatrix>& element,
                         const std::vector<Index>& index_of, const std::vector<double>& diagonal);

/// A_s [kg] of a body for steps of h [s], user order without the nodes whose index_of is -1.
SymmetricMatrix assemble_system(const BodyData& body, const std::vector<Index>& index_of, Index size,
                                double h);

}  // namespace sinew
