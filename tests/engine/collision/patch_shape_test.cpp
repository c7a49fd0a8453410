// Coarse triangles on round obstacles that are smaller than they are.
#include <cmath>

#include "tests/engine/collision/rig.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;
using test::Rig;

namespace {

Rig over(const ObstacleShape& shape, const Pose& pose, Index cells, double cell, double z) {
  ModelBuilder builder;
  BodySpec cloth = test::sheet_body("cloth", test::sheet(cells, cells, cell));
  cloth.sheet->thickness = 1e-3;
  cloth.transform.translation = {-0.5 * cells * cell + 0.013, -0.5 * cells * cell + 0.007, z};
  builder.add(cloth);
  ObstacleSpec obstacle{"shape", shape, {}, {}, 0.5, {}};
  obstacle.pose = pose;
  builder.add(obstacle);
  return Rig(builder.build());
}

}  // namespace

TEST_CASE("a coarse cloth does not fall through a small round obstacle", "[collision]") {
  const double r = 0.01;
  Pose lying;
  lying.rotation = rotation_from_vector(std::acos(-1.0) / 2.0 * Vec3d{0, 1, 0});
  const std::vector<std::pair<ObstacleShape, Pose>> shapes = {{SphereShape{r}, {}},
                                                              {CapsuleShape{r, 0.02}, lying},
                                                              {CylinderShape{r, 0.02}, lying},
                                                              {CylinderShape{r, r}, {}}};
  for (const auto& [shape, pose] : shapes) {
    for (const double fall : {2.3e-3, 0.05, 20.0}) {
      INFO(shape.index() << " falls " << fall);
      Rig rig = over(shape, pose, 2, 0.1, r + 2.5e-3);
      rig.shift(rig.end, 0, {0, 0, -fall});
      const auto contacts = rig.detect();
      REQUIRE(!contacts.empty());
      for (const Contact& c : contacts) {
        CHECK(test::sound(c));
        CHECK(c.key.feature == ContactFeature::patch_shape);
        CHECK(c.frame.n.z > 0.9);
        CHECK(rig.gap(c, rig.start) == Approx(2e-3).margin(1e-5));
        CHECK(rig.gap(c, rig.end) == Approx(2e-3 - fall).margin(1e-5 + 1e-3 * fall));
      }
      std::vector<Contact> late;
      CHECK(rig.scene->add_missed(rig.frame(), late) > 0);
    }
  }
}

TEST_CASE("fine triangles leave round obstacles to their points", "[collision]") {
  Rig rig = over(SphereShape{0.1}, {}, 40, 0.005, 0.1 + 1e-3);
  rig.shift(rig.end, 0, {0, 0, -1e-3});
  CHECK(rig.detect().empty());
}
