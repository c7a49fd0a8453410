// Static deflection of a cantilever, 1 m x 0.1 m x 0.1 m, under a weight that Timoshenko's beam answers with
// 1 mm at the tip: small enough for linear theory.
#pragma once

#include <cmath>

#include <sinew/mesh_generation.hpp>
#include <sinew/simulation.hpp>

namespace sinew::test {

struct Cantilever {
  double poisson_ratio = 0.3;
  Index cells = 4;  ///< across the section, 10 times as many along the beam
  MaterialKind kind = MaterialKind::stable_neo_hookean;
  static constexpr double kLength = 1.0, kSide = 0.1, kYoung = 1e6, kDensity = 1000.0, kTarget = 1e-3;
};

/// Tip deflection [m] of Timoshenko's beam under q [N/m]: bending and shear, Cowper's (1966) shear factor of
/// the square. The root is clamped: no rotation of the section.
inline double timoshenko_tip(double poisson_ratio, double q) {
  using C = Cantilever;
  const double area = C::kSide * C::kSide, inertia = area * area / 12.0;
  const double shear_modulus = C::kYoung / (2.0 * (1.0 + poisson_ratio));
  const double factor = 10.0 * (1.0 + poisson_ratio) / (12.0 + 11.0 * poisson_ratio);
  return q * std::pow(C::kLength, 4) / (8.0 * C::kYoung * inertia) +
         q * C::kLength * C::kLength / (2.0 * factor * shear_modulus * area);
}

struct CantileverResult {
  std::size_t vertices = 0;
  double ratio = 0.0;   ///< tip deflection over Timoshenko's
  double change = 0.0;  ///< of the ratio in the last frame
};

/// Statics by long frames: with h = 3 s and velocities taken away after every frame, a frame leaves
/// 1/(1 + (omega h)^2) = 1/90 of the distance to the static shape (omega = 3.2 /s, the slowest mode).
inline CantileverResult static_deflection(const Cantilever& beam, int frames = 3) {
  using C = Cantilever;
  BodySpec body;
  body.name = "beam";
  body.mesh = generate_mesh("bar", {{"size_x", C::kLength},
                                    {"size_y", C::kSide},
                                    {"size_z", C::kSide},
                                    {"cells_x", 10.0 * beam.cells},
                                    {"cells_y", 1.0 * beam.cells},
                                    {"cells_z", 1.0 * beam.cells}})
                  .mesh;
  body.material = {beam.kind, C::kYoung, beam.poisson_ratio, 0.0, 0.0};
  body.density = C::kDensity;
  PinSpec pin;
  pin.name = "root";
  pin.body = "beam";
  pin.region.shape = Region::HalfSpace{{1e-6 - 0.5 * C::kLength, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  SimulationSettings settings;
  settings.time_step = 3.0;
  settings.iterations = 3000;
  settings.tolerance = 1e-8;
  settings.history = 20;
  ModelBuilder builder;
  const double unit = timoshenko_tip(beam.poisson_ratio, C::kDensity * C::kSide * C::kSide);
  const Vec3d gravity{0.0, 0.0, -C::kTarget / unit};
  Simulation simulation(builder.gravity(gravity).add(body).add(pin).build(), settings);
  const std::vector<Vec3d> start = simulation.positions(0);
  CantileverResult result;
  result.vertices = start.size();
  for (int n = 0; n < frames; ++n) {
    simulation.step();
    const std::vector<Vec3d> x = simulation.positions(0);
    double sum = 0.0, count = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (start[i].x > 0.5 * C::kLength - 1e-6) sum += start[i].z - x[i].z, count += 1.0;
    const double ratio = sum / count / C::kTarget;
    result.change = ratio - result.ratio;
    result.ratio = ratio;
    simulation.set_state(0, x, std::vector<Vec3d>(x.size()));
  }
  return result;
}

/// Order and limit of three values on grids refined by a factor each (Richardson).
struct Refinement {
  double order = 0.0, limit = 0.0;
};
inline Refinement refine(double coarse, double middle, double fine, double factor) {
  const double quotient = (middle - coarse) / (fine - middle);
  return {std::log(quotient) / std::log(factor), fine + (fine - middle) / (quotient - 1.0)};
}

}  // namespace sinew::test
