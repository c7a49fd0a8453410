// A soft bar held at one end falls from the horizontal and swings: 40 x 10 x 10 cells of 0.02 m, six Kuhn
// tetrahedra a cell, all cells alike; E = 1e6 Pa, nu = 0.45, 1,000 kg/m^3, h = 0.01 s, no damping.
#pragma once

#include <algorithm>
#include <vector>

#include <sinew/mesh_generation.hpp>
#include <sinew/simulation.hpp>

namespace sinew::test {

/// shift: along x [m], of bar and wall.
inline BodySpec soft_bar(MaterialKind kind, bool mirrored = false, double shift = 0.0) {
  BodySpec body;
  body.name = "bar";
  body.mesh = generate_mesh("bar", {{"size_x", 0.8},
                                    {"size_y", 0.2},
                                    {"size_z", 0.2},
                                    {"cells_x", 40},
                                    {"cells_y", 10},
                                    {"cells_z", 10},
                                    {"mirrored", mirrored ? 1 : 0}})
                  .mesh;
  body.transform.translation = {0.4 + shift, 0.0, 0.0};
  body.material = {kind, 1e6, 0.45, 0.0, 0.0};
  return body;
}

inline Simulation soft_bar_simulation(const BodySpec& body, const SimulationSettings& settings) {
  PinSpec pin;
  pin.name = "wall";
  pin.body = body.name;
  const double wall = body.transform.translation.x - 0.4;
  pin.region.shape = Region::HalfSpace{{wall + 1e-6, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  ModelBuilder builder;
  return Simulation(builder.add(body).add(pin).build(), settings);
}

inline double lowest(const std::vector<Vec3d>& x) {
  double low = x.at(0).z;
  for (const Vec3d& p : x) low = std::min(low, p.z);
  return low;
}

/// Height of the lowest vertex [m] over its height at the start, frame by frame.
inline std::vector<double> lowest_vertex(Simulation& simulation, int frames) {
  const double start = lowest(simulation.positions(0));
  std::vector<double> track;
  for (int n = 0; n < frames; ++n) {
    simulation.step();
    track.push_back(lowest(simulation.positions(0)) - start);
  }
  return track;
}

/// The same from IPC (Li et al. 2020) with its Neo-Hookean energy, at frames 25, 50, 75 and 100; its curve is
/// the implicit Euler solution to 1e-4 m (a tolerance 1,000 times tighter moves it by less).
inline constexpr int kIpcFrame[] = {25, 50, 75, 100};
inline constexpr double kIpcLowest[] = {-0.2262, -0.0847, -0.1282, -0.1722};

}  // namespace sinew::test
