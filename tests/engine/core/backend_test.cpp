// Frames on a device against frames on the host.
#include <sinew/errors.hpp>
#include <sinew/simulation.hpp>

#include "tests/support/devices.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;

namespace {

BodySpec block(const std::string& name, const Vec3d& at) {
  BodySpec body;
  body.name = name;
  body.mesh = test::block(2, 2, 2, 0.05);
  body.material.kind = MaterialKind::stable_neo_hookean;
  body.material.young_modulus = 1e5;
  body.material.rayleigh_beta = 0.01;
  body.transform.translation = at;
  return body;
}

/// One or two blocks, one on the other, on a plane that is steep (tan a = 0.316) for one coefficient of
/// friction and not for another.
Model slope(double friction, int blocks) {
  ModelBuilder builder;
  builder.add(block("lower", {0.0, 0.0, 0.001}));
  if (blocks > 1) builder.add(block("upper", {0.01, 0.0, 0.103}));
  builder.add(ObstacleSpec{"floor", HalfSpaceShape{}, {}, {}, friction, {}});
  builder.gravity({9.81 * 0.3, 0.0, -9.81 * 0.95});
  return builder.build();
}

Model drape() {
  ModelBuilder builder;
  BodySpec sheet = test::sheet_body("sheet", test::sheet(10, 10, 0.05), MaterialKind::neo_hookean);
  sheet.transform.translation = {-0.25, -0.25, 0.26};
  builder.add(sheet);
  builder.add(ObstacleSpec{"ball", SphereShape{0.25}, {}, {}, 0.4, {}});
  return builder.build();
}

struct Outcome {
  std::vector<Vec3d> position;
  Vec3d force;            ///< [N] of the obstacle on the bodies
  double sticking = 0.0;  ///< [1] share of the normal force on obstacles at points that stick
};

Outcome run(const Model& model, SimulationSettings settings, int frames) {
  settings.solver.cache = false;
  Simulation simulation(model, settings);
  CHECK((simulation.backend_name() == "cpu") == (settings.backend == Backend::cpu));
  for (int k = 0; k < frames; ++k) simulation.step();
  Outcome outcome;
  for (std::size_t b = 0; b < model.body_count(); ++b)
    for (const Vec3d& x : simulation.positions(b)) outcome.position.push_back(x);
  double normal = 0.0, stuck = 0.0;
  for (const ContactForce& c : simulation.contact_forces()) {
    if (c.obstacle < 0) continue;
    outcome.force += c.normal_force * c.normal + c.tangential_force;
    normal += c.normal_force;
    if (c.state == ContactState::stick) stuck += c.normal_force;
  }
  CHECK(normal > 0.0);
  outcome.sticking = stuck / normal;
  return outcome;
}

Outcome run(const Model& model, Backend backend, int frames, int threads = 0,
            SolverPrecision precision = SolverPrecision::full) {
  SimulationSettings settings;
  settings.backend = backend;
  settings.threads = threads;
  settings.solver.precision = precision;
  return run(model, settings, frames);
}

double farthest(const Outcome& a, const Outcome& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.position.size(); ++i)
    worst = test::worse(worst, norm(a.position[i] - b.position[i]));
  return worst;
}

/// Solves differ in the last digits. A block keeps that; bodies on each other and cloth, whose contact forces
/// are many and whose frames are not solved to the end, multiply it from frame to frame: there few are
/// compared.
void check_frames(Backend backend) {
  for (const double friction : {0.1, 0.9}) {
    INFO("friction " << friction);
    const Model one = slope(friction, 1), two = slope(friction, 2);
    const Outcome got = run(one, backend, 12), expected = run(one, Backend::cpu, 12);
    CHECK(farthest(got, expected) < 1e-10);
    CHECK(norm(got.force - expected.force) < 1e-6 * norm(expected.force));
    CHECK(got.sticking == Approx(expected.sticking).margin(1e-6));
    CHECK((got.sticking > 0.5) == (friction > 0.5));
    CHECK(farthest(run(two, backend, 5), run(two, Backend::cpu, 5)) < 1e-6);
  }
  CHECK(farthest(run(drape(), backend, 9), run(drape(), Backend::cpu, 9)) < 1e-6);
}

}  // namespace

TEST_CASE("emulated: frames end where those of the host end, and stick or slip alike", "[scene]") {
  check_frames(Backend::emulated);
}

TEST_CASE("cuda: frames end where those of the host end, and stick or slip alike", "[gpu]") {
  test::on_cuda([](Device&) { check_frames(Backend::cuda); });
}

TEST_CASE("emulated: the same bits for any number of threads, floats near the host's", "[scene]") {
  const Model two = slope(0.6, 2), one = slope(0.6, 1);
  CHECK(test::same_bits(run(two, Backend::emulated, 12, 1).position,
                        run(two, Backend::emulated, 12, 4).position));
  CHECK(farthest(run(one, Backend::emulated, 12, 1, SolverPrecision::mixed),
                 run(one, Backend::cpu, 12, 1, SolverPrecision::mixed)) < 1e-6);
}

namespace {

void check_ways(Backend backend) {
  for (const ContactSolver solver : {ContactSolver::gs, ContactSolver::nsn, ContactSolver::nsn_gs})
    for (const bool hybrid : {false, true}) {
      INFO(static_cast<int>(solver) << " hybrid " << hybrid);
      SimulationSettings settings;
      settings.contact.solver = solver;
      settings.iterations = 10;
      settings.backend = Backend::cpu;
      const Outcome expected = run(slope(0.6, 1), settings, 8);
      settings.backend = backend;
      settings.hybrid = hybrid;
      const Outcome got = run(slope(0.6, 1), settings, 8);
      // nsn alone stops some 1e-6 m before the law is met: how far, follows rounding.
      CHECK(farthest(got, expected) < (solver == ContactSolver::nsn ? 1e-5 : 1e-8));
      CHECK(got.sticking == Approx(expected.sticking).margin(1e-6));
    }
}

BodySpec bar() {
  BodySpec body = block("bar", {});
  body.mesh = test::block(4, 4, 16, 0.05);
  body.velocity = {0.0, 0.0, 1.0};
  body.angular_velocity = {0.0, 5.0, 0.0};
  return body;
}

/// A frame that meets nothing: what goes over the bus does not grow with the body, and waits are few.
void check_traffic(Backend backend) {
  ModelBuilder builder;
  builder.add(bar());
  const Model model = builder.build();
  SimulationSettings settings;
  settings.backend = backend;
  settings.solver.cache = false;
  Simulation simulation(model, settings);
  for (int k = 0; k < 4; ++k) simulation.step();
  const DeviceWork work = simulation.device_work();
  const StepStatistics& frame = simulation.statistics();
  INFO(work.waits << " waits, " << work.bytes_up << " up, " << work.bytes_down << " down");
  CHECK(frame.iterations == settings.iterations);
  const std::uint64_t evaluations =
      static_cast<std::uint64_t>(frame.iterations + frame.line_search_steps) + 2;  // two at the start
  CHECK(work.waits <= static_cast<std::uint64_t>(frame.iterations) + evaluations + 3);
  const std::size_t nodal = simulation.positions(0).size() * sizeof(Vec3d);
  CHECK(work.bytes_up < 2 * nodal);
  CHECK(work.bytes_down < nodal);
  settings.backend = Backend::cpu;
  Simulation host(model, settings);
  host.step();
  CHECK(host.device_work().launches == 0);
  CHECK(host.device_positions(0) == nullptr);
  std::vector<float> floats(3 * nodal);
  CHECK_THROWS_AS(host.write_positions(0, floats.data()), ModelError);
}

/// The matrix of the contacts stands on the device, unless another way is asked for.
void check_matrix(Backend backend) {
  BodySpec body = block("block", {0.0, 0.0, 0.001});
  body.mesh = test::block(8, 8, 2, 0.02);
  ModelBuilder builder;
  builder.add(body);
  builder.add(ObstacleSpec{"floor", HalfSpaceShape{}, {}, {}, 0.5, {}});
  const Model model = builder.build();
  std::uint64_t up[2] = {};
  for (const DelassusWay way : {DelassusWay::cache, DelassusWay::gram}) {
    SimulationSettings settings;
    settings.backend = backend;
    settings.solver.cache = false;
    settings.contact.solver = ContactSolver::nsn;
    settings.contact.delassus = way;
    Simulation simulation(model, settings);
    for (int k = 0; k < 4; ++k) simulation.step();
    CHECK(simulation.statistics().contacts == 81);
    up[way == DelassusWay::gram] = simulation.device_work().bytes_up;
  }
  CHECK(up[0] + 81 * 81 * sizeof(double) <= up[1]);
}

void check_interop(Backend backend) {
  const std::shared_ptr<Device> device =
      backend == Backend::cuda ? make_cuda_device() : make_emulated_device();
  const std::unique_ptr<DeviceQueue> queue = device->make_queue();
  SimulationSettings settings;
  settings.backend = backend;
  settings.solver.cache = false;
  Simulation simulation(slope(0.6, 2), settings);
  for (int k = 0; k < 3; ++k) {
    for (std::size_t b = 0; b < 2; ++b) {
      const std::vector<Vec3d> expected = simulation.positions(b);
      std::vector<Vec3d> got(expected.size());
      queue->copy_down(got.data(), simulation.device_positions(b), got.size() * sizeof(Vec3d));
      queue->synchronize();
      CHECK(test::same_bits(got, expected));
      DeviceBuffer<float> floats(*device, 3 * expected.size(), "test");
      simulation.write_positions(b, floats.data());
      const std::vector<float> narrow = test::download(*queue, floats);
      for (std::size_t i = 0; i < narrow.size(); ++i)
        CHECK(narrow[i] == static_cast<float>(expected[i / 3][static_cast<int>(i % 3)]));
    }
    simulation.step();
    // What is set from outside is what the device goes on with.
    if (k == 0) simulation.set_state(0, simulation.positions(0), simulation.velocities(0));
  }
}

/// Back to a snapshot, and to the start: the same bits.
void check_returns(Backend backend) {
  SimulationSettings settings;
  settings.backend = backend;
  settings.solver.cache = false;
  settings.device_times = true;
  Simulation simulation(slope(0.6, 2), settings);
  const auto go = [&](int frames) {
    for (int k = 0; k < frames; ++k) simulation.step();
    return simulation.state_hash();
  };
  go(3);
  const Snapshot snapshot = simulation.save();
  const std::uint64_t later = go(3);
  simulation.restore(snapshot);
  CHECK(go(3) == later);
  simulation.reset();
  CHECK(go(6) == later);
  bool local = false;
  for (const DeviceStage& stage : simulation.device_stages()) {
    local = local || (stage.name == "local step" && stage.count > 0);
    CHECK(stage.ms >= 0.0);
  }
  CHECK(local);
}

}  // namespace

TEST_CASE("emulated: contact solvers of the device, elements on either side", "[scene]") {
  check_ways(Backend::emulated);
}
TEST_CASE("cuda: contact solvers of the device, elements on either side", "[gpu]") {
  test::on_cuda([](Device&) { check_ways(Backend::cuda); });
}
TEST_CASE("emulated: what a free frame copies and waits for", "[scene]") {
  check_traffic(Backend::emulated);
}
TEST_CASE("cuda: what a free frame copies and waits for", "[gpu]") {
  test::on_cuda([](Device&) { check_traffic(Backend::cuda); });
}
TEST_CASE("emulated: the matrix of the contacts does not travel", "[scene]") {
  check_matrix(Backend::emulated);
}
TEST_CASE("cuda: the matrix of the contacts does not travel", "[gpu]") {
  test::on_cuda([](Device&) { check_matrix(Backend::cuda); });
}
TEST_CASE("emulated: positions as they stand on the device", "[scene]") {
  check_interop(Backend::emulated);
}
TEST_CASE("cuda: positions as they stand on the device", "[gpu]") {
  test::on_cuda([](Device&) { check_interop(Backend::cuda); });
}
TEST_CASE("emulated: snapshots and resets bring back the same bits", "[scene]") {
  check_returns(Backend::emulated);
}
TEST_CASE("cuda: snapshots and resets bring back the same bits", "[gpu]") {
  test::on_cuda([](Device&) { check_returns(Backend::cuda); });
}

TEST_CASE("a body held as a whole carries another, on the host and on a device", "[scene]") {
  ModelBuilder builder;
  builder.add(block("table", {}));
  builder.add(block("load", {0.01, 0.0, 0.1015}));
  PinSpec pin;
  pin.name = "held";
  pin.body = "table";
  pin.region.shape = Region::Box{{-1, -1, -1}, {1, 1, 1}};
  builder.add(pin);
  const Model model = builder.build();
  std::vector<Vec3d> position[2];
  for (const Backend backend : {Backend::cpu, Backend::emulated}) {
    SimulationSettings settings;
    settings.backend = backend;
    settings.solver.cache = false;
    Simulation simulation(model, settings);
    for (int k = 0; k < 12; ++k) simulation.step();
    position[backend == Backend::emulated] = simulation.positions(1);
    CHECK(simulation.pair_wrench(1, 0).force.z > 0.0);
    CHECK(simulation.pin_reaction(0).force.z > 0.0);
  }
  for (std::size_t i = 0; i < position[0].size(); ++i) CHECK(norm(position[0][i] - position[1][i]) < 1e-8);
}

TEST_CASE("emulated: a prediction without bounds is told as such") {
  BodySpec body = block("block", {0.0, 0.0, 0.5});
  body.velocity = {0.0, 0.0, -1e308};
  ModelBuilder builder;
  builder.add(body);
  builder.add(ObstacleSpec{"floor", HalfSpaceShape{}, {}, {}, 0.5, {}});
  for (const Backend backend : {Backend::cpu, Backend::emulated}) {
    SimulationSettings settings;
    settings.backend = backend;
    settings.time_step = 10.0;
    settings.solver.cache = false;
    Simulation simulation(builder.build(), settings);
    const std::uint64_t before = simulation.state_hash();
    try {
      simulation.step();
      FAIL("1e309 m are no place");
    } catch (const NumericalError& error) {
      CHECK(std::string(error.what()).find("after the prediction") != std::string::npos);
    }
    CHECK(simulation.state_hash() == before);
  }
}

TEST_CASE("backend: what a device cannot do, and snapshots of another one, say so") {
  SimulationSettings settings;
  settings.backend = Backend::emulated;
  settings.solver.global = GlobalSolver::triangular;
  try {
    Simulation simulation(slope(0.5, 1), settings);
    FAIL("substitution has no form for devices");
  } catch (const BackendError& error) {
    CHECK(std::string(error.what()).find("only solver.global 'staged' runs there") != std::string::npos);
  }
  settings.solver.global = GlobalSolver::automatic;
  Simulation emulated(slope(0.5, 1), settings);
  CHECK(emulated.backend_name() == "the emulated device");
  settings.backend = Backend::cpu;
  Simulation host(slope(0.5, 1), settings);
  CHECK(host.backend_name() == "cpu");
  CHECK_THROWS_AS(host.restore(emulated.save()), Error);
}
