// Sheets in motion and at rest against closed forms: hanging, stretching, contact, and the same bits always.
#include <algorithm>
#include <cmath>

#include <sinew/simulation.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;

namespace {

constexpr MaterialKind kKinds[] = {MaterialKind::arap, MaterialKind::corotated, MaterialKind::neo_hookean,
                                   MaterialKind::st_venant_kirchhoff};

PinSpec pin_of(const std::string& name, const std::string& body, std::vector<Index> nodes,
               const Vec3d& shift = {}) {
  PinSpec pin;
  pin.name = name;
  pin.body = body;
  pin.region.shape = Region::Nodes{std::move(nodes)};
  if (!(shift == Vec3d{})) pin.motion.keyframes = {{0.0, {}, {}}, {6.0, shift, {}}};
  return pin;
}

/// Frames of large steps bring a body to rest: implicit Euler damps all but the slowest motion.
SimulationSettings to_rest() {
  SimulationSettings settings;
  settings.time_step = 0.1;
  settings.iterations = 200;
  settings.tolerance = 1e-9;
  return settings;
}

void run(Simulation& simulation, int frames) {
  for (int n = 0; n < frames; ++n) simulation.step();
}

struct Middle {
  double stretch, width;  ///< [1] ratios to rest along and across the strip, half way
};

/// A strip along x pulled at both ends, where its width is held; in the middle it is free to narrow.
Middle pulled(MaterialKind kind, double nu, double stretch, Index nx = 48, Index ny = 6) {
  const double cell = 0.02;
  BodySpec spec = test::sheet_body("strip", test::sheet(nx, ny, cell), kind);
  spec.material = {kind, 1e5, nu, 0.0, 0.0};
  ModelBuilder builder;
  builder.gravity({}).add(spec);
  std::vector<Index> left, right;
  for (Index j = 0; j <= ny; ++j) {
    left.push_back(j * (nx + 1));
    right.push_back(j * (nx + 1) + nx);
  }
  builder.add(pin_of("left", "strip", left));
  builder.add(pin_of("right", "strip", right, {(stretch - 1.0) * nx * cell, 0, 0}));
  Simulation simulation(builder.build(), to_rest());
  run(simulation, 80);
  const std::vector<Vec3d> x = simulation.positions(0);
  const Index low = nx / 2, high = ny * (nx + 1) + nx / 2;
  return {norm(x[low + 2] - x[low - 2]) / (4 * cell), norm(x[high] - x[low]) / (ny * cell)};
}

Model draped(double cell) {
  BodySpec spec = test::sheet_body("cloth", test::sheet(16, 16, cell));
  spec.material.young_modulus = 1e4;
  spec.sheet->area_density = 0.3;
  spec.transform.translation = {-8 * cell, -8 * cell + 0.01, 0.21};
  spec.springs = {{{0, 16}, 5.0, {}}};
  ModelBuilder builder;
  builder.add(spec);
  spec.name = "other";
  spec.transform.translation.x += 1.0;
  builder.add(spec);
  ObstacleSpec ball;
  ball.name = "ball";
  ball.shape = SphereShape{0.2};
  builder.add(ball);
  ball.name = "second ball";
  ball.pose.translation = {1, 0, 0};
  builder.add(ball);
  return builder.build();
}

}  // namespace

TEST_CASE("sheets: held at two corners, the pins carry the weight", "[scene]") {
  for (const MaterialKind kind : kKinds) {
    BodySpec spec = test::sheet_body("cloth", test::sheet(6, 6, 0.05), kind);
    spec.material = {kind, 1e5, 0.3, 4.0, 0.01};
    spec.sheet->area_density = 0.2;
    ModelBuilder builder;
    builder.add(spec).add(pin_of("left", "cloth", {42})).add(pin_of("right", "cloth", {48}));
    SimulationSettings settings = to_rest();
    settings.time_step = 0.05;
    Simulation simulation(builder.build(), settings);
    run(simulation, 250);
    const Vec3d left = simulation.pin_reaction(0).force, right = simulation.pin_reaction(1).force;
    const double weight = 0.2 * 0.09 * 9.81;
    CHECK(norm(left + right - Vec3d{0, 0, weight}) < 1e-4 * weight);
    CHECK(std::abs(left.z - right.z) < 0.01 * weight);
    CHECK(left.x < -0.05 * weight);  // the corners pull at each other
    CHECK(simulation.statistics().momentum_error < 1e-5);
  }
}

TEST_CASE("sheets: a strip under its own weight grows by rho g L^2 / (2 E)", "[scene]") {
  const Index nx = 2, ny = 24;
  const double cell = 0.05, length = ny * cell, young = 1e7, density = 1000.0;
  for (const MaterialKind kind : kKinds) {
    BodySpec spec = test::sheet_body("strip", test::sheet(nx, ny, cell), kind);
    spec.material = {kind, young, 0.0, 0.0, 0.0};
    spec.density = density;
    spec.transform.rotation = rotation_from_vector(Vec3d{1.5707963267948966, 0, 0});  // along z
    std::vector<Index> top;
    for (Index i = 0; i <= nx; ++i) top.push_back(ny * (nx + 1) + i);
    ModelBuilder builder;
    builder.add(spec).add(pin_of("top", "strip", top));
    SimulationSettings settings = to_rest();
    settings.time_step = 0.02;  // the prediction must not fold the strip: a sheet knows no side
    Simulation simulation(builder.build(), settings);
    const double start = simulation.positions(0)[1].z;
    run(simulation, 60);
    const double grown = start - simulation.positions(0)[1].z;
    CHECK(grown == Approx(density * 9.81 * length * length / (2.0 * young)).epsilon(5e-3));
    CHECK(simulation.pin_reaction(0).force.z == Approx(simulation.model().body_mass(0) * 9.81).epsilon(1e-6));
  }
}

TEST_CASE("sheets: an undamped sheet in free flight never gains energy", "[scene]") {
  for (const MaterialKind kind : kKinds) {
    BodySpec spec = test::sheet_body("cloth", test::sheet(6, 5, 0.05), kind);
    spec.material = {kind, 1e4, 0.3, 0.0, 0.0};
    spec.angular_velocity = {2.0, 1.0, 5.0};
    ModelBuilder builder;
    builder.gravity({}).add(spec);
    SimulationSettings settings;
    settings.iterations = 100;
    settings.tolerance = 1e-11;
    Simulation simulation(builder.build(), settings);
    std::vector<Vec3d> x = simulation.positions(0);
    const std::vector<Vec3d> v = simulation.velocities(0);
    for (Vec3d& p : x) p += Vec3d{0.2 * p.x, -0.1 * p.y, 0.3 * p.x * p.y + 0.2 * p.x * p.x};
    simulation.set_state(0, x, v);
    double before = simulation.statistics().energy.total();
    CHECK(before > 0.0);
    for (int n = 0; n < 60; ++n) {
      const double after = simulation.step().energy.total();
      CHECK(after <= before * (1.0 + 1e-10));
      before = after;
    }
  }
}

TEST_CASE("sheets: pulled strips narrow as their material says (plane stress)", "[scene]") {
  const double nu = 0.4, ratio = 2.0 * nu / (1.0 - nu);  // lambda of plane stress over mu
  const Middle arap = pulled(MaterialKind::arap, nu, 1.3);
  CHECK(arap.width == Approx(1.0).epsilon(1e-4));
  CHECK(arap.stretch == Approx(1.3).epsilon(1e-4));
  // No stress across: Hooke's law gives s2 - 1 = -nu (s1 - 1), in the stretches for corotated, in the Green
  // strains for St. Venant-Kirchhoff.
  const Middle corotated = pulled(MaterialKind::corotated, nu, 1.3);
  CHECK(corotated.width == Approx(1.0 - nu * (corotated.stretch - 1.0)).epsilon(1e-4));
  const Middle venant = pulled(MaterialKind::st_venant_kirchhoff, nu, 1.3);
  CHECK(venant.width == Approx(std::sqrt(1.0 - nu * (venant.stretch * venant.stretch - 1.0))).epsilon(1e-4));
  // Neo-Hookean: mu (t^2 - 1) + lambda ln(s t) = 0, by Newton.
  const Middle neo = pulled(MaterialKind::neo_hookean, nu, 1.3);
  double t = 1.0;
  for (int n = 0; n < 20; ++n) t -= (t * t - 1.0 + ratio * std::log(neo.stretch * t)) / (2.0 * t + ratio / t);
  CHECK(neo.width == Approx(t).epsilon(1e-4));
  // The clamped ends are stiffer than the middle.
  for (const Middle& m : {corotated, venant, neo}) CHECK(m.stretch > 1.3);
}

TEST_CASE("sheets: a square pulled to twice its length narrows by its material (docs/cloth.md)", "[scene]") {
  const auto width = [](MaterialKind kind) { return pulled(kind, 0.45, 2.0, 16, 16).width; };
  CHECK(width(MaterialKind::arap) == Approx(1.0).epsilon(1e-4));
  CHECK(width(MaterialKind::corotated) == Approx(0.606).margin(0.004));
  CHECK(width(MaterialKind::neo_hookean) == Approx(0.694).margin(0.004));
}

TEST_CASE("sheets: a weight on a strip stretches it as the strain limit says", "[scene]") {
  const Index nx = 2, ny = 10;
  const double cell = 0.02, width = nx * cell, young = 1e5, limit = 0.05;
  BodySpec spec = test::sheet_body("strip", test::sheet(nx, ny, cell));
  spec.material = {MaterialKind::arap, young, 0.0, 0.0, 0.0};
  spec.sheet->strain_limit = limit;
  spec.sheet->area_density = 20.0;  // heavy: the prediction must not fold the pulled row over the next one
  std::vector<Index> top, bottom;
  for (Index i = 0; i <= nx; ++i) {
    bottom.push_back(i);
    top.push_back(ny * (nx + 1) + i);
  }
  // Without a limit the strip would grow by a fifth; beyond it the stiffness is E + 10 E.
  const double force = 0.2 * young * width * spec.sheet->thickness;
  ForceSpec pull;
  pull.name = "pull";
  pull.body = "strip";
  pull.region.shape = Region::Nodes{bottom};
  pull.force = {{0.0}, {{0, -force, 0}}};
  ModelBuilder builder;
  builder.gravity({}).add(spec).add(pin_of("top", "strip", top)).add(pull);
  SimulationSettings settings = to_rest();
  settings.time_step = 0.005;
  Simulation simulation(builder.build(), settings);
  run(simulation, 200);
  const std::vector<Vec3d> x = simulation.positions(0);
  double strain = -1.0;  // mean over the columns, trapezoidal across
  for (const Index i : {0, 1, 1, 2})
    strain += (x[7 * (nx + 1) + i].y - x[4 * (nx + 1) + i].y) / (4 * 3 * cell);
  CHECK(strain == Approx(limit + (0.2 - limit) / 11.0).epsilon(1e-3));
  CHECK(simulation.statistics().residual < 1e-6);
}

TEST_CASE("sheets: in free flight the linear momentum stays, damped or not", "[scene]") {
  for (const MaterialKind kind : kKinds) {
    BodySpec spec = test::sheet_body("cloth", test::sheet(6, 5, 0.05), kind);
    spec.material = {kind, 1e4, 0.3, 0.0, 0.02};
    spec.velocity = {1.0, -2.0, 0.5};
    spec.angular_velocity = {3.0, 1.0, 8.0};
    spec.springs = {{{0, 41}, 20.0, 0.2}};
    ModelBuilder builder;
    builder.gravity({}).add(spec);
    Simulation simulation(builder.build());
    const Vec3d before = simulation.linear_momentum();
    double most = 0.0;
    for (int n = 0; n < 50; ++n) {
      simulation.step();
      most = std::max(most, norm(simulation.linear_momentum() - before));
    }
    CHECK(most < 1e-10 * norm(before));
    CHECK(simulation.area(0) == Approx(0.075).epsilon(0.2));
  }
}

TEST_CASE("sheets: drape over a ball without passing through, and rest by friction", "[scene]") {
  Simulation simulation(draped(0.02));
  double deepest = 0.0;
  std::size_t contacts = 0;
  for (int n = 0; n < 150; ++n) {
    const StepStatistics& s = simulation.step();
    deepest = std::max(deepest, s.max_penetration_m);
    contacts = std::max(contacts, s.active_contacts);
  }
  CHECK(deepest < 1e-6);
  CHECK(contacts > 50);
  for (const Vec3d& x : simulation.positions(0)) CHECK(norm(x) > 0.2 - 1e-6);
  CHECK(simulation.body_contact_wrench(0).force.z ==
        Approx(simulation.model().body_mass(0) * 9.81).epsilon(0.3));
}

TEST_CASE("sheets: any number of threads, restore and instances give the same bits", "[scene]") {
  std::uint64_t first = 0;
  for (const int threads : {1, 2, 5}) {
    SimulationSettings settings;
    settings.threads = threads;
    Simulation simulation(draped(0.02), settings);
    CHECK(simulation.sizes().distinct_bodies == 1);
    run(simulation, 20);
    const Snapshot snapshot = simulation.save();
    run(simulation, 20);
    const std::uint64_t hash = simulation.state_hash();
    if (first == 0) first = hash;
    CHECK(hash == first);
    simulation.restore(snapshot);
    run(simulation, 20);
    CHECK(simulation.state_hash() == first);
  }
}

TEST_CASE("sheets: a different sheet is another run", "[scene]") {
  const auto snapshot_fits = [](auto&& change) {
    BodySpec spec = test::sheet_body("cloth", test::sheet(2, 2, 0.1));
    ModelBuilder builder;
    builder.add(spec);
    const Snapshot snapshot = Simulation(builder.build()).save();
    change(spec);
    ModelBuilder changed;
    changed.add(spec);
    Simulation other(changed.build());
    try {
      other.restore(snapshot);
    } catch (const std::exception&) {
      return false;
    }
    return true;
  };
  CHECK(snapshot_fits([](BodySpec&) {}));
  CHECK_FALSE(snapshot_fits([](BodySpec& b) { b.sheet->thickness *= 2.0; }));
  CHECK_FALSE(snapshot_fits([](BodySpec& b) { b.sheet->area_density = 5.0; }));
  CHECK_FALSE(snapshot_fits([](BodySpec& b) { b.sheet->bending.stiffness = 1.0; }));
  CHECK_FALSE(snapshot_fits([](BodySpec& b) { b.sheet->strain_limit = 1.0; }));
  CHECK_FALSE(snapshot_fits([](BodySpec& b) { b.sheet->bending.model = BendingModel::none; }));
  CHECK_FALSE(snapshot_fits([](BodySpec& b) { b.sheet->bending.flat_rest = true; }));
  CHECK_FALSE(snapshot_fits([](BodySpec& b) { b.springs = {{{0, 1}, 1.0, {}}}; }));
}

TEST_CASE("sheets: start as a line, a point or a random heap and open again", "[scene]") {
  for (const MaterialKind kind : kKinds)
    for (int how = 0; how < 3; ++how) {
      BodySpec spec = test::sheet_body("cloth", test::sheet(6, 6, 0.05), kind);
      spec.material = {kind, 1e4, 0.3, 0.0, 0.0};  // damping would make it slow
      ModelBuilder builder;
      builder.gravity({}).add(spec);
      SimulationSettings settings;
      settings.iterations = 20;
      settings.contact.enabled = false;  // elastic forces alone: a heap touches itself everywhere
      Simulation simulation(builder.build(), settings);
      std::vector<Vec3d> x = simulation.positions(0);
      test::Random random(5);
      for (Vec3d& p : x)
        p = how == 0 ? Vec3d{p.x, 0, 0} : how == 1 ? Vec3d{0.1, 0.2, 0.3} : random.vector(0.2);
      simulation.set_state(0, x, std::vector<Vec3d>(x.size()));
      for (int n = 0; n < 100; ++n) simulation.step();
      for (const Vec3d& p : simulation.positions(0)) CHECK(is_finite(p));
      INFO(to_string(kind));
      if (how == 2) CHECK(simulation.area(0) == Approx(0.09).epsilon(0.2));
    }
}
