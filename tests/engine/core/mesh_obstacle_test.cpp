// What the model takes of mesh obstacles, contact thickness and friction pairs.
#include <sinew/errors.hpp>
#include <sinew/model.hpp>

#include <functional>
#include <limits>

#include "engine/model/model_data.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/small_model.hpp"

using namespace sinew;

namespace {

/// Surface of a unit cube, as an obstacle.
ObstacleSpec solid() {
  ObstacleSpec obstacle;
  obstacle.name = "solid";
  const TetMesh mesh = test::block(1, 1, 1, 1.0);
  obstacle.shape = MeshShape{{mesh.nodes, boundary_triangles(mesh)}, {}, {}, 0.0};
  obstacle.pose.translation = {0.0, 0.0, -5.0};
  return obstacle;
}

MeshShape& mesh_of(ObstacleSpec& obstacle) {
  return std::get<MeshShape>(obstacle.shape);
}

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string obstacle_message(const std::function<void(MeshShape&)>& spoil) {
  ObstacleSpec obstacle = solid();
  spoil(mesh_of(obstacle));
  return message([&] { ModelBuilder().add(obstacle); });
}

void expect(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}

Model model_with(const ObstacleSpec& obstacle, const BodySpec& body = test::cube("soft", {0, 0, 0})) {
  return ModelBuilder().add(body).add(obstacle).build();
}

double thickness_of(const ObstacleSpec& obstacle) {
  return std::get<MeshShape>(model_with(obstacle).obstacle(0).shape).thickness;
}

/// Two cubes "soft" and "stiff", obstacles "floor" and "solid", and friction pairs.
std::string pair_message(const std::vector<FrictionPair>& pairs) {
  ModelBuilder builder;
  builder.add(test::cube("soft", {0, 0, 0})).add(test::cube("stiff", {1, 0, 0}));
  builder.add(ObstacleSpec{"floor", HalfSpaceShape{}, {}, {}, 0.5, {}}).add(solid());
  for (const FrictionPair& pair : pairs) builder.add(pair);
  return message([&] { builder.build(); });
}

}  // namespace

TEST_CASE("faulty mesh obstacles are named with what to do") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect(obstacle_message([](MeshShape& s) { s = {}; }), "obstacle 'solid': its mesh is empty");
  expect(obstacle_message([](MeshShape& s) { s.mesh.triangles[2][1] = 8; }),
         "triangle 2 names point 8, there are 8; mend it with 'sinew mesh repair'");
  expect(obstacle_message([](MeshShape& s) { s.mesh.triangles[0][0] = -1; }), "names point -1");
  expect(obstacle_message([&](MeshShape& s) { s.mesh.points[3].y = nan; }), "point 3 is not finite");
  expect(obstacle_message([](MeshShape& s) { s.mesh.points[0] = s.mesh.points[1]; }),
         "is flattened to a line or a point");
  expect(obstacle_message([](MeshShape& s) { s.edges = {{0, 9}}; }), "edge 0 names point 9, there are 8");
  expect(obstacle_message([](MeshShape& s) {
           s.edges = {{0, 1}, {2, 2}};
         }),
         "edge 1 has both ends at one place");
  expect(obstacle_message([](MeshShape& s) { s.points = {8}; }), "entry 0 of points names point 8");
  expect(obstacle_message([&](MeshShape& s) { s.thickness = nan; }), "thickness is not finite");
  CHECK(obstacle_message([](MeshShape&) {}) == "");
}

TEST_CASE("open meshes get a thickness, closed ones need none") {
  ObstacleSpec obstacle = solid();
  CHECK(thickness_of(obstacle) == 0.0);
  mesh_of(obstacle).thickness = 0.02;
  CHECK(thickness_of(obstacle) == 0.02);
  mesh_of(obstacle).thickness = -1.0;
  CHECK(thickness_of(obstacle) == 0.0);
  const double open = MeshShape::kOpenThickness * std::sqrt(3.0);  // of the unit cube's diagonal
  mesh_of(obstacle).points = {7};
  CHECK(thickness_of(obstacle) == Approx(open));
  mesh_of(obstacle).points.clear();
  mesh_of(obstacle).mesh.triangles.pop_back();
  CHECK(thickness_of(obstacle) == Approx(open));
  mesh_of(obstacle).mesh.triangles.clear();
  mesh_of(obstacle).edges = {{0, 7}};
  CHECK(thickness_of(obstacle) == Approx(open));
}

TEST_CASE("a closed mesh that faces inwards is turned, with a warning") {
  ObstacleSpec obstacle = solid();
  CHECK(model_with(obstacle).warnings().empty());
  for (Triangle& t : mesh_of(obstacle).mesh.triangles) std::swap(t[0], t[1]);
  const Model model = model_with(obstacle);
  REQUIRE(model.warnings().size() == 1);
  expect(model.warnings()[0], "obstacle 'solid': its closed mesh faced inwards");
  const SurfaceMesh& mesh = std::get<MeshShape>(model.obstacle(0).shape).mesh;
  CHECK(enclosed_volume(mesh.points, mesh.triangles) == Approx(1.0));
}

TEST_CASE("a body that starts inside a closed mesh is told of") {
  ObstacleSpec obstacle = solid();
  obstacle.pose.translation = {-0.5, -0.5, -0.5};  // around the cube of 0.1 m
  Model model = model_with(obstacle);
  REQUIRE(model.warnings().size() == 1);
  expect(model.warnings()[0], "body 'soft' starts with 100 % of its points inside obstacle 'solid'");
  obstacle.pose.translation = {0.05, -0.5, -0.5};  // half of it
  expect(model_with(obstacle).warnings().at(0), "starts with 50 % of its points");
  obstacle.pose.translation = {0.1001, -0.5, -0.5};
  CHECK(model_with(obstacle).warnings().empty());
  obstacle.pose.translation = {-0.5, -0.5, -0.5};
  mesh_of(obstacle).mesh.triangles.pop_back();  // open: bodies may be inside
  CHECK(model_with(obstacle).warnings().empty());
}

TEST_CASE("closed means two triangles at every edge, against each other") {
  std::vector<Triangle> triangles = boundary_triangles(test::block(2, 1, 1, 0.5));
  CHECK(is_closed(triangles));
  CHECK_FALSE(is_closed({}));
  std::vector<Triangle> turned = triangles;
  std::swap(turned[3][0], turned[3][1]);
  CHECK_FALSE(is_closed(turned));
  std::vector<Triangle> doubled = triangles;
  doubled.insert(doubled.end(), triangles.begin(), triangles.end());
  CHECK_FALSE(is_closed(doubled));
  triangles.pop_back();
  CHECK_FALSE(is_closed(triangles));
}

TEST_CASE("contact thickness and self-contact have defaults per kind of body") {
  BodySpec body = test::cube("soft", {0, 0, 0});
  const auto data = [&] { return model_with(solid(), body).data().bodies[0]; };
  CHECK(data().contact_thickness == Approx(BodySpec::kSolidThickness * 0.1 * std::sqrt(3.0)));
  CHECK(data().shape_thickness == 0.0);
  CHECK_FALSE(data().self_contact);
  body.contact_thickness = 0.003;
  body.self_contact = true;
  CHECK(data().contact_thickness == 0.003);
  CHECK(data().shape_thickness == 0.003);
  CHECK(data().self_contact);
  body.contact_thickness = -0.1;
  expect(message([&] { data(); }), "contact_thickness is -0.1, must be >= 0 m");

  BodySpec cloth;
  cloth.name = "cloth";
  cloth.material.kind = MaterialKind::neo_hookean;
  cloth.sheet.emplace();
  cloth.sheet->mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  cloth.sheet->thickness = 0.004;
  const Model model = model_with(solid(), cloth);
  CHECK(model.data().bodies[0].contact_thickness == 0.002);
  CHECK(model.data().bodies[0].shape_thickness == 0.002);
  CHECK(model.data().bodies[0].self_contact);
}

TEST_CASE("friction pairs are found by name in any order") {
  ModelBuilder builder;
  builder.add(test::cube("soft", {0, 0, 0})).add(test::cube("stiff", {1, 0, 0})).add(solid());
  builder.add(FrictionPair{"solid", "stiff", 0.25}).add(FrictionPair{"stiff", "soft", 0.125});
  const Model model = builder.build();
  FrictionTable table{{0.5, 0.5}, {0.5}, model.data().friction_pairs};
  CHECK(table.between(1, -1, 0) == 0.25);
  CHECK(table.between(0, -1, 0) == 0.5);
  CHECK(table.between(0, 1, -1) == 0.125);
  CHECK(table.between(1, 0, -1) == 0.125);
}

TEST_CASE("faulty friction pairs are named") {
  CHECK(pair_message({{"soft", "floor", 0.0}, {"soft", "solid", 1.0}, {"soft", "stiff", 2.0}}) == "");
  expect(pair_message({{"soft", "flor", 0.1}}),
         "friction pair 0 ('soft', 'flor'): no body or obstacle is named 'flor', did you mean 'floor'?");
  expect(pair_message({{"soft", "soft", 0.1}}), "both are the same");
  expect(pair_message({{"floor", "solid", 0.1}}), "both are obstacles");
  expect(pair_message({{"soft", "floor", -0.1}}), "friction is -0.1, must be >= 0");
  expect(pair_message({{"soft", "stiff", 0.1}, {"stiff", "soft", 0.2}}),
         "friction pair 1 ('stiff', 'soft'): given twice");
  expect(pair_message({{"soft", "floor", 0.1}, {"floor", "soft", 0.1}}), "given twice");
}

TEST_CASE("all that decides contact is in the model's hash") {
  const auto hash = [](const ObstacleSpec& obstacle, const BodySpec& body, double friction) {
    return ModelBuilder()
        .add(body)
        .add(obstacle)
        .add(FrictionPair{"soft", "solid", friction})
        .build()
        .data()
        .hash;
  };
  const ObstacleSpec obstacle = solid();
  const BodySpec body = test::cube("soft", {0, 0, 0});
  const std::uint64_t reference = hash(obstacle, body, 0.25);
  CHECK(hash(obstacle, body, 0.25) == reference);
  CHECK(hash(obstacle, body, 0.5) != reference);
  const auto differs = [&](const std::function<void(MeshShape&)>& change) {
    ObstacleSpec other = obstacle;
    change(mesh_of(other));
    return hash(other, body, 0.25) != reference;
  };
  CHECK(differs([](MeshShape& s) { s.mesh.points[0].x -= 0.1; }));
  CHECK(differs([](MeshShape& s) { s.mesh.triangles.pop_back(); }));
  CHECK(differs([](MeshShape& s) { s.edges = {{0, 1}}; }));
  CHECK(differs([](MeshShape& s) { s.thickness = 0.01; }));
  ObstacleSpec points = obstacle;
  mesh_of(points).points = {0};
  ObstacleSpec others = obstacle;
  mesh_of(others).points = {1};
  CHECK(hash(points, body, 0.25) != hash(others, body, 0.25));
  BodySpec changed = body;
  changed.contact_thickness = 0.001;
  CHECK(hash(obstacle, changed, 0.25) != reference);
  changed = body;
  changed.self_contact = true;
  CHECK(hash(obstacle, changed, 0.25) != reference);
}
