// A small scene to take into the hand: a cube of 0.1 m on a floor, beside it a box that can be moved.
#pragma once

#include <string>

#include "engine/scene/scene_text.hpp"

namespace sinew::test {

inline SceneText live_scene() {
  return {R"({
  "simulation": {"time_step": 0.01, "iterations": 5},
  "bodies": [{"name": "cube", "mesh": {"generate": "block", "size_x": 0.1, "size_y": 0.1, "size_z": 0.1,
              "cells_x": 3, "cells_y": 3, "cells_z": 3},
              "material": {"young_modulus": 1e5, "poisson_ratio": 0.4}, "density": 1000, "friction": 0.5,
              "transform": {"translate": [0.05, 0.05, 0.05]}}],
  "obstacles": [{"name": "floor", "shape": {"half_space": {}}},
                {"name": "pusher", "shape": {"box": {"size": [0.05, 0.05, 0.05]}}, "position": [0.3, 0.05, 0.05]}]
})",
          ".", "live.json"};
}

/// The point of a body nearest to (0.05, 0.05, 0.1): the middle of the cube's upper face.
inline BodyPoint on_top(const std::string& body) {
  BodyPoint point;
  point.body = body;
  point.nearest_to = Vec3d{0.05, 0.05, 0.1};
  return point;
}

}  // namespace sinew::test
