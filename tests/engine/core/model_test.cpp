#include <sinew/errors.hpp>
#include <sinew/model.hpp>
#include <sinew/simulation.hpp>

#include <cmath>
#include <functional>

#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

BodySpec good_body() {
  BodySpec body;
  body.name = "block";
  body.mesh = test::block(2, 1, 1, 0.5);
  return body;
}

/// The message of the error that f throws; "" if none.
std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string body_message(const std::function<void(BodySpec&)>& spoil) {
  BodySpec body = good_body();
  spoil(body);
  return message([&] { ModelBuilder().add(body); });
}

void expect(const std::string& text, const std::string& part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("masses, volumes and start values follow from the spec") {
  BodySpec body = good_body();
  body.density = 10.0;
  body.transform.scale = {1, 2, 1};
  body.transform.rotation = rotation_from_vector(Vec3d{0, 0, 1.5707963267948966});
  body.transform.translation = {0, 0, 7};
  body.velocity = {1, 0, 0};
  body.angular_velocity = {0, 0, 2};
  const Model model = ModelBuilder().add(body).build();
  CHECK(model.body_mass(0) == Approx(5.0));
  CHECK(model.body_rest_volume(0) == Approx(0.5));
  CHECK(model.surface_triangles(0).size() == 20);
  Simulation simulation(model);
  CHECK(norm(simulation.linear_momentum() - Vec3d{5, 0, 0}) < 1e-12);
  const auto x = simulation.positions(0);
  CHECK(norm(x[2] - Vec3d{0, 1, 7}) < 1e-12);  // the corner at x = 1, turned by 90 degrees
  CHECK(simulation.volume(0) == Approx(0.5));
  body.mesh.inside_fraction.assign(body.mesh.tets.size(), 0.25);
  CHECK(ModelBuilder().add(body).build().body_mass(0) == Approx(1.25));
}

TEST_CASE("every value out of range is named with its bounds") {
  expect(body_message([](BodySpec& b) { b.name = ""; }), "without a name");
  expect(body_message([](BodySpec& b) { b.material.young_modulus = 0; }),
         "young_modulus is 0, must be > 0 Pa");
  expect(body_message([](BodySpec& b) { b.material.poisson_ratio = 0.5; }), "must be >= 0 and <= 0.499");
  expect(body_message([](BodySpec& b) {
           b.material.lame = {0.0, 1.0};
         }),
         "shear_modulus is 0, must be > 0 Pa");
  expect(body_message([](BodySpec& b) {
           b.material.lame = {1.0, -1.0};
         }),
         "first_lame is -1, must be >= 0 Pa");
  expect(body_message([](BodySpec& b) {
           b.material.lame = {1.0, 499.5};
         }),
         "at most 499 times shear_modulus");
  expect(body_message([](BodySpec& b) { b.material.mooney_ratio = 1.5; }), "mooney_ratio is 1.5");
  expect(body_message([](BodySpec& b) { b.material.rayleigh_alpha = -1; }), "rayleigh_alpha is -1");
  expect(body_message([](BodySpec& b) { b.material.rayleigh_beta = NAN; }), "rayleigh_beta");
  expect(body_message([](BodySpec& b) { b.density = -5; }), "density is -5, must be > 0 kg/m^3");
  expect(body_message([](BodySpec& b) { b.friction = -0.1; }), "friction");
  expect(body_message([](BodySpec& b) { b.transform.scale.y = 0; }), "scale is 0");
  expect(body_message([](BodySpec& b) { b.transform.rotation(0, 0) = 2; }), "not a proper rotation");
  expect(body_message([](BodySpec& b) { b.velocity.x = INFINITY; }), "velocity is not a finite vector");
  expect(body_message([](BodySpec& b) { b.mesh.tets.clear(); }), "no tetrahedra");
  expect(body_message([](BodySpec& b) { std::swap(b.mesh.tets[3][0], b.mesh.tets[3][1]); }),
         "element 3 is inverted");
  expect(body_message([](BodySpec& b) { b.mesh.tets[1][2] = 99; }), "element 1 names node 99");
  expect(body_message([](BodySpec& b) {
           b.mesh.nodes.push_back({9, 9, 9});
         }),
         "node 12 belongs to no element");
  expect(body_message([](BodySpec& b) { b.mesh.nodes[4].z = NAN; }), "node 4 is not finite");
  expect(body_message([](BodySpec& b) { b.mesh.inside_fraction.assign(3, 1.0); }),
         "inside_fraction has 3 values");

  ObstacleSpec ball;
  ball.name = "ball";
  ball.shape = SphereShape{-1.0};
  expect(message([&] { ModelBuilder().add(ball); }), "radius is -1, must be > 0 m");
  ball.shape = SphereShape{1.0};
  ball.motion.keyframes = {{1.0, {}, {}}, {1.0, {}, {}}};
  expect(message([&] { ModelBuilder().add(ball); }), "times must increase");

  SimulationSettings settings;
  settings.time_step = 0;
  expect(message([&] { settings.validate(); }), "time_step");
  settings = {};
  settings.iterations = 0;
  expect(message([&] { Simulation(ModelBuilder().add(good_body()).build(), settings); }), "iterations");
}

TEST_CASE("parts that do not fit together are refused with the nearest name") {
  expect(message([] { ModelBuilder().build(); }), "without a body");
  expect(message([] { ModelBuilder().add(good_body()).add(good_body()); }), "used twice");
  PinSpec pin;
  pin.name = "pin";
  pin.body = "blok";
  expect(message([&] { ModelBuilder().add(good_body()).add(pin).build(); }), "did you mean 'block'?");
  pin.body = "block";
  pin.region.shape = Region::Ball{{50, 0, 0}, 1.0};
  expect(message([&] { ModelBuilder().add(good_body()).add(pin).build(); }), "holds no node");
  pin.region.shape = Region::Nodes{{0, 77}};
  expect(message([&] { ModelBuilder().add(good_body()).add(pin).build(); }), "node 77");
  ForceSpec force;
  force.name = "force";
  force.body = "block";
  expect(message([&] { ModelBuilder().add(force); }), "at least 1");
  const Model model = ModelBuilder().add(good_body()).build();
  expect(message([&] { model.body_index("blck"); }), "did you mean 'block'?");
}

TEST_CASE("regions choose nodes by their place in the world") {
  BodySpec body = good_body();
  body.transform.translation = {10, 0, 0};
  const auto count = [&](const Region& region) {
    PinSpec pin;
    pin.name = "pin";
    pin.body = "block";
    pin.region = region;
    Simulation simulation(ModelBuilder().gravity({0, 0, -1}).add(body).add(pin).build());
    simulation.step();
    int held = 0;
    for (const Vec3d& v : simulation.velocities(0)) held += v == Vec3d{} ? 1 : 0;
    return held;
  };
  CHECK(count({Region::All{}, false}) == 12);
  CHECK(count({Region::Box{{9.9, -1, -1}, {10.1, 1, 1}}, false}) == 4);
  CHECK(count({Region::Ball{{10, 0, 0}, 0.6}, false}) == 4);
  CHECK(count({Region::HalfSpace{{10.6, 0, 0}, {-1, 0, 0}}, false}) == 4);
  CHECK(count({Region::Nodes{{1, 2, 2}}, false}) == 2);
}

TEST_CASE("a node held by two pins belongs to the first, with a warning") {
  PinSpec a, b;
  a.name = "a";
  b.name = "b";
  a.body = b.body = "block";
  a.region.shape = Region::Nodes{{0, 1}};
  b.region.shape = Region::Nodes{{1, 2}};
  const Model model = ModelBuilder().add(good_body()).add(a).add(b).build();
  REQUIRE(model.warnings().size() == 1);
  expect(model.warnings()[0], "pin 'b': 1 of its nodes");
  b.region.shape = Region::Nodes{{1}};
  expect(message([&] { ModelBuilder().add(good_body()).add(a).add(b).build(); }), "earlier pins hold all");
}
