#include "benchmarks/peer_models.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include <sinew/mesh_generation.hpp>

#include "engine/meshing/structured.hpp"

namespace sinew::bench {

namespace {

constexpr double kDensity = 1000.0;  // [kg/m^3]

Material undamped(MaterialKind kind, double young, double poisson) {
  Material material;
  material.kind = kind;
  material.young_modulus = young;
  material.poisson_ratio = poisson;
  material.rayleigh_beta = 0.0;
  return material;
}

BodySpec solid(const char* name, TetMesh mesh, MaterialKind kind, double young) {
  BodySpec body;
  body.name = name;
  body.mesh = std::move(mesh);
  body.material = undamped(kind, young, 0.45);
  body.density = kDensity;
  return body;
}

template <class Chosen>
PinSpec pin_where(const BodySpec& body, const Chosen& chosen) {
  PinSpec pin;
  pin.name = "pin";
  pin.body = body.name;
  Region::Nodes nodes;
  for (std::size_t i = 0; i < body.nodes().size(); ++i)
    if (chosen(body.nodes()[i])) nodes.indices.push_back(static_cast<Index>(i));
  pin.region.shape = std::move(nodes);
  return pin;
}

}  // namespace

TetMesh make_five_tet_block(const std::array<Index, 3>& cells, double cell) {
  TetMesh mesh;
  for (Index k = 0; k <= cells[2]; ++k)
    for (Index j = 0; j <= cells[1]; ++j)
      for (Index i = 0; i <= cells[0]; ++i) mesh.nodes.push_back({i * cell, j * cell, k * cell});
  const auto add = [&](Tet tet) {
    if (tet_volume(mesh.nodes[tet[0]], mesh.nodes[tet[1]], mesh.nodes[tet[2]], mesh.nodes[tet[3]]) < 0.0)
      std::swap(tet[2], tet[3]);
    mesh.tets.push_back(tet);
  };
  for (Index k = 0; k < cells[2]; ++k) {
    for (Index j = 0; j < cells[1]; ++j) {
      for (Index i = 0; i < cells[0]; ++i) {
        // Corner number: bits x, y, z; mirrored along x in every other cell.
        const auto node = [&](int corner) {
          const Index x = (corner & 1) ^ ((i + j + k) & 1), y = (corner >> 1) & 1, z = corner >> 2;
          return ((k + z) * (cells[1] + 1) + j + y) * (cells[0] + 1) + i + x;
        };
        add({node(0), node(3), node(5), node(6)});
        for (const int outer : {1, 2, 4, 7})
          add({node(outer), node(outer ^ 1), node(outer ^ 2), node(outer ^ 4)});
      }
    }
  }
  return mesh;
}

Model pinned_bar(Index cells_along, MaterialKind kind) {
  constexpr double kCell = 0.02;
  const BodySpec bar =
      solid("bar", make_cuboid({cells_along * kCell, 10 * kCell, 10 * kCell}, {cells_along, 10, 10}, false),
            kind, 1e6);
  ModelBuilder builder;
  builder.add(bar).add(pin_where(bar, [](const Vec3d& x) { return x.x < 0.5 * kCell; }));
  return builder.build();
}

Model pinned_cloth(Index nodes_along) {
  constexpr double kThickness = 1e-3, kStretch = 100.0, kAreaDensity = 0.2;  // [m], [N/m], [kg/m^2]
  Sheet sheet;
  sheet.mesh = make_sheet(1.0, 1.0, {nodes_along - 1, nodes_along - 1});
  sheet.thickness = kThickness;
  sheet.area_density = kAreaDensity;
  BodySpec cloth;
  cloth.name = "cloth";
  cloth.sheet = std::move(sheet);
  cloth.material = undamped(MaterialKind::neo_hookean, kStretch / kThickness, 0.3);
  cloth.self_contact = false;
  ModelBuilder builder;
  builder.add(cloth).add(
      pin_where(cloth, [](const Vec3d& x) { return x.y > 1.0 - 1e-9 && (x.x < 1e-9 || x.x > 1.0 - 1e-9); }));
  return builder.build();
}

Model block_on_slope(double friction, double young) {
  const Mat3d turn = rotation_from_vector(Vec3d{0.0, kSlopeDegrees * std::numbers::pi / 180.0, 0.0});
  BodySpec block = solid("block", make_five_tet_block({4, 4, 4}, 0.05), MaterialKind::neo_hookean, young);
  block.transform.rotation = turn;
  block.friction = friction;
  ObstacleSpec slope;
  slope.name = "slope";
  slope.shape = HalfSpaceShape{};
  slope.pose.rotation = turn;
  slope.friction = friction;
  ModelBuilder builder;
  return builder.add(block).add(slope).build();
}

Model ball_on_rollers(Index vertices) {
  constexpr double kRadius = 0.25, kHalfDistance = 0.33, kLength = 0.8, kSpeed = 1.0, kFriction = 0.5;
  BodySpec ball = solid(
      "ball", generate_mesh("ball", {{"radius", kRadius}, {"vertices", static_cast<double>(vertices)}}).mesh,
      MaterialKind::neo_hookean, 1e6);
  const double height = std::sqrt(4.0 * kRadius * kRadius - kHalfDistance * kHalfDistance);
  ball.transform.translation = {0.0, 0.0, height};
  ball.friction = kFriction;
  ModelBuilder builder;
  builder.add(ball);
  for (const double side : {-1.0, 1.0}) {
    ObstacleSpec roller;
    roller.name = side < 0.0 ? "left roller" : "right roller";
    roller.shape = CylinderShape{kRadius, 0.5 * kLength};
    roller.pose.rotation = rotation_from_vector(Vec3d{-0.5 * std::numbers::pi, 0.0, 0.0});
    roller.pose.translation = {side * kHalfDistance, 0.0, 0.0};
    // About +y the top of a roller moves towards +x: the left one turns so, the right one against it.
    roller.motion.spin = {0.0, -side * kSpeed, 0.0};
    roller.friction = kFriction;
    builder.add(roller);
  }
  return builder.build();
}

}  // namespace sinew::bench
