// Bodies and settings shared by the validation cases.
#pragma once

#include <cmath>
#include <vector>

#include <sinew/simulation.hpp>

#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

namespace sinew::test {

/// Block of 3 x 2 x 2 cells of edge cell, undamped.
inline BodySpec block_body(MaterialKind kind, double cell = 0.1) {
  BodySpec body;
  body.name = "block";
  body.mesh = block(3, 2, 2, cell);
  body.material = {kind, 1e5, 0.4, 0.0, 0.0};
  return body;
}

/// A point of the block stretched and sheared about the block's centre.
inline Vec3d deformed(const Vec3d& p, double size) {
  const Vec3d d = p - Vec3d{0.15, 0.1, 0.1};
  return p + size * Vec3d{d.x + 0.5 * d.y, -0.4 * d.y, 0.3 * d.x - 0.2 * d.z};
}

/// Iterates until nothing is left that arithmetic can see.
inline SimulationSettings converged(double tolerance = 1e-13) {
  SimulationSettings settings;
  settings.iterations = 500;
  settings.tolerance = tolerance;
  return settings;
}

/// Largest distance of two sets of nodes [m].
inline double farthest(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
  return most;
}

}  // namespace sinew::test
