// Search for the lattice cell that gives a wanted number of nodes.
#pragma once

#include <algorithm>
#include <cmath>

#include <sinew/mesh.hpp>

namespace sinew {

/// Calls build(cell, shift) -> TetMesh for a fixed sequence of cells and lattice positions until the number
/// of nodes is within 1 % of target, later within 3 %. first_cell: guess [m]. Empty mesh if no cell meets the
/// target.
template <class Build>
TetMesh search_cell(double target, double first_cell, const Build& build) {
  TetMesh best;
  double best_miss = 0.03;
  double cell = first_cell;
  for (int round = 0; round < 5; ++round) {
    // Another position of the lattice: few nodes come in jumps, which differ from place to place.
    const Vec3d shift = {0.13 * round, 0.29 * round, 0.41 * round};
    double too_small = 0.0, too_large = 0.0;  // cells with too many and too few nodes
    for (int i = 0; i < 12; ++i) {
      TetMesh mesh = build(cell, shift);
      const double count = std::max(1.0, static_cast<double>(mesh.nodes.size()));
      const double miss = std::abs(count / target - 1.0);
      if (miss <= best_miss) {
        best_miss = miss;
        best = std::move(mesh);
      }
      if (best_miss <= 0.01 || (best_miss < 0.03 && i >= 4)) return best;
      (count > target ? too_small : too_large) = cell;
      // Nodes grow a little slower than 1 / cell^3, since those on the surface grow as 1 / cell^2.
      double next = cell * std::clamp(std::pow(count / target, 1.0 / 2.7), 0.5, 2.0);
      const bool bracketed = too_small > 0.0 && too_large > 0.0 && too_small < too_large;
      if (bracketed && !(next > too_small && next < too_large)) next = std::sqrt(too_small * too_large);
      if (next == cell) break;
      cell = next;
    }
    if (best_miss < 0.03) return best;
  }
  return best;
}

}  // namespace sinew
