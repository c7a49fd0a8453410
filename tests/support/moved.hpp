// Where a model's first body ends up, and how far two such ends are apart.
#pragma once

#include <algorithm>
#include <vector>

#include <sinew/simulation.hpp>

namespace sinew::test {

/// Positions [m] of the first body after so many frames.
inline std::vector<Vec3d> moved(const Model& model, const SimulationSettings& settings, int frames) {
  Simulation simulation(model, settings);
  for (int n = 0; n < frames; ++n) simulation.step();
  return simulation.positions(0);
}

/// Largest distance [m] of two places of one node.
inline double farthest(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
  return most;
}

}  // namespace sinew::test
