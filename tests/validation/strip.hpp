// Sheets under their own weight: hung from one side, and clamped like a cantilever that bends far.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include <sinew/simulation.hpp>

namespace sinew::test {

/// Steps until the body is at rest: long frames of implicit Euler with mass damping.
inline std::vector<Vec3d> settled(Simulation& simulation, int frames, double* change = nullptr) {
  std::vector<Vec3d> x = simulation.positions(0), before;
  for (int n = 0; n < frames; ++n) {
    before = x;
    simulation.step();
    x = simulation.positions(0);
  }
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, norm(x[i] - before[i]));
  if (change) *change = most;
  return x;
}

// ---------------------------------------------------------------- clamped strip against the elastica

/// Strip of free length L that bends under its own weight, clamped in the horizontal. The load number
/// rho_A g L^3 / D decides alone; 10 takes the tip 0.63 L down.
struct Strip {
  static constexpr double kLength = 0.1, kAreaDensity = 0.2, kGravity = 9.81, kLoad = 10.0;
  /// [J]: bending stiffness per width; a beam of E I = D per width where Poisson's ratio is 0.
  static constexpr double kStiffness = kAreaDensity * kGravity * kLength * kLength * kLength / kLoad;
};

/// Tip of the elastica: D theta'' = -rho_A g (L - s) cos theta, theta(0) = 0, theta'(L) = 0, by shooting for
/// theta'(0) with Runge and Kutta's fourth order. {along, down} in units of L.
inline std::array<double, 2> elastica_tip(double load, int steps = 2000) {
  std::array<double, 2> tip{};
  const auto end_curvature = [&](double start) {
    double angle = 0.0, curvature = start;
    tip = {0.0, 0.0};
    const double ds = 1.0 / steps;
    const auto slope = [&](double s, double a) { return -load * (1.0 - s) * std::cos(a); };
    for (int n = 0; n < steps; ++n) {
      const double s = n * ds;
      const double a1 = curvature, c1 = slope(s, angle);
      const double a2 = curvature + 0.5 * ds * c1, c2 = slope(s + 0.5 * ds, angle + 0.5 * ds * a1);
      const double a3 = curvature + 0.5 * ds * c2, c3 = slope(s + 0.5 * ds, angle + 0.5 * ds * a2);
      const double a4 = curvature + ds * c3, c4 = slope(s + ds, angle + ds * a3);
      const double next = angle + ds / 6.0 * (a1 + 2 * a2 + 2 * a3 + a4);
      const double m1 = angle + 0.5 * ds * a1, m2 = angle + 0.5 * ds * a2, m3 = angle + ds * a3;
      tip[0] += ds / 6.0 * (std::cos(angle) + 2.0 * std::cos(m1) + 2.0 * std::cos(m2) + std::cos(m3));
      tip[1] += ds / 6.0 * (std::sin(angle) + 2.0 * std::sin(m1) + 2.0 * std::sin(m2) + std::sin(m3));
      curvature += ds / 6.0 * (c1 + 2 * c2 + 2 * c3 + c4);
      angle = next;
    }
    return curvature;
  };
  double low = 0.0, high = load;  // of theta'(0): too little bends back at the end, too much goes on
  for (int n = 0; n < 80; ++n) {
    const double middle = 0.5 * (low + high);
    (end_curvature(middle) < 0.0 ? low : high) = middle;
  }
  return tip;
}

struct StripResult {
  double along = 0.0, down = 0.0;  ///< of the middle of the free end, in units of L
  double change = 0.0;             ///< [L] in the last frame
};

/// cells along the free length. A hinge between two columns of cells stands for the curvature half a cell to
/// both sides, so the clamp begins in the middle of a cell: columns at -d/2 and d/2 are held.
inline StripResult bent_strip(Index cells, Index across, BendingModel model, int frames = 100,
                              double young = 1e6, double gravity = Strip::kGravity) {
  using S = Strip;
  const double d = S::kLength / cells;
  BodySpec body;
  body.name = "strip";
  body.sheet.emplace();
  Sheet& sheet = *body.sheet;
  // Columns at -d/2, d/2, 3d/2, ..., L: the last cell is half as long, so that the end lies at L.
  std::vector<double> column{-0.5 * d};
  for (Index i = 0; i < cells; ++i) column.push_back((i + 0.5) * d);  // the last one at L - d/2
  column.push_back(S::kLength);
  const Index nx = static_cast<Index>(column.size());
  for (Index j = 0; j <= across; ++j)
    for (Index i = 0; i < nx; ++i) sheet.mesh.points.push_back({column[i], j * d, 0.0});
  for (Index j = 0; j < across; ++j)
    for (Index i = 0; i + 1 < nx; ++i) {
      const Index a = j * nx + i, b = a + 1, c = b + nx, e = a + nx;
      if ((i + j) % 2 == 0)
        sheet.mesh.triangles.insert(sheet.mesh.triangles.end(), {{a, b, c}, {a, c, e}});
      else
        sheet.mesh.triangles.insert(sheet.mesh.triangles.end(), {{a, b, e}, {b, c, e}});
    }
  sheet.thickness = 1e-3;
  sheet.area_density = S::kAreaDensity;
  sheet.bending.model = model;
  sheet.bending.stiffness = S::kStiffness;
  body.material = {MaterialKind::arap, young, 0.0, 10.0, 0.0};
  PinSpec pin;
  pin.name = "clamp";
  pin.body = "strip";
  pin.region.shape = Region::HalfSpace{{0.51 * d, 0.0, 0.0}, {1.0, 0.0, 0.0}};
  SimulationSettings settings;
  settings.time_step = 0.02;
  settings.iterations = 2000;
  settings.tolerance = 1e-7;
  settings.history = 20;
  ModelBuilder builder;
  Simulation simulation(builder.gravity({0.0, 0.0, -gravity}).add(body).add(pin).build(), settings);
  StripResult result;
  const std::vector<Vec3d> x = settled(simulation, frames, &result.change);
  result.change /= S::kLength;
  for (Index j = 0; j <= across; ++j) {
    const Vec3d& p = x[j * nx + nx - 1];
    result.along += p.x / S::kLength / (across + 1);
    result.down -= p.z / S::kLength / (across + 1);
  }
  return result;
}

}  // namespace sinew::test
