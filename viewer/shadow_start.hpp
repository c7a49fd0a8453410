// Where the key light can be hidden at all: most of a picture needs no look into its depth maps.
#pragma once

#include <array>
#include <vector>

#include "viewer/render_geometry.hpp"

namespace sinew::viewer {

inline constexpr int kShadowStartSide = 64;  ///< cells over [-1, 1] in x and in y

/// For each cell of the light's frame (x fastest), a depth above which nothing hides any part of the light:
/// with q = frame * position - shift and the light's disc of radius spread at distance 1, a caster at c may
/// hide it from a receiver at q only where hypot(q.x - c.x, q.y - c.y) <= spread (q.z - c.z). Errs to the low
/// side.
/// @param index_end the batch's indices before it are the casters.
std::vector<float> shadow_start(const TriangleBatch& batch, std::size_t index_end,
                                const std::array<float, 9>& frame, const std::array<float, 3>& shift,
                                float spread);

}  // namespace sinew::viewer
