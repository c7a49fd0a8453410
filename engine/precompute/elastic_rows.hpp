// The elements of a body that are squares of linear functions of the nodes: bending of sheets and springs,
//
//     E = 1/2 sum_s weight_s (|row_s x| - length_s)^2,
//
// length 0 for a sheet that is flat at rest (then E is quadratic), |row_s x0| for one that keeps the
// curvature of its mesh, and the rest length of a spring. What |row x| measures has no sign: a sheet with
// curved rest is as content bent to the other side.
#pragma once

#include "engine/model/model_data.hpp"
#include "engine/precompute/assemble_cloth.hpp"

namespace sinew {

/// [J]: what the sheet's bending was given, or E t^3 / (12 (1 - nu^2)).
double bending_stiffness(const BodySpec& spec);

/// Bending rows, then springs, nodes in user order; weights in N/m for springs, J/m^2 for bending.
SquaredRows elastic_rows(const BodyData& body);

/// In-plane rows of a sheet over its rest shape; weight: area times thickness [m^3]. Empty for tetrahedra.
SquaredRows membrane_rows(const BodyData& body);

/// The rows over other node numbers: index_of[node], terms with -1 dropped.
SquaredRows renumbered(const SquaredRows& rows, const std::vector<Index>& index_of);

}  // namespace sinew
