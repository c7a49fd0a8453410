// Two cubes that run into each other in the degenerate ways of Erleben (2018): faces, crossed edges, corners.
#include <cmath>
#include <string>

#include "tests/engine/collision/rig.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;
using test::Rig;

namespace {

/// Cube of edge 0.1 about its centre, turned, its lowest point at height `low` above (x, y).
BodySpec cube(const std::string& name, const Mat3d& rotation, double x, double y, double low, bool below) {
  BodySpec body;
  body.name = name;
  body.mesh = test::block(2, 2, 2, 0.05);
  double least = 1e9;
  for (Vec3d& v : body.mesh.nodes) {
    v -= Vec3d{0.05, 0.05, 0.05};
    const double z = (rotation * v).z;
    least = std::min(least, below ? -z : z);
  }
  body.transform.rotation = rotation;
  body.transform.translation = {x, y, below ? low + least : low - least};
  return body;
}

Mat3d about(const Vec3d& axis, double angle) {
  return rotation_from_vector(angle * normalized(axis));
}

const double kQuarter = std::acos(-1.0) / 4.0;

struct Case {
  std::string name;
  Mat3d upper, lower;
  double x, y;
};

std::vector<Case> cases() {
  const Mat3d flat = Mat3d::identity(), edge_x = about({1, 0, 0}, kQuarter),
              edge_y = about({0, 1, 0}, kQuarter);
  const Mat3d corner = about({1, -1, 0}, std::acos(1.0 / std::sqrt(3.0)));
  return {{"face on face", flat, flat, 0.0, 0.0},
          {"face on face, shifted", flat, flat, 0.03, 0.02},
          {"face on face, turned", about({0, 0, 1}, 0.5), flat, 0.0, 0.0},
          {"edge across edge", edge_x, edge_y, 0.0, 0.0},
          {"edge across edge, off the middle", edge_x, edge_y, 0.021, -0.013},
          {"edge along edge", edge_x, edge_x, 0.01, 0.0},
          {"corner on face", corner, flat, 0.012, 0.007},
          {"corner on corner", corner, corner, 0.0, 0.0},
          {"edge on face", edge_x, flat, 0.0, 0.011},
          {"edge on corner", edge_x, corner, 0.0, 0.0},
          {"corner on an inner edge", corner, flat, 0.0, 0.0}};
}

}  // namespace

TEST_CASE("cubes that meet get contacts that separate them", "[collision]") {
  for (const Case& c : cases()) {
    for (const bool fast : {false, true}) {
      INFO(c.name << (fast ? ", fast" : ""));
      ModelBuilder builder;
      builder.add(cube("upper", c.upper, c.x, c.y, 5e-4, false));
      builder.add(cube("lower", c.lower, 0.0, 0.0, -5e-4, true));
      Rig rig(builder.build());
      rig.shift(rig.end, 0, {0, 0, fast ? -0.05 : -2e-3});
      const auto contacts = rig.detect();
      bool stops = false;
      for (const Contact& contact : contacts) {
        CHECK(test::sound(contact));
        const double up = contact.frame.n.z * (contact.key.body == 0 ? 1.0 : -1.0);
        CHECK(up > -1e-6);
        if (up > 0.5 && rig.gap(contact, rig.end) < 0.0) stops = true;
      }
      CHECK(stops);
      // Apart by more than the margin and at rest: nothing.
      rig.shift(rig.start, 0, {0, 0, 0.01});
      rig.end = rig.start;
      CHECK(rig.detect().empty());
    }
  }
}

TEST_CASE("face on face rests on its corners", "[collision]") {
  ModelBuilder builder;
  builder.add(cube("upper", Mat3d::identity(), 0.03, 0.02, 1e-4, false));
  builder.add(cube("lower", Mat3d::identity(), 0.0, 0.0, 0.0, true));
  Rig rig(builder.build());
  const double thickness = rig.model.data().bodies[0].contact_thickness * 2.0;
  const auto contacts = rig.detect();
  CHECK(contacts.size() >= 6);
  for (const Contact& c : contacts) {
    CHECK(std::abs(c.frame.n.z) == Approx(1.0));
    CHECK(rig.gap(c, rig.start) + c.gap_offset == Approx(1e-4 - thickness).margin(1e-9));
  }
  CHECK(rig.depth() == 0.0);
  CHECK(rig.crossings() == 0.0);
}

TEST_CASE("a cube pushed into another leaves at a limited speed", "[collision]") {
  ModelBuilder builder;
  builder.add(cube("upper", Mat3d::identity(), 0.03, 0.02, -4e-3, false));
  builder.add(cube("lower", Mat3d::identity(), 0.0, 0.0, 0.0, true));
  Rig rig(builder.build());
  rig.max_depenetration = 1e-3;
  CHECK(rig.depth() == Approx(4e-3));
  CHECK(rig.crossings() > 0.0);
  const auto contacts = rig.detect();
  bool out = false;
  for (const Contact& c : contacts) {
    CHECK(test::sound(c));
    const double up = c.frame.n.z * (c.key.body == 0 ? 1.0 : -1.0);
    CHECK(up > 0.99);
    // What the frame asks for: one millimetre of the overlap.
    if (c.gap_offset < 0.0) CHECK(rig.gap(c, rig.start) == Approx(-1e-3));
    out = out || c.gap_offset < -2e-3;
  }
  CHECK(out);
}

TEST_CASE("swapping the bodies mirrors the contacts", "[collision]") {
  test::Random random(41);
  for (int n = 0; n < 20; ++n) {
    const Mat3d a = random.rotation(), b = random.rotation();
    std::vector<Contact> found[2];
    std::vector<double> gaps[2];
    for (const bool swapped : {false, true}) {
      ModelBuilder builder;
      const BodySpec upper = cube("upper", a, 0.01, 0.0, 5e-4, false),
                     lower = cube("lower", b, 0.0, 0.0, 0.0, true);
      builder.add(swapped ? lower : upper);
      builder.add(swapped ? upper : lower);
      Rig rig(builder.build());
      rig.shift(rig.end, swapped ? 1 : 0, {0, 0, -5e-3});
      found[swapped] = rig.detect();
      for (const Contact& c : found[swapped]) gaps[swapped].push_back(rig.gap(c, rig.end) + c.gap_offset);
      std::sort(gaps[swapped].begin(), gaps[swapped].end());
    }
    REQUIRE(gaps[0].size() == gaps[1].size());
    for (std::size_t k = 0; k < gaps[0].size(); ++k) CHECK(gaps[0][k] == Approx(gaps[1][k]).margin(1e-9));
  }
}
