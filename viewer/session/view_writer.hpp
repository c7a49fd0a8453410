// From a simulation between two frames to what the window shows of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "viewer/session/live_simulation.hpp"
#include "viewer/session/view_state.hpp"

namespace sinew::viewer {

/// What the window wants to have besides.
struct Wants {
  bool nodes = false;
  std::optional<SurfaceQuantity> values;
};

std::shared_ptr<const SceneView> scene_view(const LiveSimulation& live, std::uint64_t generation);

/// Fills all but number and diverged.
void write_view(const LiveSimulation& live, std::shared_ptr<const SceneView> scene, const Wants& wants,
                ViewState& state);

/// Where a point of a body is [m], given the surface points of the body.
Vec3d place_of(const BodyPoint& point, const std::vector<Triangle>& triangles,
               const std::vector<Vec3d>& surface_points);

}  // namespace sinew::viewer
