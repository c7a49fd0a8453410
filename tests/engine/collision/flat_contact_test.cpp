// A point above a flat tessellated plate has one contact with the plate's normal, wherever it is and however
// it slides: inner edges of the plate push nobody.
#include <cmath>

#include "tests/engine/collision/rig.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;
using test::Rig;

namespace {

/// Tetrahedron that stands on its tip.
BodySpec tip(const Vec3d& at) {
  BodySpec body;
  body.name = "tip";
  body.mesh.nodes = {{0, 0, 0}, {0.03, 0, 0.1}, {-0.02, 0.03, 0.1}, {-0.02, -0.03, 0.1}};
  body.mesh.tets = {{0, 1, 2, 3}};
  if (tet_volume(body.mesh.nodes[0], body.mesh.nodes[1], body.mesh.nodes[2], body.mesh.nodes[3]) < 0)
    std::swap(body.mesh.tets[0][2], body.mesh.tets[0][3]);
  body.transform.translation = at;
  return body;
}

}  // namespace

TEST_CASE("a point on a flat plate has one contact, the plate's normal", "[collision]") {
  const bool mesh_plate = GENERATE(false, true);
  ModelBuilder builder;
  builder.add(tip({0.0, 0.0, 0.002}));
  double thickness = 0.0;
  if (mesh_plate) {
    MeshShape shape;
    shape.mesh = test::sheet(8, 8, 0.05);
    for (Vec3d& x : shape.mesh.points) x -= Vec3d{0.2, 0.2, 0.0};
    shape.thickness = 1e-3;
    builder.add(ObstacleSpec{"plate", shape, {}, {}, 0.5, {}});
    thickness = 1e-3;
  } else {
    BodySpec plate = test::sheet_body("plate", test::sheet(8, 8, 0.05));
    plate.sheet->thickness = 2e-3;
    plate.transform.translation = {-0.2, -0.2, 0.0};
    builder.add(plate);
    thickness = 1e-3;
  }
  Rig rig(builder.build());
  thickness += rig.model.data().bodies[0].contact_thickness;
  rig.margin = 2e-3;
  test::Random random(31);
  const auto start = rig.start;
  for (int n = 0; n < 200; ++n) {
    rig.start = rig.end = start;
    // On faces, above edges and above corners of the grid; sliding a little, far, and through.
    Vec3d at{random.uniform(-0.12, 0.12), random.uniform(-0.12, 0.12), 0.0};
    if (n % 4 == 1) at.x = 0.05;
    if (n % 4 == 2) at = {0.05, -0.05, 0.0};
    Vec3d slide{random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), 0.0};
    if (n % 3 == 1) slide *= 3.0;
    if (n % 3 == 2) slide.z = -0.004;
    rig.shift(rig.start, 0, at);
    rig.shift(rig.end, 0, at + slide);
    if (mesh_plate) {  // the plate moves sideways as well
      rig.obstacles[0].start.translation = {0.013, 0.0, 0.0};
      rig.obstacles[0].end.translation = {-0.017, 0.004, 0.0};
    }
    const auto contacts = rig.detect();
    INFO(n);
    for (const Contact& k : contacts)
      UNSCOPED_INFO(int(k.key.feature)
                    << " a " << k.key.feature_a << " b " << k.key.feature_b << " n " << k.frame.n.x << " "
                    << k.frame.n.y << " " << k.frame.n.z << " gap " << rig.gap(k, rig.start) << " "
                    << rig.gap(k, rig.end) << " start " << k.start.x << " " << k.start.y << " " << k.start.z
                    << " slide " << slide.x << " " << slide.y);
    REQUIRE(contacts.size() == 1);
    const Contact& c = contacts.front();
    CHECK(test::sound(c));
    CHECK(c.key.body == 0);
    CHECK(c.key.feature == ContactFeature::point_triangle);
    CHECK(c.key.feature_a == 0);
    CHECK(c.frame.n.z == Approx(1.0));
    CHECK(rig.gap(c, rig.start) + c.gap_offset == Approx(0.002 - thickness).margin(1e-9));
    CHECK(rig.gap(c, rig.end) + c.gap_offset == Approx(0.002 + slide.z - thickness).margin(1e-9));
    if (mesh_plate) {
      CHECK(c.obstacle_displacement.x == Approx(-0.03));
      CHECK(c.obstacle_displacement.y == Approx(0.004));
    }
  }
}

TEST_CASE("a block on a flat plate has contacts of one normal only", "[collision]") {
  ModelBuilder builder;
  BodySpec block;
  block.name = "block";
  block.mesh = test::block(3, 3, 1, 0.037);
  block.transform.translation = {-0.05, -0.06, 1e-3};
  builder.add(block);
  MeshShape shape;
  shape.mesh = test::sheet(8, 8, 0.05);
  for (Vec3d& x : shape.mesh.points) x -= Vec3d{0.2, 0.2, 0.0};
  shape.thickness = 1e-3;
  builder.add(ObstacleSpec{"plate", shape, {}, {}, 0.5, {}});
  Rig rig(builder.build());
  rig.shift(rig.end, 0, {0.002, 0.001, -0.0005});
  const auto contacts = rig.detect();
  int points = 0;
  for (const Contact& c : contacts) {
    CHECK(test::sound(c));
    CHECK(c.frame.n.z == Approx(1.0));
    if (c.key.feature == ContactFeature::point_triangle) ++points;
    if (c.key.feature == ContactFeature::edge_edge) FAIL("flat inner edges meet nobody");
  }
  CHECK(points == 16);
}
