// Sheets: fast points, folds, sides that last, bits that do not depend on threads.
#include <cmath>
#include <cstring>

#include "tests/engine/collision/rig.hpp"
#include "tests/reference/brute_intersections.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;
using test::Rig;

namespace {

BodySpec flat_sheet(const std::string& name, Index n, double cell, double z) {
  BodySpec body = test::sheet_body(name, test::sheet(n, n, cell));
  body.transform.translation = {-0.5 * n * cell, -0.5 * n * cell, z};
  return body;
}

std::size_t brute(const Rig& rig, std::size_t body) {
  std::vector<Vec3d> x(rig.end[body].size());
  for (std::size_t i = 0; i < x.size(); ++i) x[rig.bodies[body]->to_user[i]] = rig.end[body][i];
  return test::brute_intersections(x, rig.model.data().bodies[body].surface_triangles);
}

}  // namespace

TEST_CASE("a fast ball does not pass a thin sheet", "[collision]") {
  for (const double speed : {10.0, 100.0, 1000.0}) {
    ModelBuilder builder;
    builder.add(flat_sheet("sheet", 10, 0.02, 0.0));
    BodySpec ball;
    ball.name = "ball";
    ball.mesh = test::block(2, 2, 2, 0.02);
    ball.transform.rotation = rotation_from_vector(Vec3d{0.3, 0.2, 0.1});
    ball.transform.translation = {0.0, 0.0, 0.05};
    builder.add(ball);
    Rig rig(builder.build());
    rig.shift(rig.end, 1, {0.013, 0.0, -0.02 * speed});
    const auto contacts = rig.detect();
    std::size_t hits = 0;
    for (const Contact& c : contacts) {
      CHECK(test::sound(c));
      const double up = c.frame.n.z * (c.key.body == 1 ? 1.0 : -1.0);
      if (rig.gap(c, rig.end) < 0.0 && up > 0.5) ++hits;
    }
    INFO(speed);
    CHECK(hits >= 26);  // every corner of the block over the sheet
    // Missed where the list is empty: the same set.
    std::vector<Contact> late;
    CHECK(rig.scene->add_missed(rig.frame(), late) >= 26);
    std::vector<Contact> all = contacts;
    CHECK(rig.scene->add_missed(rig.frame(), all) == 0);
  }
}

TEST_CASE("a folded sheet meets itself and nothing else does", "[collision]") {
  ModelBuilder builder;
  BodySpec spec = flat_sheet("sheet", 20, 0.01, 0.0);
  spec.sheet->thickness = 1e-3;
  builder.add(spec);
  Rig rig(builder.build());
  CHECK(rig.detect().empty());  // flat: no contact with itself
  // Rolled to a half circle of radius 4 mm about the axis x = 0; the upper half lies over the lower one.
  const double radius = 4e-3, pi = std::acos(-1.0);
  const auto fold = [&](double r) {
    return [=](const Vec3d& x) {
      const double arc = pi * r;
      if (x.x < -0.5 * arc) return x;
      if (x.x > 0.5 * arc) return Vec3d{-x.x, x.y, 2.0 * r};
      const double angle = (x.x + 0.5 * arc) / r;
      return Vec3d{-0.5 * arc + r * std::sin(angle), x.y, r - r * std::cos(angle)};
    };
  };
  rig.move(rig.start, 0, fold(radius));
  rig.end = rig.start;
  CHECK(rig.detect().empty());  // 8 mm apart
  CHECK(rig.crossings() == 0.0);
  const auto flat = rig.start;
  rig.start = Rig(rig.model).start;
  rig.move(rig.start, 0, fold(0.6e-3));  // 1.2 mm apart: within the margin of the thickness
  rig.end = rig.start;
  const auto contacts = rig.detect();
  CHECK(contacts.size() > 100);
  for (const Contact& c : contacts) {
    CHECK(test::sound(c));
    CHECK(c.key.other_body == 0);
    CHECK(rig.gap(c, rig.start) - c.gap_offset > -1e-3);
    if (c.key.feature == ContactFeature::edge_edge) CHECK(c.key.feature_a < c.key.feature_b);
  }
  // Pushed through itself in one frame: every such point of the upper half is stopped.
  rig.move(rig.end, 0, [](const Vec3d& x) {
    return x.z > 0.6e-3 && x.y > 0.0 ? x - Vec3d{3e-4, 2e-4, 5e-3} : x;
  });
  CHECK(rig.crossings() > 0.0);
  CHECK(static_cast<std::size_t>(rig.crossings()) == brute(rig, 0));
  std::size_t stopped = 0;
  for (const Contact& c : rig.detect())
    if (c.key.feature == ContactFeature::point_triangle && rig.gap(c, rig.end) < 0.0) ++stopped;
  CHECK(stopped > 75);
}

TEST_CASE("crossings agree with trying all pairs", "[collision]") {
  test::Random random(13);
  ModelBuilder builder;
  builder.add(flat_sheet("sheet", 12, 0.01, 0.0));
  Rig rig(builder.build());
  for (const double noise : {1e-3, 1e-2, 5e-2}) {
    rig.end = rig.start;
    rig.move(rig.end, 0, [&](const Vec3d& x) { return x + random.vector(noise); });
    CHECK(static_cast<std::size_t>(rig.crossings()) == brute(rig, 0));
  }
  CHECK(rig.crossings() > 10.0);
}

TEST_CASE("a point that slipped through a sheet by rounding keeps its side", "[collision]") {
  ModelBuilder builder;
  builder.add(flat_sheet("lower", 4, 0.02, 0.0));
  builder.add(flat_sheet("upper", 2, 0.013, 0.3e-3));
  Rig rig(builder.build());
  rig.shift(rig.start, 1, {3e-3, 2e-3, 0.0});
  rig.end = rig.start;
  for (const Contact& c : rig.detect()) rig.carried.push_back({c.key, c.frame.n, {}});
  REQUIRE(rig.carried.size() > 4);
  rig.shift(rig.start, 1, {1e-4, 0.0, -0.31e-3});
  rig.end = rig.start;
  for (const Contact& c : rig.detect()) {
    if (c.key.feature != ContactFeature::point_triangle || c.key.body != 1) continue;
    CHECK(c.frame.n.z > 0.99);
    CHECK(rig.gap(c, rig.start) + c.gap_offset == Approx(-1e-5 - 1e-3).margin(1e-9));
  }
}

TEST_CASE("contacts have the same bits on any number of threads", "[collision]") {
  ModelBuilder builder;
  BodySpec spec = flat_sheet("sheet", 40, 0.005, 0.0);
  builder.add(spec);
  BodySpec block;
  block.name = "block";
  block.mesh = test::block(8, 8, 4, 0.02);
  block.transform.translation = {-0.08, -0.08, 2e-3};
  builder.add(block);
  Rig rig(builder.build());
  test::Random random(5);
  rig.move(rig.start, 0, [&](const Vec3d& x) { return x + random.vector(2e-3); });
  rig.end = rig.start;
  rig.shift(rig.end, 1, {0.0, 1e-3, -5e-3});
  std::vector<Contact> reference;
  for (const int threads : {1, 2, 4}) {
    Executor executor(threads);
    std::vector<Contact> contacts;
    executor.run([&] { contacts = rig.detect(); });
    if (threads == 1) reference = contacts;
    REQUIRE(contacts.size() == reference.size());
    REQUIRE(contacts.size() > 100);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      CHECK(contacts[k].key == reference[k].key);
      CHECK(contacts[k].frame.n == reference[k].frame.n);
      CHECK(contacts[k].plane_point == reference[k].plane_point);
      CHECK(contacts[k].gap_offset == reference[k].gap_offset);
      CHECK(contacts[k].term == reference[k].term);
    }
  }
}
