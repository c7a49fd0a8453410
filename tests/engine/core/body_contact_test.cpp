// Contact between bodies: islands, forces that are equal and opposite, momentum, bits.
#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;

namespace {

BodySpec cube(const std::string& name, const Vec3d& at, double density = 1000.0) {
  BodySpec body;
  body.name = name;
  body.mesh = test::block(3, 3, 3, 0.1 / 3.0);  // 0.1 m
  body.material.young_modulus = 1e6;
  body.density = density;
  body.transform.translation = at;
  return body;
}

ObstacleSpec floor() {
  ObstacleSpec obstacle;
  obstacle.name = "floor";
  obstacle.shape = HalfSpaceShape{};
  return obstacle;
}

double lowest(const std::vector<Vec3d>& x) {
  double z = x[0].z;
  for (const Vec3d& p : x) z = std::min(z, p.z);
  return z;
}

}  // namespace

TEST_CASE("a cube on a cube: each carries what is above it", "[scene]") {
  ModelBuilder builder;
  builder.add(cube("low", {0, 0, 0})).add(cube("high", {0.013, 0.007, 0.1005})).add(floor());
  Simulation simulation(builder.build());
  for (int n = 0; n < 150; ++n) {
    simulation.step();
    REQUIRE(simulation.statistics().momentum_error < 1e-6);
  }
  const double weight = 9.81 * simulation.model().body_mass(0);
  CHECK(simulation.obstacle_wrench(0).force.z == Approx(-2.0 * weight).epsilon(1e-5));
  CHECK(simulation.pair_wrench(1, 0).force.z == Approx(weight).epsilon(1e-5));
  const Wrench up = simulation.pair_wrench(1, 0, {0.1, 0.2, 0.3}),
               down = simulation.pair_wrench(0, 1, {0.1, 0.2, 0.3});
  CHECK(norm(up.force + down.force) == 0.0);
  CHECK(norm(up.torque + down.torque) == 0.0);
  CHECK(norm(simulation.body_contact_wrench(0).force - Vec3d{0, 0, weight}) < 1e-3 * weight);
  CHECK(lowest(simulation.positions(1)) == Approx(0.1).margin(1e-3));
  CHECK(simulation.statistics().max_creep_m_s < 1e-6);
  CHECK(simulation.count_intersections() == 0);
}

TEST_CASE("two cubes that hit each other in free flight keep momentum", "[scene]") {
  for (const double angle : {0.0, 0.4}) {
    BodySpec a = cube("a", {0, 0, 0}), b = cube("b", {0.15, 0.01, 0.02}, 3000.0);
    b.transform.rotation = rotation_from_vector(Vec3d{0, angle, angle});
    a.velocity = {3, 0, 0};
    ModelBuilder builder;
    Simulation simulation(builder.gravity({}).add(a).add(b).build());
    const Vec3d linear = simulation.linear_momentum();
    bool touched = false;
    for (int n = 0; n < 60; ++n) {
      simulation.step();
      touched = touched || simulation.statistics().active_contacts > 0;
      REQUIRE(norm(simulation.linear_momentum() - linear) < 1e-9 * norm(linear));
    }
    CHECK(touched);
    CHECK(simulation.count_intersections() == 0);
    Vec3d va{}, vb{};
    for (const Vec3d& v : simulation.velocities(0))
      va += v / static_cast<double>(simulation.velocities(0).size());
    for (const Vec3d& v : simulation.velocities(1))
      vb += v / static_cast<double>(simulation.velocities(1).size());
    CHECK(vb.x > va.x);  // they part
  }
}

TEST_CASE("bodies that only come close later leave each other's bits alone", "[scene]") {
  ModelBuilder alone, both;
  Simulation one(alone.add(cube("a", {0, 0, 0.01})).add(floor()).build());
  Simulation two(both.add(cube("a", {0, 0, 0.01})).add(cube("far", {0, 0, 5.0})).add(floor()).build());
  for (int n = 0; n < 50; ++n) {
    one.step();
    two.step();
  }
  CHECK(one.positions(0) == two.positions(0));
}

TEST_CASE("stacks give the same bits for any number of threads, and after restore", "[scene]") {
  std::uint64_t hash = 0;
  for (const int threads : {1, 2, 4}) {
    ModelBuilder builder;
    for (int k = 0; k < 4; ++k)
      builder.add(cube("c" + std::to_string(k), {0.01 * k, 0.004 * k * k, 0.102 * k}));
    SimulationSettings settings;
    settings.threads = threads;
    Simulation simulation(builder.add(floor()).build(), settings);
    for (int n = 0; n < 20; ++n) simulation.step();
    const Snapshot snapshot = simulation.save();
    for (int n = 0; n < 20; ++n) simulation.step();
    if (hash == 0) hash = simulation.state_hash();
    CHECK(simulation.state_hash() == hash);
    simulation.restore(snapshot);
    for (int n = 0; n < 20; ++n) simulation.step();
    CHECK(simulation.state_hash() == hash);
  }
}

TEST_CASE("nsn: scaling by inverse masses is the system's where nothing is stiff, and another elsewhere") {
  // Without stiffness A_s = (1 + h alpha) M, so that h^2 (B M^-1 B^T)_cc is h^2 G_cc to rounding.
  const auto run = [](double young, RowScaling scaling, ContactSolver solver) {
    BodySpec a = cube("a", {0, 0, 0}), b = cube("b", {0.013, 0.007, 0.1005}, 2000.0);
    for (BodySpec* body : {&a, &b}) {
      body->material.young_modulus = young;
      body->material.rayleigh_alpha = 3.0;
      body->velocity = {0.3, 0.1, 0.0};
    }
    ModelBuilder builder;
    builder.add(a).add(b).add(floor());
    SimulationSettings settings;
    settings.contact.solver = solver;
    settings.contact.nsn.scaling = scaling;
    settings.contact.nsn.steps = 1;
    settings.contact.nsn.krylov_iterations = 10;
    Simulation simulation(builder.build(), settings);
    for (int n = 0; n < 4; ++n) simulation.step();
    REQUIRE(simulation.statistics().active_contacts > 0);
    return simulation.positions(0);
  };
  const auto difference = [](const std::vector<Vec3d>& x, const std::vector<Vec3d>& y) {
    double most = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, norm(x[i] - y[i]));
    return most;
  };
  const RowScaling system = RowScaling::system, mass = RowScaling::mass;
  CHECK(difference(run(1e-6, system, ContactSolver::nsn), run(1e-6, mass, ContactSolver::nsn)) < 1e-10);
  CHECK(difference(run(1e6, system, ContactSolver::nsn), run(1e6, mass, ContactSolver::nsn)) > 1e-7);
  CHECK(run(1e6, system, ContactSolver::newton) == run(1e6, mass, ContactSolver::newton));
}
