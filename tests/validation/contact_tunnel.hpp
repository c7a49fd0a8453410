// Fast balls at a thin board.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <sinew/mesh_generation.hpp>

#include "tests/validation/contact_bodies.hpp"

namespace sinew::test {

inline constexpr double kBoardThickness = 0.02, kBoardHalf = 30.0;  // [m]

struct Shot {
  double speed = 10.0;        ///< [m/s]
  Vec3d direction{0, 0, -1};  ///< unit
  Vec3d target{};             ///< [m] on the board's upper face, where the centre heads to
  double distance = 0.3;      ///< [m] of the centre from the target at the start
  double young = 1e6;         ///< [Pa]
};

struct ShotResult {
  bool finite = true;
  double lowest = 1e9;         ///< [m] of the surface in all frames, above the board's upper face
  double lowest_inside = 1e9;  ///< [m] the same of all nodes: nodes inside have no contacts
  double penetration = 0.0;    ///< [m] as reported, worst frame
  double rebound = 0.0;        ///< [m/s] of the centre along the normal, at the end
};

/// A ball of 0.1 m diameter shot at a board of 60 x 60 x 0.02 m; frames of 0.02 s.
inline ShotResult shoot(const Shot& shot, int frames = 25) {
  BodySpec body;
  body.name = "ball";
  body.mesh = generate_mesh("ball", {{"radius", 0.05}, {"vertices", 300.0}}).mesh;
  body.transform.translation = shot.target - shot.distance * shot.direction;
  body.material = {MaterialKind::stable_neo_hookean, shot.young, 0.45, 0.0, 0.001};
  body.velocity = shot.speed * shot.direction;
  ObstacleSpec board;
  board.name = "board";
  board.shape = BoxShape{{kBoardHalf, kBoardHalf, 0.5 * kBoardThickness}};
  board.pose.translation = {0.0, 0.0, -0.5 * kBoardThickness};
  SimulationSettings settings;
  settings.time_step = 0.02;
  ModelBuilder builder;
  Simulation s(builder.gravity({}).add(body).add(board).build(), settings);
  const std::vector<double> mass = s.node_masses(0);
  ShotResult result;
  for (int n = 0; n < frames; ++n) {
    result.penetration = std::max(result.penetration, s.step().max_penetration_m);
    const Vec3d middle = centre(s, 0, mass);
    if (std::max(std::abs(middle.x), std::abs(middle.y)) > 0.9 * kBoardHalf) break;  // about to leave it
    const std::vector<Vec3d> x = s.positions(0);
    for (const Vec3d& each : x) {
      result.finite = result.finite && std::isfinite(norm(each));
      result.lowest_inside = std::min(result.lowest_inside, each.z);
    }
    for (const Triangle& t : s.model().surface_triangles(0))
      for (const Index i : t) result.lowest = std::min(result.lowest, x[i].z);
  }
  result.rebound = centre_velocity(s, 0, mass).z;
  return result;
}

}  // namespace sinew::test
