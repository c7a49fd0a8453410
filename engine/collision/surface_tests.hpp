// Whole surfaces against each other: what lies inside, how deep, what crosses.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/collision/narrow_phase.hpp"

namespace sinew {

/// {points of a}: 1 where it starts inside b; empty: nowhere, or b has no inside, or is an analytic obstacle.
std::vector<char> points_inside(const PresentSurface& a, const PresentSurface& b);

/// Depth [m] of the deepest point of a inside b at the start, >= 0.
double deepest_point(const PresentSurface& a, const PresentSurface& b);

/// Pairs of edge and triangle that cross at the start, either way round; a and b may be the same: then pairs
/// that share a point do not count.
std::size_t crossings(const PresentSurface& a, const PresentSurface& b);

}  // namespace sinew
