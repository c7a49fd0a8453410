// The problems that other programs were measured on: bars A5 and A11, cloth B, block on a slope C, ball on
// rollers D. All bodies of 1000 kg/m^3, E = 1e6 Pa, nu = 0.45, without damping, where nothing else is said.
#pragma once

#include <array>

#include <sinew/mesh.hpp>
#include <sinew/model.hpp>

namespace sinew::bench {

/// Cuboid of cells[k] cubes of edge `cell` [m] along axis k, lowest corner at the origin: five tetrahedra per
/// cube, one in the middle, mirrored from cube to cube.
TetMesh make_five_tet_block(const std::array<Index, 3>& cells, double cell);

/// A: bar along x of cells_along x 10 x 10 cubes of 0.02 m, six Kuhn tetrahedra each with parallel diagonals,
/// at rest, its face x = 0 pinned. Lowest vertex at z = 0.
Model pinned_bar(Index cells_along, MaterialKind kind);

/// B: square of 1 m in the plane z = 0 with nodes_along^2 nodes, 0.2 kg/m^2, E t = 100 N/m (t 1 mm, nu 0.3),
/// two corners of one side pinned.
Model pinned_cloth(Index nodes_along);

/// C: block of 4 x 4 x 4 cubes of 0.05 m, five tetrahedra each, on a plane of 10 degrees that falls towards
/// +x, not yet deformed. young: [Pa].
Model block_on_slope(double friction, double young);
inline constexpr double kSlopeDegrees = 10.0;

/// D: ball of radius 0.25 m in contact with two rollers of the same radius below it, axes along y 0.66 m
/// apart, which turn inwards at 1 rad/s, mu = 0.5.
Model ball_on_rollers(Index vertices);

}  // namespace sinew::bench
