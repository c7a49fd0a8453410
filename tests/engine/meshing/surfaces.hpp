// Surfaces with known volumes for the tests.
#pragma once

#include <sinew/mesh.hpp>

namespace sinew {

/// Cube [0, size]^3 of 12 triangles, outward.
SurfaceMesh cube_surface(double size);

/// Sphere about the origin by latitude and longitude; open below the given latitude [rad], -pi/2 for a closed
/// one.
SurfaceMesh sphere_surface(double radius, int rings, int sectors, double lowest_latitude);

/// Torus about z with a wavy tube: 3-fold, thinnest 0.7 tube_radius.
SurfaceMesh wavy_torus_surface(double radius, double tube_radius, int around, int across);

/// Both in one surface.
SurfaceMesh joined(const SurfaceMesh& a, const SurfaceMesh& b, const Vec3d& b_offset);

}  // namespace sinew
