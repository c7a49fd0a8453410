// Search for the lattice cell that gives a wanted number of nodes.
#pragma once

#include <algorithm>
#include <cmath>

#include <sinew/base/vec3.hpp>

namespace sinew {

/// A lattice that meets the wanted number of nodes.
struct Resolution {
  double cell = 0.0;   ///< [m]; 0: none found
  Vec3d shift;         ///< position of the lattice, in cells
  double miss = 0.03;  ///< |nodes / target - 1|
};

/// Calls count(cell, shift), which gives a number of nodes, for a fixed sequence of cells and lattice
/// positions until it is within 1 % of target, later within 3 %. first_cell: guess [m].
template <class Count>
Resolution search_cell(double target, double first_cell, const Count& count) {
  Resolution best;
  double cell = first_cell;
  for (int round = 0; round < 5; ++round) {
    // Another position of the lattice: few nodes come in jumps, which differ from place to place.
    const Vec3d shift = {0.13 * round, 0.29 * round, 0.41 * round};
    double too_small = 0.0, too_large = 0.0;  // cells with too many and too few nodes
    for (int i = 0; i < 12; ++i) {
      const double nodes = std::max(1.0, static_cast<double>(count(cell, shift)));
      const double miss = std::abs(nodes / target - 1.0);
      if (miss <= best.miss) best = {cell, shift, miss};
      if (best.cell > 0.0 && (best.miss <= 0.01 || i >= 4)) return best;
      (nodes > target ? too_small : too_large) = cell;
      // Nodes grow a little slower than 1 / cell^3, since those on the surface grow as 1 / cell^2.
      double next = cell * std::clamp(std::pow(nodes / target, 1.0 / 2.7), 0.5, 2.0);
      const bool bracketed = too_small > 0.0 && too_large > 0.0 && too_small < too_large;
      if (bracketed && !(next > too_small && next < too_large)) next = std::sqrt(too_small * too_large);
      if (next == cell) break;
      cell = next;
    }
  }
  return best;
}

/// The same for build(cell, shift) -> mesh; the mesh, or an empty one.
template <class Build>
auto search_mesh(double target, double first_cell, const Build& build) {
  decltype(build(first_cell, Vec3d{})) mesh;
  double built = 0.0;
  const Resolution found = search_cell(target, first_cell, [&](double cell, const Vec3d& shift) {
    mesh = build(cell, shift);
    built = cell;
    return mesh.nodes.size();
  });
  if (found.cell == 0.0) return decltype(mesh){};
  if (found.cell != built) mesh = build(found.cell, found.shift);
  return mesh;
}

}  // namespace sinew
