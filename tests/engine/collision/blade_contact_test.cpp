// Long sharp edges under flat cloth and under the flat face of a block: the inner edges that cross them are
// what touches, for the sharp edge has no point there.
#include <algorithm>
#include <cmath>

#include <sinew/simulation.hpp>

#include "tests/engine/collision/rig.hpp"
#include "tests/reference/brute_intersections.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;
using test::Rig;

namespace {

enum class Under { strip, box, wire };

constexpr double kTop = 0.1, kHalf = 0.14;  // [m] height and half length of what lies under

/// Thin things that stand upright along y, 1 mm of thickness around them.
MeshShape under(Under kind) {
  MeshShape shape;
  shape.thickness = 1e-3;
  if (kind == Under::strip) {
    shape.mesh.points = {{0, -kHalf, 0}, {0, kHalf, 0}, {0, kHalf, kTop}, {0, -kHalf, kTop}};
    shape.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  } else if (kind == Under::wire) {
    shape.mesh.points = {{0, -kHalf, kTop}, {0, kHalf, kTop}};
    shape.edges = {{0, 1}};
  } else {
    for (int i = 0; i < 8; ++i)
      shape.mesh.points.push_back({i & 1 ? 2e-3 : -2e-3, i & 2 ? kHalf : -kHalf, i & 4 ? kTop : 0.0});
    shape.mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                            {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  }
  return shape;
}

ObstacleSpec blade(Under kind, double x, double turn) {
  ObstacleSpec spec{"blade " + std::to_string(x), under(kind), {}, {}, 0.3, {}};
  spec.pose.translation = {x, 0.0, 0.0};
  spec.pose.rotation = rotation_from_vector(Vec3d{0.0, 0.0, turn});
  return spec;
}

/// 20 x 20 cells of 2 cm, above everything.
BodySpec cloth(double height) {
  BodySpec body = test::sheet_body("cloth", test::sheet(20, 20, 0.02));
  body.sheet->thickness = 4e-3;
  body.sheet->area_density = 0.2;
  body.material.young_modulus = 1e5;
  body.transform.translation = {-0.2, -0.2, height};
  return body;
}

/// Crossings of the body's triangles with all obstacles, by trying all pairs.
std::size_t brute(const Simulation& simulation, const ModelData& data) {
  std::size_t sum = 0;
  for (const ObstacleSpec& spec : data.obstacles) {
    const SurfaceMesh& mesh = std::get<MeshShape>(spec.shape).mesh;
    std::vector<Vec3d> at;
    for (const Vec3d& x : mesh.points) at.push_back(spec.pose.apply(x));
    sum += test::brute_intersections(simulation.positions(0), data.bodies[0].surface_triangles, at,
                                     mesh.triangles);
  }
  return sum;
}

}  // namespace

TEST_CASE("flat cloth meets a long sharp edge along its whole length", "[collision]") {
  for (const Under kind : {Under::strip, Under::box, Under::wire})
    for (const double x : {0.0, 7e-3})  // under a row of points, and between two of them
      for (const double drop : {1e-3, 0.03}) {
        ModelBuilder builder;
        builder.add(cloth(kTop + 4e-3));
        builder.add(blade(kind, x, 0.1));
        Rig rig(builder.build());
        rig.shift(rig.end, 0, {0.0, 0.0, -drop});
        const std::vector<Contact> contacts = rig.detect();
        INFO(int(kind) << " x " << x << " drop " << drop);
        double highest_gap_between = 0.0, last = -kHalf;
        std::vector<double> along;
        for (const Contact& c : contacts) {
          CHECK(test::sound(c));
          CHECK(c.frame.n.z > 0.98);
          CHECK(rig.gap(c, rig.start) - rig.gap(c, rig.end) == Approx(drop).epsilon(0.02));
          along.push_back(rig.x(c, rig.start).y);
        }
        std::sort(along.begin(), along.end());
        along.push_back(kHalf);
        for (const double y : along) {
          highest_gap_between = std::max(highest_gap_between, y - last);
          last = y;
        }
        CHECK(highest_gap_between < 0.0201);  // no cell without one
        std::vector<Contact> all = contacts;
        CHECK(rig.scene->add_missed(rig.frame(), all) == 0);
      }
}

TEST_CASE("the flat face of a block meets a blade", "[collision]") {
  for (const double drop : {2e-4, 0.02}) {
    ModelBuilder builder;
    BodySpec block;
    block.name = "block";
    block.mesh = test::block(4, 3, 2, 0.05);
    block.transform.translation = {-0.09, -0.075, kTop + 1.5e-3};
    builder.add(block);
    builder.add(blade(Under::strip, 0.0, 0.0));
    Rig rig(builder.build());
    rig.shift(rig.end, 0, {0.0, 0.0, -drop});
    std::size_t inner = 0;
    for (const Contact& c : rig.detect()) {
      CHECK(test::sound(c));
      if (c.key.feature != ContactFeature::edge_edge) continue;
      CHECK(c.frame.n.z == Approx(1.0));
      if (std::abs(rig.x(c, rig.start).y) < 0.07) ++inner;
    }
    INFO(drop);
    CHECK(inner >= 5);  // two edges along x, three diagonals
  }
}

TEST_CASE("a tilted edge beside a flat edge is not held by it", "[collision]") {
  // A block that stands on one edge over a plate: its slanted edges have no contact with the plate's inner
  // ones.
  ModelBuilder builder;
  BodySpec block;
  block.name = "block";
  block.mesh = test::block(2, 2, 2, 0.05);
  block.transform.rotation = rotation_from_vector(Vec3d{0.6, 0.0, 0.0});
  block.transform.translation = {-0.05, 0.0, 1e-3};
  builder.add(block);
  BodySpec plate = cloth(0.0);
  builder.add(plate);
  Rig rig(builder.build());
  const auto contacts = rig.detect();
  CHECK(contacts.size() >= 3);
  for (const Contact& c : contacts) CHECK(std::abs(c.frame.n.z) > 0.999);
}

TEST_CASE("cloth on blades, boxes and wires does not cross them in 100 frames", "[collision]") {
  for (const Under kind : {Under::strip, Under::box, Under::wire}) {
    ModelBuilder builder;
    builder.add(cloth(kTop + 0.03));
    for (const double x : {-0.1, 0.1}) builder.add(blade(kind, x, x > 0.0 ? 0.15 : 0.0));
    const Model model = builder.build();
    Simulation simulation(model, {});
    std::size_t crossings = 0, by_brute_force = 0, most = 0;
    for (int n = 0; n < 100; ++n) {
      most = std::max(most, simulation.step().active_contacts);
      crossings += simulation.count_intersections();
      if (n % 10 == 9) by_brute_force += brute(simulation, model.data());
    }
    INFO(int(kind));
    CHECK(crossings == 0);
    CHECK(by_brute_force == 0);
    CHECK(most > 20);
    double between = kTop;  // hangs down between the two and beside them, and is still held
    std::size_t above = 0;
    for (const Vec3d& x : simulation.positions(0)) {
      between = std::min(between, x.z);
      if (x.z > kTop) ++above;
    }
    CHECK(between < kTop - 0.02);
    CHECK(above > 10);
  }
}

TEST_CASE("a block on a blade does not cross it in 100 frames", "[collision]") {
  ModelBuilder builder;
  BodySpec block;
  block.name = "block";
  block.mesh = test::block(4, 3, 2, 0.05);
  block.material.young_modulus = 1e5;
  block.transform.translation = {-0.09, -0.075, kTop + 0.02};
  builder.add(block);
  builder.add(blade(Under::strip, 0.0, 0.0));
  const Model model = builder.build();
  Simulation simulation(model, {});
  std::size_t crossings = 0, most = 0;
  for (int n = 0; n < 100; ++n) {
    most = std::max(most, simulation.step().active_contacts);
    crossings += simulation.count_intersections();
  }
  CHECK(crossings == 0);
  CHECK(brute(simulation, model.data()) == 0);
  CHECK(most >= 5);
}
