// Starts without any shape: a random cloud of nodes, all nodes in one plane, on one line, in one point, and
// the mirror image.
#pragma once

#include <algorithm>
#include <string>

#include "tests/validation/bodies.hpp"

namespace sinew::test {

enum class Start { cloud, plane, line, point, mirror };
inline constexpr Start kStarts[] = {Start::cloud, Start::plane, Start::line, Start::point, Start::mirror};

inline std::string label(MaterialKind kind, Start start) {
  const char* names[] = {"cloud", "plane", "line", "point", "mirror"};
  return std::string(to_string(kind)) + ", " + names[static_cast<int>(start)];
}

inline std::vector<Vec3d> without_shape(const std::vector<Vec3d>& rest, Start start) {
  Random random(7);
  std::vector<Vec3d> x = rest;
  for (Vec3d& p : x) {
    if (start == Start::cloud) p = random.vector(0.2);
    if (start == Start::plane) p.z = 0.0;
    if (start == Start::line) p = {p.x, 0.0, 0.0};
    if (start == Start::point) p = {};
    if (start == Start::mirror) p.x = -p.x;
  }
  return x;
}

/// Largest change of a distance between two nodes [m]: 0 only for the rest shape and its mirror image.
inline double shape_deviation(const std::vector<Vec3d>& rest, const std::vector<Vec3d>& x) {
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      most = std::max(most, std::abs(norm(x[i] - x[j]) - norm(rest[i] - rest[j])));
  return most;
}

/// Damped by mass alone: damping by strain is enormous at such strains, and recovery a matter of patience.
inline Simulation block_without_shape(MaterialKind kind, int iterations, double tolerance) {
  BodySpec body = block_body(kind);
  body.material.rayleigh_alpha = 2.0;
  SimulationSettings settings;
  settings.iterations = iterations;
  settings.tolerance = tolerance;
  ModelBuilder builder;
  return Simulation(builder.gravity({}).add(body).build(), settings);
}

struct Recovery {
  double start_energy = 0.0, end_energy = 0.0;  ///< [J]
  double deviation = 0.0;                       ///< [m] of the shape
  double volume = 0.0;                          ///< [m^3] negative: the mirror image
};

inline Recovery recover(MaterialKind kind, Start start, int frames = 600) {
  Simulation simulation = block_without_shape(kind, 200, 1e-9);
  const std::vector<Vec3d> rest = simulation.positions(0);
  simulation.set_state(0, without_shape(rest, start), std::vector<Vec3d>(rest.size()));
  Recovery result;
  result.start_energy = simulation.statistics().energy.total();
  for (int n = 0; n < frames; ++n) simulation.step();
  result.end_energy = simulation.statistics().energy.total();
  result.deviation = shape_deviation(rest, simulation.positions(0));
  result.volume = simulation.volume(0);
  return result;
}

}  // namespace sinew::test
