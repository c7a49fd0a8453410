// The constant scalar system of a body of tetrahedra or triangles, with bending and springs as rows
// (elastic_rows.hpp),
//
//     A_s = (1 + h alpha) M + h^2 (1 + beta/h) (sum_e w V_e G_e^T G_e + sum_s w_s row_s^T row_s)
//
// (docs/method.md, section 2; docs/cloth.md),
// restricted to its free nodes. Linear in the size of the mesh; every entry is summed in the order of the
// elements, so that its bits depend on nothing else.
#pragma once

#include <array>
#include <vector>

#include <sinew/mesh.hpp>

#include "engine/model/model_data.hpp"
#include "engine/precompute/assemble_cloth.hpp"
#include "host/cholesky.hpp"

namespace sinew {

/// Stiffness w [Pa] that stands for a material in A_s; 2 mu is exact for ARAP (projective dynamics).
double rest_weight(const Material& material);

/// The same for a sheet; of plane stress, so with its smaller lambda.
double membrane_weight(const Material& material);

/// lambda of plane stress [Pa]: 2 lambda mu / (lambda + 2 mu), what is left of lambda where the thickness is
/// free to change.
double plane_stress_lame(const Material& material);

/// Square matrix of one element over its corners: entry (a, b), a >= b, at a (a + 1) / 2 + b.
using TetMatrix = std::array<double, 10>;

/// diagonal: {size}. index_of: {node_count}, row of a node, -1: none; ascending over the others, size of
/// them.
/// rows: further terms over the same row numbers, or null.
SymmetricMatrix assemble(const std::vector<Tet>& tets, const std::vector<TetMatrix>& element,
                         const std::vector<Index>& index_of, const std::vector<double>& diagonal,
                         const RowColumns* rows = nullptr);

/// A_s [kg] of a body for steps of h [s], user order without the nodes whose index_of is -1.
SymmetricMatrix assemble_system(const BodyData& body, const std::vector<Index>& index_of, Index size,
                                double h);

}  // namespace sinew
