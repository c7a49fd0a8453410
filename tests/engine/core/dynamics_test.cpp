// Motion without contact: closed forms and invariants.
#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

BodySpec block_body(MaterialKind kind = MaterialKind::stable_neo_hookean) {
  BodySpec body;
  body.name = "block";
  body.mesh = test::block(3, 2, 2, 0.1);
  body.material = {kind, 1e5, 0.4, 0.0, 0.01};
  return body;
}

SimulationSettings converged() {
  SimulationSettings settings;
  settings.iterations = 200;
  settings.tolerance = 1e-13;
  return settings;
}

Vec3d centre(const Simulation& simulation, std::size_t body = 0) {
  return simulation.linear_momentum() / simulation.model().body_mass(body);
}

}  // namespace

TEST_CASE("free fall is implicit Euler's, exact to rounding") {
  BodySpec body = block_body();
  body.velocity = {1.0, -2.0, 3.0};
  ModelBuilder builder;
  const Vec3d g{0.5, 0.0, -9.81};
  Simulation simulation(builder.gravity(g).add(body).build());
  const std::vector<Vec3d> start = simulation.positions(0);
  const double h = simulation.settings().time_step;
  for (int n = 1; n <= 200; ++n) {
    simulation.step();
    // v_n = v_0 + n h g,  x_n = x_0 + n h v_0 + h^2 g n (n + 1)/2
    const Vec3d moved = (n * h) * body.velocity + (h * h * 0.5 * n * (n + 1)) * g;
    const std::vector<Vec3d> x = simulation.positions(0), v = simulation.velocities(0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      REQUIRE(norm(x[i] - start[i] - moved) < 1e-12);
      REQUIRE(norm(v[i] - body.velocity - (n * h) * g) < 1e-11);
    }
  }
  CHECK(simulation.statistics().energy.elastic < 1e-12);
}

TEST_CASE("zero force at rest: nothing moves") {
  for (const MaterialKind kind : {MaterialKind::arap, MaterialKind::stable_neo_hookean}) {
    ModelBuilder builder;
    BodySpec body = block_body(kind);
    body.transform.rotation = rotation_from_vector(Vec3d{0.3, -1.2, 0.7});
    body.transform.translation = {1, 2, 3};
    Simulation simulation(builder.gravity({}).add(body).build());
    const std::vector<Vec3d> start = simulation.positions(0);
    for (int n = 0; n < 50; ++n) simulation.step();
    const std::vector<Vec3d> x = simulation.positions(0);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(x[i] - start[i]) < 1e-13);
  }
}

TEST_CASE("momentum of an isolated body over 1,000 frames", "[scene]") {
  for (const MaterialKind kind : {MaterialKind::arap, MaterialKind::stable_neo_hookean}) {
    for (const double beta : {0.0, 0.01}) {
      ModelBuilder builder;
      BodySpec body = block_body(kind);
      body.material.rayleigh_beta = beta;
      body.velocity = {0.3, 0.2, -0.1};
      body.angular_velocity = {2.0, 5.0, -3.0};
      Simulation simulation(builder.gravity({}).add(body).build(), converged());
      const Vec3d p0 = simulation.linear_momentum();
      const double h = simulation.settings().time_step;
      Vec3d before = simulation.angular_momentum();
      const double size = norm(before);
      double worst = 0.0;
      for (int n = 0; n < 1000; ++n) {
        const std::vector<Vec3d> old = simulation.velocities(0);
        simulation.step();
        // L_{n+1} - L_n = h sum m v_{n+1} x v_n (implicit Euler; forces without torque about q_{n+1})
        const std::vector<Vec3d> v = simulation.velocities(0);
        Vec3d expected{};
        const auto& masses = simulation.node_masses(0);
        for (std::size_t i = 0; i < v.size(); ++i) expected += (h * masses[i]) * cross(v[i], old[i]);
        const Vec3d now = simulation.angular_momentum();
        worst = std::max(worst, norm(now - before - expected) / size);
        before = now;
      }
      CHECK(worst < 1e-10);
      CHECK(norm(simulation.linear_momentum() - p0) < 1e-10 * norm(p0));
      CHECK(simulation.statistics().momentum_error < 1e-10);
    }
  }
}

TEST_CASE("a turned scene gives the turned motion", "[scene]") {
  const Mat3d turn = rotation_from_vector(Vec3d{0.4, 1.1, -0.6});
  const auto run = [&](bool turned) {
    BodySpec body = block_body();
    body.angular_velocity = {0.0, 3.0, 1.0};
    Vec3d g{0, 0, -9.81};
    if (turned) {
      body.transform.rotation = turn;
      body.angular_velocity = turn * body.angular_velocity;
      g = turn * g;
    }
    ModelBuilder builder;
    PinSpec pin;
    pin.name = "end";
    pin.body = "block";
    pin.region.shape = Region::Nodes{{0, 4, 8, 12}};
    Simulation simulation(builder.gravity(g).add(body).add(pin).build(), converged());
    for (int n = 0; n < 40; ++n) simulation.step();
    return simulation.positions(0);
  };
  const std::vector<Vec3d> straight = run(false), turned = run(true);
  for (std::size_t i = 0; i < straight.size(); ++i) CHECK(norm(turn * straight[i] - turned[i]) < 1e-8);
}

TEST_CASE("a hanging bar: the pin carries the weight, the bar stretches by Hooke's law", "[scene]") {
  // Slender bar, nu = 0: stretch at the end rho g L^2 / (2 E) at small strain.
  BodySpec body;
  body.name = "bar";
  body.mesh = test::block(1, 1, 12, 0.05);
  body.material = {MaterialKind::stable_neo_hookean, 5e6, 0.0, 0.0, 0.05};
  PinSpec pin;
  pin.name = "top";
  pin.body = "bar";
  pin.region.shape = Region::Box{{-1, -1, 0.599}, {1, 1, 1}};
  ModelBuilder builder;
  Simulation simulation(builder.add(body).add(pin).build(), converged());
  for (int n = 0; n < 400; ++n) simulation.step();
  const double weight = simulation.model().body_mass(0) * 9.81;
  const Wrench reaction = simulation.pin_reaction(0);
  CHECK(reaction.force.z == Approx(weight).epsilon(1e-6));
  CHECK(std::abs(reaction.force.x) < 1e-6 * weight);
  const std::vector<Vec3d> x = simulation.positions(0);
  const double end = (x[0].z + x[1].z + x[2].z + x[3].z) / 4.0;  // corners carry unequal mass: the end tilts
  CHECK(-end == Approx(1000 * 9.81 * 0.36 / (2 * 5e6)).epsilon(0.01));
  CHECK(simulation.statistics().energy.kinetic < 1e-12);
}

TEST_CASE("pins follow their path and forces push: total force is the one asked for") {
  BodySpec body = block_body();
  PinSpec pin;
  pin.name = "left";
  pin.body = "block";
  pin.region.shape = Region::Box{{-1, -1, -1}, {0.01, 1, 1}};
  pin.motion.keyframes = {{0.0, {}, {}}, {1.0, {0, 0, 0.5}, {0, 0, 0}}};
  ModelBuilder builder;
  Simulation moved(builder.gravity({}).add(body).add(pin).build());
  for (int n = 0; n < 100; ++n) moved.step();
  const auto x = moved.positions(0);
  CHECK(norm(x[0] - (body.mesh.nodes[0] + Vec3d{0, 0, 0.5})) < 1e-12);

  ModelBuilder pushed;
  ForceSpec force;
  force.name = "push";
  force.body = "block";
  force.region.shape = Region::Box{{0.25, -1, -1}, {1, 1, 1}};
  force.force = {{0.0}, {{3.0, -1.0, 2.0}}};
  Simulation simulation(pushed.gravity({}).add(body).add(force).build(), converged());
  for (int n = 0; n < 50; ++n) simulation.step();
  CHECK(norm(simulation.linear_momentum() - 0.5 * Vec3d{3.0, -1.0, 2.0}) < 1e-9);
}

TEST_CASE("mass damping slows rigid motion by 1/(1 + h alpha) a frame, stiffness damping does not") {
  for (const double alpha : {0.0, 2.0}) {
    BodySpec body = block_body();
    body.material.rayleigh_alpha = alpha;
    body.material.rayleigh_beta = 0.5;
    body.velocity = {1.0, 0.0, 0.0};
    ModelBuilder builder;
    Simulation simulation(builder.gravity({}).add(body).build(), converged());
    for (int n = 0; n < 30; ++n) simulation.step();
    CHECK(centre(simulation).x == Approx(std::pow(1.0 + 0.01 * alpha, -30.0)).epsilon(1e-10));
  }
}

TEST_CASE("a crushed and inverted block recovers its shape", "[scene]") {
  for (const int kind : {0, 1, 2}) {
    BodySpec body = block_body();
    body.material.rayleigh_beta = 0.05;
    ModelBuilder builder;
    Simulation simulation(builder.gravity({}).add(body).build(), converged());
    test::Random random(7);
    // Through a snapshot: scale the positions to a plane, a point, or a random cloud.
    std::vector<Vec3d> x = simulation.positions(0);
    for (Vec3d& p : x) {
      if (kind == 0) p.z = 0.0;
      if (kind == 1) p = {};
      if (kind == 2) p = random.vector(0.1);
    }
    simulation.set_state(0, x, std::vector<Vec3d>(x.size()));
    for (int n = 0; n < 300; ++n) {
      simulation.step();
      for (const Vec3d& p : simulation.positions(0)) REQUIRE(is_finite(p));
    }
    if (kind == 0) CHECK(simulation.volume(0) == Approx(0.012).epsilon(1e-3));
  }
}

TEST_CASE("a frame that cannot be computed leaves the last good state") {
  BodySpec body = block_body();
  ForceSpec force;
  force.name = "absurd";
  force.body = "block";
  force.region.shape = Region::Nodes{{0}};
  force.force = {{0.0, 0.05, 0.06}, {{}, {}, {1e300, -1e300, 1e300}}};
  ModelBuilder builder;
  Simulation simulation(builder.add(body).add(force).build());
  std::uint64_t good = simulation.state_hash();
  bool thrown = false;
  for (int n = 0; n < 20 && !thrown; ++n) {
    try {
      simulation.step();
      good = simulation.state_hash();
    } catch (const NumericalError& error) {
      thrown = true;
      CHECK(error.body() == "block");
      CHECK(std::string(error.what()).find("body 'block'") != std::string::npos);
    }
  }
  CHECK(thrown);
  CHECK(simulation.state_hash() == good);
  for (const Vec3d& x : simulation.positions(0)) CHECK(is_finite(x));
}
