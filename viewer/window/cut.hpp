// The plane of the cut, and the box of what is shown.
#pragma once

#include <optional>

#include "viewer/live/live_frame.hpp"
#include "viewer/session/view_state.hpp"
#include "viewer/window/view_options.hpp"

namespace sinew::viewer {

/// Box around all visible bodies [m]; without any, that of the hidden ones.
struct Bounds {
  Vec3d min, max;
  double size() const;  ///< diagonal
};
Bounds body_bounds(const ViewState& state, const ViewOptions& options);

/// None where nothing is cut.
std::optional<CutPlane> cut_plane(const ViewState& state, const ViewOptions& options);

}  // namespace sinew::viewer
