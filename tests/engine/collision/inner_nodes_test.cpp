// Nodes inside solids: contacts where they came beyond what their surface stays before.
#include "tests/engine/collision/rig.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;
using test::Rig;

namespace {

BodySpec block(const std::string& name, const Vec3d& at) {
  BodySpec body;
  body.name = name;
  body.mesh = test::block(2, 2, 2, 0.05);  // 0.1 m, one node inside
  body.transform.translation = at;
  return body;
}

/// A flat quad of 2 m at z = 0; or, closed, a block 0.02 m thick below it.
MeshShape board(bool closed) {
  MeshShape shape;
  if (closed) {
    const TetMesh mesh = test::block(1, 1, 1, 1.0);
    for (const Vec3d& x : mesh.nodes)
      shape.mesh.points.push_back({2.0 * x.x - 1.0, 2.0 * x.y - 1.0, 0.02 * (x.z - 1.0)});
    shape.mesh.triangles = boundary_triangles(mesh);
  } else {
    shape.mesh.points = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    shape.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    shape.thickness = 1e-3;
  }
  return shape;
}

/// Moves the node inside body 0 at the end of the path.
void move_inner(Rig& rig, const Vec3d& by) {
  REQUIRE(rig.bodies[0]->inner.size() == 1);
  rig.end[0][rig.bodies[0]->inner[0].node[0]] += by;
}

std::vector<Contact> inner_contacts(Rig& rig) {
  std::vector<Contact> contacts;
  rig.scene->add_missed(rig.frame(), contacts);
  REQUIRE(contacts.empty());  // the surface is where it was
  rig.scene->add_inner(rig.frame(), contacts);
  return contacts;
}

}  // namespace

TEST_CASE("a node inside a block does not come through a board of triangles", "[collision]") {
  for (const bool closed : {true, false})
    for (const double fall : {0.1, 1.0, 30.0}) {
      INFO((closed ? "closed, " : "open, ") << fall << " m");
      ModelBuilder builder;
      builder.add(block("block", {-0.03, -0.02, 0.01}));
      builder.add({"board", board(closed), {}, {}, 0.5, {}});
      Rig rig(builder.build());
      CHECK(inner_contacts(rig).empty());
      move_inner(rig, {0.01, 0.0, -fall});
      const std::vector<Contact> contacts = inner_contacts(rig);
      REQUIRE(contacts.size() == 1);
      const Contact& c = contacts[0];
      CHECK(test::sound(c));
      CHECK(c.key.feature == ContactFeature::node_triangle);
      CHECK(c.key.feature_a == rig.bodies[0]->inner[0].surface_point);
      CHECK(c.frame.n.z == Approx(1.0));
      CHECK(rig.gap(c, rig.end) == Approx(0.06 - fall).margin(2e-3));
      CHECK(rig.gap(c, rig.start) > 0.0);
      std::vector<Contact> known = contacts;
      CHECK(rig.scene->add_inner(rig.frame(), known) == 0);
    }
}

TEST_CASE("a node inside a block does not come through another block", "[collision]") {
  ModelBuilder builder;
  builder.add(block("upper", {0.013, 0.007, 0.11})).add(block("lower", {0, 0, 0}));
  Rig rig(builder.build());
  move_inner(rig, {0, 0, -0.3});
  rig.shift(rig.end, 1, {0, 0, -0.02});
  const std::vector<Contact> contacts = inner_contacts(rig);
  REQUIRE(contacts.size() == 1);
  CHECK(test::sound(contacts[0]));
  CHECK(contacts[0].key.body == 0);
  CHECK(contacts[0].key.other_body == 1);
  CHECK(contacts[0].frame.n.z == Approx(1.0));
  CHECK(rig.gap(contacts[0], rig.end) == Approx(0.06 - 0.3 + 0.02).margin(1e-3));
}

TEST_CASE("a node inside a block does not come through analytic obstacles", "[collision]") {
  ModelBuilder builder;
  builder.add(block("block", {-0.05, -0.05, 0.01}));
  ObstacleSpec thin{"board", BoxShape{{1.0, 1.0, 0.01}}, {}, {}, 0.5, {}};
  thin.pose.translation = {0, 0, -0.01};
  builder.add(thin);
  Rig rig(builder.build());
  DetectSettings settings;
  settings.friction = &rig.friction;
  const auto found = [&] {
    std::vector<Contact> contacts;
    detect_inner_contacts(*rig.bodies[0], rig.obstacles, rig.start[0].data(), rig.end[0].data(), settings,
                          contacts);
    return contacts;
  };
  CHECK(found().empty());
  for (const double fall : {0.065, 0.5, 30.0}) {  // into it, and beyond
    INFO(fall << " m");
    rig.end = rig.start;
    move_inner(rig, {0, 0, -fall});
    const std::vector<Contact> contacts = found();
    REQUIRE(contacts.size() == 1);
    CHECK(test::sound(contacts[0]));
    CHECK(contacts[0].key.feature == ContactFeature::node_shape);
    CHECK(contacts[0].frame.n.z == Approx(1.0));
    CHECK(rig.gap(contacts[0], rig.end) == Approx(0.06 - fall).margin(1e-3));
  }
}
