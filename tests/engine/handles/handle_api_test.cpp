// Making, finding, moving, saving and removing handles; what they resolve to.
#include <cmath>
#include <limits>

#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "engine/handles/handle_bytes.hpp"
#include "engine/handles/surface_places.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

BodySpec block(const std::string& name, const Vec3d& corner) {
  BodySpec body;
  body.name = name;
  body.mesh = test::block(2, 2, 2, 0.05);
  body.transform.translation = corner;
  return body;
}

Simulation two_blocks() {
  ModelBuilder builder;
  builder.gravity({});
  builder.add(block("left", {}));
  builder.add(block("right", {0.1, 0, 0}));
  builder.add(GrabSpec{"corner", {"left", 0}, {{0.0, 1.0}, {{0, 0, 0}, {0, 0, 1}}}, 1e-4});
  return Simulation(builder.build());
}

Region face(double x) {
  return {Region::Box{{x - 1e-3, -1, -1}, {x + 1e-3, 1, 1}}};
}

std::string message(Simulation& simulation, const HandleSpec& spec) {
  try {
    simulation.add_handle(spec);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("handles: ids of removed handles are not taken for new ones") {
  Simulation simulation = two_blocks();
  const HandleId model = simulation.handle("corner");
  const HandleId first = simulation.add_handle(GrabSpec{"", {"right", 3}, {}, 0.0});
  simulation.remove_handle(first);
  const HandleId second = simulation.add_handle(GrabSpec{"new", {"right", 4}, {}, 0.0});
  CHECK(second.index == first.index);
  CHECK_FALSE(simulation.has_handle(first));
  CHECK(simulation.handles() == std::vector<HandleId>{model, second});
  CHECK_THROWS_AS(simulation.set_target(first, {}), ModelError);
  CHECK_THROWS_AS(simulation.remove_handle(first), ModelError);
  CHECK(simulation.handle_name(simulation.handle("new")) == "new");
  CHECK_THROWS_AS(simulation.handle("nwe"), ModelError);

  simulation.reset();  // back to the handles of the model; ids from before stay dead
  CHECK(simulation.handles() == std::vector<HandleId>{model});
  const HandleId third = simulation.add_handle(GrabSpec{"", {"right", 3}, {}, 0.0});
  CHECK(third.index == second.index);
  CHECK_FALSE(simulation.has_handle(second));
  simulation.clear_handles();
  CHECK(simulation.handles().empty());
}

TEST_CASE("handles: snapshots hold them, bit for bit") {
  Simulation simulation = two_blocks();
  simulation.add_handle(WeldSpec{"weld", "left", face(0.1), "right", 1e-3});
  simulation.add_handle(
      CableSpec{"cable", {BodyPoint{"left", 1}, Vec3d{0, 0, 1}, BodyPoint{"right", 2}}, {}, {{0}, {3}}});
  Motion turn;
  turn.keyframes = {{0.0, {}, {}}, {1.0, {0, 0, 1}, {0, 1, 0}}};
  const HandleId hold = simulation.add_handle(HoldSpec{"hold", "right", face(0.2), turn, {}, 0.0});
  const Snapshot saved = simulation.save();
  const Vec3d origin = simulation.handle_origin(hold);
  simulation.clear_handles();
  Simulation other = two_blocks();
  other.restore(saved);
  simulation.restore(saved);
  CHECK(other.save().bytes == saved.bytes);
  CHECK(simulation.save().bytes == saved.bytes);
  CHECK(simulation.handle_origin(hold) == origin);
  // Ids made after a restore differ from those in the snapshot and before it.
  const HandleId fresh = other.add_handle(GrabSpec{"", {"right", 3}, {}, 0.0});
  CHECK(fresh.generation > hold.generation);
  Snapshot damaged = saved;
  damaged.bytes.resize(damaged.bytes.size() - 9);
  CHECK_THROWS_AS(other.restore(damaged), ModelError);
  const std::vector<Index> nodes{27, 27};
  Handle empty;
  empty.kind = HandleKind::hold;
  const std::vector<std::uint8_t> bytes = handle_bytes({HandleSlot{1, empty}});
  CHECK_NOTHROW(read_handle_bytes(bytes, nodes));
  for (const std::size_t cut : {std::size_t{3}, bytes.size() / 2, bytes.size() - 1})
    CHECK_THROWS_AS(read_handle_bytes({bytes.begin(), bytes.begin() + cut}, nodes), ModelError);
}

TEST_CASE("handles: what cannot be says so in one line") {
  Simulation s = two_blocks();
  const BodyPoint point{"left", 0};
  CHECK(message(s, GrabSpec{"g", {"lefd", 0}, {}, 0.0}) ==
        "grab 'g': no body is named 'lefd', did you mean 'left'?");
  CHECK(message(s, GrabSpec{"g", {"left", 27}, {}, 0.0}) ==
        "grab 'g': surface point 27 does not exist; body 'left' has 27, counted from 0");
  CHECK(message(s, GrabSpec{"g", {"left"}, {}, 0.0}).find("exactly one of") != std::string::npos);
  CHECK(message(s, GrabSpec{"g", point, {}, -1.0}).find("compliance") != std::string::npos);
  CHECK(message(s, GrabSpec{"corner", point, {}, 0.0}).find("in use") != std::string::npos);
  CHECK(message(s, HoldSpec{"h", "left", face(5.0), {}, {}, 0.0}).find("holds no node") != std::string::npos);
  CHECK(message(s, WeldSpec{"w", "left", face(0.1), "left", 0.0}).find("name two") != std::string::npos);
  CHECK(message(s, WeldSpec{"w", "left", face(0.0), "right", 0.0}) == "");  // 0.1 m off, cells of 0.05 m
  CHECK(message(s, CableSpec{"c", {point}, {}, {}}).find("at least 2") != std::string::npos);
  CHECK(message(s, CableSpec{"c", {Vec3d{}, Vec3d{1, 0, 0}}, {}, {}}).find("no body") != std::string::npos);
  CHECK(message(s, CableSpec{"c", {point, Vec3d{}}, {{0}, {1}}, {{0}, {1}}}).find("both") !=
        std::string::npos);
  AttachmentSpec bent{"a", "left", face(0.0), {}, {}, 0.0};
  bent.frame.rotation(0, 0) = 2.0;
  CHECK(message(s, bent).find("no rigid pose") != std::string::npos);
  const HandleId grab = s.handle("corner");
  CHECK_THROWS_AS(s.set_length(grab, 1.0), ModelError);
  CHECK_THROWS_AS(s.set_frame(grab, {}), ModelError);
  CHECK_THROWS_AS(s.set_target(grab, {std::numeric_limits<double>::quiet_NaN(), 0, 0}), ModelError);
  ModelBuilder builder;
  builder.add(block("left", {}));
  builder.add(GrabSpec{"g", point, {}, 0.0});
  CHECK_THROWS_AS(builder.add(GrabSpec{"g", point, {}, 0.0}), ModelError);
  builder.add(GrabSpec{"far", {"nobody", 0}, {}, 0.0});
  CHECK_THROWS_AS(builder.build(), ModelError);
}

TEST_CASE("handles: rays and nearest places") {
  Simulation s = two_blocks();
  const auto hit = s.pick({0.02, 0.03, 1.0}, {0, 0, -2});
  REQUIRE(hit);
  CHECK(hit->point.body == "left");
  CHECK(norm(hit->position - Vec3d{0.02, 0.03, 0.1}) < 1e-15);
  CHECK(std::abs(hit->distance - 0.9) < 1e-15);
  CHECK_FALSE(s.pick({0.02, 0.03, 1.0}, {0, 0, 1}));
  CHECK(s.pick({1.0, 0.03, 0.02}, {-1, 0, 0})->point.body == "right");
  // A grab there starts where the ray met the body.
  const HandleId grab = s.add_handle(GrabSpec{"", hit->point, {}, 0.0});
  CHECK(norm(s.handle_origin(grab) - hit->position) < 1e-15);
  const BodyPoint near = s.nearest_surface_point(1, {0.13, 0.02, -4.0});
  const HandleId other = s.add_handle(GrabSpec{"", near, {}, 0.0});
  CHECK(norm(s.handle_origin(other) - Vec3d{0.13, 0.02, 0.0}) < 1e-15);
  const HandleId third = s.add_handle(GrabSpec{"", {"right", -1, -1, {}, Vec3d{0.13, 0.02, -4.0}}, {}, 0.0});
  CHECK(s.handle_origin(third) == s.handle_origin(other));
}

TEST_CASE("handles: the nearest point of a triangle is the least of many") {
  test::Random random(2);
  for (int trial = 0; trial < 60; ++trial) {
    const Vec3d a = random.vector(), b = random.vector(), c = random.vector(), x = random.vector(2.0);
    const Vec3d w = nearest_in_triangle(x, a, b, c);
    CHECK(std::abs(w.x + w.y + w.z - 1.0) < 1e-14);
    CHECK(std::min({w.x, w.y, w.z}) >= 0.0);
    const double found = norm(w.x * a + w.y * b + w.z * c - x);
    double sampled = 1e9;
    for (int i = 0; i <= 40; ++i)
      for (int j = 0; i + j <= 40; ++j)
        sampled = std::min(sampled, norm((i / 40.0) * a + (j / 40.0) * b + ((40 - i - j) / 40.0) * c - x));
    CHECK(found <= sampled + 1e-14);
    CHECK(found >= sampled - 0.1);
  }
}

TEST_CASE("handles: welds are rows that see no rigid motion") {
  const TetMesh mesh = test::block(2, 2, 2, 0.05);
  ModelBuilder builder;
  builder.add(block("left", {}));
  builder.add(block("right", {0.12, 0.01, 0}));  // 0.02 m apart
  const Model model = [&] {
    builder.add(WeldSpec{"weld", "left", face(0.1), "right", 0.0});
    return builder.build();
  }();
  const Handle& handle = model.data().handles[0].handle;
  REQUIRE(handle.size() == 9);
  const Mat3d turn = rotation_from_vector(Vec3d{0.3, -0.8, 1.1});
  for (std::size_t k = 0; k < 9; ++k) {
    Vec3d difference{}, turned{};
    for (Index i = handle.start[k]; i < handle.start[k + 1]; ++i) {
      const ContactTerm& term = handle.term[i];
      const Vec3d x = model.data().bodies[term.body].start_position[term.node];
      difference += term.weight * x;
      turned += term.weight * (turn * x + Vec3d{1, 2, 3});
    }
    CHECK(norm(difference) < 1e-15);
    CHECK(norm(turned) < 1e-14);
  }
}
