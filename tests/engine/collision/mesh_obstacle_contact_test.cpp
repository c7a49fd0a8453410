// Mesh obstacles: wires, points, closed solids; corners and edges of boxes.
#include <cmath>

#include "tests/engine/collision/rig.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;
using test::Rig;

namespace {

BodySpec cloth(Index n, double cell, double z) {
  BodySpec body = test::sheet_body("cloth", test::sheet(n, n, cell));
  body.sheet->thickness = 1e-3;
  body.transform.translation = {-0.5 * n * cell, -0.5 * n * cell, z};
  return body;
}

Model with(BodySpec body, ObstacleShape shape, Pose pose = {}) {
  ModelBuilder builder;
  builder.add(std::move(body));
  ObstacleSpec obstacle{"obstacle", std::move(shape), {}, {}, 0.5, {}};
  obstacle.pose = pose;
  builder.add(obstacle);
  return builder.build();
}

}  // namespace

TEST_CASE("a coarse cloth meets a wire, a single point, and the corner of a box", "[collision]") {
  MeshShape wire;
  wire.mesh.points = {{-0.2, 0.013, 0.0}, {0.2, 0.017, 0.0}};
  wire.edges = {{0, 1}};
  wire.thickness = 1e-3;
  MeshShape point;
  point.mesh.points = {{0.011, 0.017, 0.0}};
  point.points = {0};
  point.thickness = 1e-3;
  const double box = 0.05;
  Pose standing;  // on its corner
  standing.rotation = rotation_from_vector(std::acos(1.0 / std::sqrt(3.0)) * normalized(Vec3d{1, -1, 0}));
  standing.translation = {0.011, 0.017, -std::sqrt(3.0) * box};
  const std::vector<std::pair<ObstacleShape, Pose>> shapes = {
      {wire, {}}, {point, {}}, {BoxShape{{box, box, box}}, standing}};
  for (const auto& [shape, pose] : shapes) {
    for (const double fall : {2.3e-3, 2e-2, 20.0}) {
      INFO(shape.index() << " " << fall);
      Rig rig(with(cloth(2, 0.1, 2.5e-3), shape, pose));
      rig.shift(rig.end, 0, {0, 0, -fall});
      const auto contacts = rig.detect();
      REQUIRE(!contacts.empty());
      bool stops = false;
      for (const Contact& c : contacts) {
        CHECK(test::sound(c));
        CHECK(c.key.obstacle == 0);
        if (c.frame.n.z > 0.9 && rig.gap(c, rig.end) < 0.0) stops = true;
      }
      CHECK(stops);
    }
  }
}

TEST_CASE("a closed mesh obstacle pushes out what starts inside", "[collision]") {
  MeshShape box;
  box.mesh.points = test::block(1, 1, 1, 0.2).nodes;
  TetMesh mesh = test::block(1, 1, 1, 0.2);
  box.mesh.triangles = boundary_triangles(mesh);
  BodySpec body;
  body.name = "block";
  body.mesh = test::block(1, 1, 1, 0.05);
  body.transform.translation = {0.06, 0.07, 0.196};
  Rig rig(with(body, box));
  CHECK(rig.depth() == Approx(4e-3));
  rig.max_depenetration = 1e-3;
  int out = 0;
  for (const Contact& c : rig.detect()) {
    CHECK(test::sound(c));
    CHECK(c.frame.n.z == Approx(1.0));
    if (c.gap_offset < 0.0) {
      ++out;
      CHECK(rig.gap(c, rig.start) == Approx(-1e-3));
    }
  }
  CHECK(out >= 4);
  rig.shift(rig.end, 0, {0, 0, 5e-3});
  CHECK(rig.depth() == 0.0);
}

TEST_CASE("an open mesh obstacle pushes to the side where the body is", "[collision]") {
  MeshShape plate;
  plate.mesh = test::sheet(2, 2, 0.2);
  plate.thickness = 1e-3;
  for (const double side : {1.0, -1.0}) {
    BodySpec body;
    body.name = "block";
    body.mesh = test::block(1, 1, 1, 0.05);
    body.transform.translation = {0.11, 0.13, side > 0 ? 1.2e-3 : -0.05 - 1.2e-3};
    Rig rig(with(body, plate));
    rig.shift(rig.end, 0, {0, 0, -side * 0.4});
    int points = 0;
    for (const Contact& c : rig.detect()) {
      CHECK(c.frame.n.z == Approx(side));
      if (c.key.feature == ContactFeature::point_triangle && rig.gap(c, rig.end) < 0.0) ++points;
    }
    CHECK(points >= 8);  // its near and its far corners
  }
}
