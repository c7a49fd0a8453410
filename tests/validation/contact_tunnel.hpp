// Fast balls at a thin board.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <sinew/mesh_generation.hpp>

#include "tests/validation/contact_bodies.hpp"

namespace sinew::test {

inline constexpr double kBoardThickness = 0.02, kBoardHalf = 30.0;  // [m]

enum class Board {
  box,          ///< analytic
  closed_mesh,  ///< twelve triangles
  soft          ///< 0.3 x 0.3 m, 1e7 Pa, held at its rim
};

struct Shot {
  double speed = 10.0;        ///< [m/s]
  Vec3d direction{0, 0, -1};  ///< unit
  Vec3d target{};             ///< [m] on the board's upper face, where the centre heads to
  double distance = 0.3;      ///< [m] of the centre from the target at the start
  double young = 1e6;         ///< [Pa]
  Board board = Board::box;
};

struct ShotResult {
  bool finite = true;
  double lowest = 1e9;                 ///< [m] of the surface in all frames, above the board's upper face
  double lowest_inside = 1e9;          ///< [m] the same of all nodes
  double penetration = 0.0;            ///< [m] as reported, worst frame
  std::size_t last_intersections = 0;  ///< edges and triangles that cross at the end
  double rebound = 0.0;                ///< [m/s] of the centre along the normal, at the end
};

inline void add_board(ModelBuilder& builder, Board kind) {
  if (kind == Board::soft) {
    BodySpec body;
    body.name = "board";
    constexpr Index kCells = 12;
    body.mesh = block(kCells, kCells, 1, 0.025);
    for (Vec3d& p : body.mesh.nodes) p = {p.x - 0.15, p.y - 0.15, kBoardThickness * (p.z / 0.025 - 1.0)};
    body.material = {MaterialKind::stable_neo_hookean, 1e7, 0.3, 0.0, 0.001};
    PinSpec rim;
    rim.name = "rim";
    rim.body = "board";
    std::vector<Index> nodes;
    for (std::size_t i = 0; i < body.mesh.nodes.size(); ++i)
      if (std::max(std::abs(body.mesh.nodes[i].x), std::abs(body.mesh.nodes[i].y)) > 0.149)
        nodes.push_back(static_cast<Index>(i));
    rim.region.shape = Region::Nodes{nodes};
    builder.add(body).add(rim);
    return;
  }
  ObstacleSpec board;
  board.name = "board";
  if (kind == Board::box) {
    board.shape = BoxShape{{kBoardHalf, kBoardHalf, 0.5 * kBoardThickness}};
    board.pose.translation = {0.0, 0.0, -0.5 * kBoardThickness};
  } else {
    MeshShape shape;
    for (const double z : {-kBoardThickness, 0.0})
      for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
        shape.mesh.points.push_back({x * kBoardHalf, y * kBoardHalf, z});
    shape.mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}};
    for (Index i = 0; i < 4; ++i) {
      const Index j = (i + 1) % 4;
      shape.mesh.triangles.push_back({i, j, j + 4});
      shape.mesh.triangles.push_back({i, j + 4, i + 4});
    }
    board.shape = shape;
  }
  builder.add(board);
}

/// A ball of 0.1 m diameter shot at a board of 60 x 60 x 0.02 m; frames of 0.02 s.
inline ShotResult shoot(const Shot& shot, int frames = 25) {
  BodySpec body;
  body.name = "ball";
  body.mesh = generate_mesh("ball", {{"radius", 0.05}, {"vertices", 300.0}}).mesh;
  body.transform.translation = shot.target - shot.distance * shot.direction;
  body.material = {MaterialKind::stable_neo_hookean, shot.young, 0.45, 0.0, 0.001};
  body.velocity = shot.speed * shot.direction;
  SimulationSettings settings;
  settings.time_step = 0.02;
  ModelBuilder builder;
  builder.gravity({}).add(body);
  add_board(builder, shot.board);
  Simulation s(builder.build(), settings);
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
  result.last_intersections = s.count_intersections();
  result.rebound = centre_velocity(s, 0, mass).z;
  return result;
}

}  // namespace sinew::test
