// ADMM ends where the quasi-Newton method ends, for every material, and does no harm where it does not get
// there.
#include <cmath>

#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/moved.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;
using test::farthest;
using test::moved;

namespace {

Model hanging(BodySpec body) {
  PinSpec pin;
  pin.name = "wall";
  pin.body = body.name;
  pin.region.shape = Region::HalfSpace{{0.01, 0, 0}, {1, 0, 0}};
  ModelBuilder builder;
  return builder.add(std::move(body)).add(pin).build();
}

BodySpec bar(MaterialKind kind, double poisson_ratio) {
  BodySpec body;
  body.name = "bar";
  body.mesh = test::block(6, 2, 2, 0.05);
  body.material = {kind, 1e5, poisson_ratio, 0.0, 0.01};
  return body;
}

SimulationSettings with(ElasticScheme scheme, int iterations, double tolerance) {
  SimulationSettings settings;
  settings.solver.scheme = scheme;
  settings.iterations = iterations;
  settings.tolerance = tolerance;
  return settings;
}

}  // namespace

TEST_CASE("ADMM ends where quasi-Newton ends, for every material", "[scene]") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    INFO(to_string(kind));
    const Model model = hanging(bar(kind, 0.35));
    const auto expected = moved(model, with(ElasticScheme::quasi_newton, 500, 1e-10), 20);
    const auto found = moved(model, with(ElasticScheme::admm, 500, 1e-10), 20);
    const double sag = farthest(expected, model.body(0).mesh.nodes);
    REQUIRE(sag > 0.01);
    CHECK(farthest(found, expected) < 1e-6 * sag);
  }
  for (const MaterialKind kind : kTriangleMaterialKinds) {
    INFO("sheet " << to_string(kind));
    BodySpec sheet = test::sheet_body("sheet", test::sheet(6, 6, 0.05), kind);
    sheet.material = {kind, 1e5, 0.3, 0.0, 0.01};
    const Model model = hanging(sheet);
    const auto expected = moved(model, with(ElasticScheme::quasi_newton, 500, 1e-10), 5);
    CHECK(farthest(moved(model, with(ElasticScheme::admm, 500, 1e-10), 5), expected) < 1e-6);
  }
}

TEST_CASE("ADMM's first step is the plain quasi-Newton one", "[unit]") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    INFO(to_string(kind));
    SimulationSettings plain = with(ElasticScheme::quasi_newton, 1, 0.0);
    plain.history = 0;
    const Model model = hanging(bar(kind, 0.3));
    CHECK(farthest(moved(model, plain, 1), moved(model, with(ElasticScheme::admm, 1, 0.0), 1)) < 1e-12);
  }
}

TEST_CASE("ADMM on a floor carries the weight", "[scene]") {
  BodySpec body = bar(MaterialKind::neo_hookean, 0.3);
  body.name = "block";
  ModelBuilder builder;
  builder.add(body).add(ObstacleSpec{"floor", HalfSpaceShape{}, {}, {}, 0.5, {}});
  Simulation simulation(builder.build(), with(ElasticScheme::admm, 20, 0.0));
  for (int n = 0; n < 100; ++n) simulation.step();
  const double weight = simulation.model().body_mass(0) * 9.81;
  CHECK(simulation.body_contact_wrench(0).force.z == Approx(weight).epsilon(1e-3));
  CHECK(simulation.statistics().max_penetration_m < 1e-7);
}

TEST_CASE("ADMM from a random cloud gives numbers, and no more energy than at the start", "[scene]") {
  for (const MaterialKind kind : kTetMaterialKinds) {
    INFO(to_string(kind));
    BodySpec body = bar(kind, 0.4);
    body.material.rayleigh_alpha = 2.0;
    body.material.rayleigh_beta = 0.0;
    ModelBuilder builder;
    builder.gravity({}).add(body);
    Simulation simulation(builder.build(), with(ElasticScheme::admm, 60, 0.0));
    test::Random random(5);
    std::vector<Vec3d> x = simulation.positions(0);
    for (Vec3d& p : x) p = {random.uniform(0, 0.3), random.uniform(0, 0.1), random.uniform(0, 0.1)};
    simulation.set_state(0, x, std::vector<Vec3d>(x.size()));
    const double start = simulation.statistics().energy.total();
    for (int n = 0; n < 20; ++n) simulation.step();
    REQUIRE(std::isfinite(simulation.statistics().energy.total()));
    CHECK(simulation.statistics().energy.total() < start);
  }
}
