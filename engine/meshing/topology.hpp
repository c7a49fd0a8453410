// Connectivity of tetrahedra: face neighbours, pieces, and a boundary that is a surface everywhere.
#pragma once

#include <vector>

#include <sinew/mesh.hpp>

namespace sinew {

/// Piece number of each tetrahedron (joined through faces), numbered by first appearance.
std::vector<Index> face_connected_pieces(const std::vector<Tet>& tets, Index& piece_count);

/// Keeps the tetrahedra whose flag is set, and the nodes that they use, in the old order.
void keep_tets(TetMesh& mesh, const std::vector<char>& keep);

/// Boundary nodes at which the boundary faces do not form one closed fan.
std::vector<Index> non_manifold_nodes(const TetMesh& mesh);

/// What clean_pieces did.
struct PieceReport {
  Index dropped = 0;           ///< pieces
  double dropped_share = 0.0;  ///< of the volume before
};

/// Keeps the largest face-connected piece and those with at least least_share of its volume.
PieceReport drop_small_pieces(TetMesh& mesh, double least_share);

/// Makes the boundary a manifold: nodes that join pieces only at a point are doubled, and where that is not
/// the cause, the smallest boundary tetrahedra are taken away. May leave small pieces.
void make_boundary_manifold(TetMesh& mesh);

}  // namespace sinew
