// What every tetrahedral mesh must hold, written without the code under test.
#pragma once

#include <sinew/mesh.hpp>

namespace sinew {

struct DihedralRange {
  double least = 180.0, largest = 0.0;  ///< [degree]
};
DihedralRange dihedral_range(const TetMesh& mesh);

/// Sum of inside_fraction times volume [m^3].
double total_volume(const TetMesh& mesh);

/// REQUIREs: indices in range, positive volumes, every face used once or twice and from opposite sides,
/// boundary edges shared by two faces in opposite directions, boundary nodes with one fan, one piece, every
/// node used.
void require_sound(const TetMesh& mesh);

/// FNV-1a over all numbers of the mesh.
unsigned long long hash_of(const TetMesh& mesh);

}  // namespace sinew
