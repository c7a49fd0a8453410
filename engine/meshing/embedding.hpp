// A fine surface carried by whole lattice cells, each with the share of its volume that lies inside.
#pragma once

#include <functional>

#include "engine/meshing/lattice.hpp"

namespace sinew {

/// True inside. Called from several threads.
using InsideTest = std::function<bool(const Vec3d&)>;

/// Least inside_fraction. A cell that the surface merely grazes would otherwise give its outer node next to
/// no mass; with 0.05 no node is lighter than about 1/500 of an inner one.
inline constexpr double kLeastFraction = 0.05;

/// All lattice cells that touch the inside, with inside_fraction and the embedded surface.
struct Embedding {
  TetMesh mesh;
  double sampled_volume = 0.0;  ///< [m^3] inside, by sampling
  Index dropped_pieces = 0;     ///< separate pieces below 1 % of the largest
  double dropped_share = 0.0;   ///< their share of the volume
  Index pieces = 0;             ///< left
};

/// Nodes of all lattice cells that touch the inside, some of which embed_surface may leave out.
std::size_t count_touched_nodes(const BccLattice& lattice, const SurfaceMesh& surface,
                                const InsideTest& inside);

/// Cells of lattice that touch the inside. Points of the surface in a dropped piece are tied to the nearest
/// cell left (weights outside [0, 1]). The boundary of the mesh is a manifold. Empty mesh if nothing is
/// inside.
Embedding embed_surface(const BccLattice& lattice, const SurfaceMesh& surface, const InsideTest& inside);

/// Scales the fractions of partly filled cells by one factor, within [kLeastFraction, 1], to reach the volume
/// [m^3].
void match_volume(TetMesh& mesh, double volume);

/// Sum of inside_fraction times volume [m^3].
double filled_volume(const TetMesh& mesh);

}  // namespace sinew
