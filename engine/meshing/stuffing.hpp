// Isosurface stuffing (Labelle & Shewchuk 2007): tetrahedra with bounded dihedral angles that fill {x : f(x)
// < 0}.
#pragma once

#include <functional>
#include <vector>

#include "engine/meshing/lattice.hpp"

namespace sinew {

/// Signed distance or any function of that sign [m]: negative inside, positive outside. Called from several
/// threads.
using DistanceFunction = std::function<double(const Vec3d&)>;

/// Where f changes sign between a (value fa) and b (value fb): share of the way from a, in [0, 1]. From
/// several threads.
using EdgeRoot = std::function<double(const Vec3d& a, double fa, const Vec3d& b, double fb)>;

/// Root of f along an edge by the Illinois variant of regula falsi.
EdgeRoot illinois_root(const DistanceFunction& f);

/// f at every lattice point.
std::vector<double> sample_on_lattice(const BccLattice& lattice, const DistanceFunction& f);

/// Tetrahedra of {f < 0}; dihedral angles are between 10.7 and 164.8 degrees whatever f is. No component
/// filter. values: f on the lattice, from sample_on_lattice.
TetMesh stuff_isosurface(const BccLattice& lattice, const std::vector<double>& values, const EdgeRoot& root);

}  // namespace sinew
