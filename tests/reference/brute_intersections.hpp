// Edges and triangles that cross, by trying all pairs: the twin of CollisionScene::count_intersections,
// written another way.
#pragma once

#include <cstddef>
#include <vector>

#include <sinew/mesh.hpp>

namespace sinew::test {

/// Pairs of an edge and a triangle of one surface that cross and share no point.
std::size_t brute_intersections(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles);

/// The same between two surfaces, either way round.
std::size_t brute_intersections(const std::vector<Vec3d>& a, const std::vector<Triangle>& triangles_a,
                                const std::vector<Vec3d>& b, const std::vector<Triangle>& triangles_b);

}  // namespace sinew::test
