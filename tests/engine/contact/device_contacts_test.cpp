// Contact solvers on devices against those of the host: one sweep or step after the other, and answers.
#include "engine/contact/device_contacts.hpp"

#include <sinew/errors.hpp>

#include "engine/contact/gauss_seidel.hpp"
#include "engine/contact/recorded_problem.hpp"
#include "engine/contact/residuals.hpp"
#include "tests/engine/contact/contact_problems.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/test_data.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double kSame = 1e-9;  // relative, after a few sweeps or steps: rounding, multiplied by the problem
const std::vector<std::size_t> kCounts = {1, 31, 32, 33, 100};

/// Contacts, and from five points on every other law, scalar rows of both kinds and a term of low rank.
ContactProblem problem_of(std::size_t count, std::size_t rank) {
  ContactProblem p = body_on_plane(count, 1.0, 0.5, count);
  if (rank > 0) add_rank(p, rank, count + 1);
  if (count < 5) return p;
  p.law.assign(count, PointLaw::contact);
  p.held_compliance.assign(count, 0.0);
  for (std::size_t c = 2; c < count; c += 7) p.law[c] = PointLaw::none;
  for (std::size_t c = 4; c < count; c += 11) {
    p.law[c] = PointLaw::held;
    p.held_compliance[c] = c % 2 == 0 ? 2e-5 : 0.0;
  }
  for (int s = 0; s < 3; ++s) {
    ScalarRow row;
    row.entry = {
        {Index(s), Vec3d{0.3, 0.1 * s, 1.0}}, {Index(count - 1), Vec3d{0, 1, -0.5}}, {2, Vec3d{1, 0, 0}}};
    row.offset = 1e-4 * (s - 1);
    row.compliance = s == 1 ? 0.0 : 1e-5;
    row.one_sided = s > 0;
    row.force = s;
    p.scalar.push_back(row);
  }
  Random random(3);
  for (std::size_t c = 0; c < count; c += 3)
    if (p.law[c] == PointLaw::contact) p.force[c] = 2.0 * p.frame[c].n + 0.1 * random.vector();
  return p;
}

double difference(const ContactProblem& a, const ContactProblem& b) {
  double force = 0.0, force_size = 1e-300, move = 0.0, move_size = 1e-300;
  for (std::size_t c = 0; c < a.size(); ++c) {
    force = test::worse(force, norm(a.force[c] - b.force[c]));
    force_size = std::max(force_size, norm(b.force[c]));
    move = test::worse(move, norm(a.displacement[c] - b.displacement[c]));
    move_size = std::max(move_size, norm(b.displacement[c]));
  }
  for (std::size_t s = 0; s < a.scalar.size(); ++s) {
    force = test::worse(force, std::abs(a.scalar[s].force - b.scalar[s].force));
    force_size = std::max(force_size, std::abs(b.scalar[s].force));
  }
  return std::max(force / force_size, move / move_size);
}

bool equal_bits(const ContactProblem& a, const ContactProblem& b) {
  for (std::size_t s = 0; s < a.scalar.size(); ++s)
    if (a.scalar[s].force != b.scalar[s].force) return false;
  return same_bits(a.force, b.force) && same_bits(a.displacement, b.displacement);
}

/// 0: open; 1: sticks; 2: slides.
int verdict(const ContactProblem& p, std::size_t c) {
  const double n = dot(p.frame[c].n, p.force[c]);
  const double t = std::hypot(dot(p.frame[c].t1, p.force[c]), dot(p.frame[c].t2, p.force[c]));
  if (!(p.compliance(c) * n > 1e-8)) return 0;
  return t < (1.0 - 1e-4) * p.friction[c] * n ? 1 : 2;
}

/// Solves on host and device; equal answers, and the same bits once more.
void check_equal(DeviceQueue& queue, const ContactProblem& start, ContactSolverSettings settings,
                 double tolerance, bool same_work = true) {
  ContactProblem host = start, device = start, again = start;
  const ContactReport on_host = solve_contacts(host, settings);
  settings.queue = &queue;
  const ContactReport on_device = solve_contacts(device, settings);
  CHECK(difference(device, host) < tolerance);
  CHECK(on_device.sweeps == on_host.sweeps);
  CHECK(on_device.newton_steps == on_host.newton_steps);
  if (same_work) CHECK(on_device.products == on_host.products);
  CHECK(on_device.converged == on_host.converged);
  CHECK(displacement_error(start, device) < 1e-12);
  solve_contacts(again, settings);
  CHECK(equal_bits(device, again));
  CHECK(device.gram == start.gram);
}

void check_sweeps(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t count : kCounts)
    for (const std::size_t rank : {0u, 1u, 40u})
      for (const int sweeps : {1, 3}) {
        INFO(count << " points, rank " << rank << ", " << sweeps << " sweeps");
        check_equal(*queue, problem_of(count, rank), {sweeps, 1e-300, 0.0, ContactSolver::gs, true}, kSame);
      }
  check_equal(*queue, problem_of(1000, 3), {1, 1e-300, 0.0, ContactSolver::gs, true}, kSame);
}

void check_mixed_sweeps(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const std::size_t count : kCounts)
    check_equal(*queue, problem_of(count, 2), {9, 1e-300, 0.0, ContactSolver::gs}, 1e-6);
}

void check_steps(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  ContactSolverSettings settings{100, 1e-9, 0.0, ContactSolver::nsn};
  for (const std::size_t count : kCounts)
    for (const std::size_t rank : {0u, 40u})
      for (const NewtonForm form : {NewtonForm::exact, NewtonForm::published})
        for (const int iterations : {1, 5})
          for (const int steps : {1, 3}) {
            INFO(count << " points, rank " << rank << ", published " << (form == NewtonForm::published)
                       << ", " << iterations << " iterations, " << steps << " steps");
            settings.nsn = {form, RowScaling::system, steps, iterations};
            ContactProblem p = problem_of(count, rank);
            check_equal(*queue, p, settings, kSame);
            settings.nsn.scaling = RowScaling::mass;
            for (std::size_t c = 0; c < count; ++c) p.mass_gram.push_back(3.0 + 0.1 * static_cast<double>(c));
            check_equal(*queue, p, settings, kSame);
          }
  settings.nsn = {NewtonForm::exact, RowScaling::system, 1, 4};
  check_equal(*queue, problem_of(1000, 3), settings, kSame);
}

void check_functions(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  ContactProblem host = problem_of(33, 2), on_device = host;
  ContactSolverSettings settings{100, 1e-9, 0.0, ContactSolver::nsn};
  settings.nsn.steps = 2;
  NonsmoothStop stop;
  stop.function = Complementarity::minimum_map;
  solve_nonsmooth_newton(host, settings, stop);
  settings.queue = queue.get();
  solve_nonsmooth_on_device(on_device, settings, stop);
  CHECK(difference(on_device, host) < kSame);
}

void check_checkpoints(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  ContactSolverSettings settings{3, 1e-9, 0.0, ContactSolver::nsn};
  settings.nsn.krylov_iterations = 1000;  // ends at krylov_relative long before
  check_equal(*queue, problem_of(100, 2), settings, 1e-6, false);
  settings.nsn.krylov_iterations = 130;
  settings.nsn.steps = 1;
  ContactProblem p = problem_of(12, 0);
  settings.queue = queue.get();
  solve_contacts(p, settings);
  CHECK(std::isfinite(measure(p).worst()));
}

void check_answers(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const ContactSolver solver : {ContactSolver::gs, ContactSolver::nsn_gs})
    for (const std::size_t count : {3u, 40u, 150u}) {
      const ContactProblem start = body_on_plane(count, 1.0, 0.2, 10 + count);
      ContactProblem host = start, p = start;
      ContactSolverSettings settings{2000, 1e-13, 0.0, solver};
      CHECK(solve_contacts(host, settings).converged);
      settings.queue = queue.get();
      CHECK(solve_contacts(p, settings).converged);
      CHECK(natural_map_residual(p) < 1e-11);
      CHECK(difference(p, host) < 1e-6);
      for (std::size_t c = 0; c < count; ++c) CHECK(verdict(p, c) == verdict(host, c));
    }
}

void check_recorded(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  for (const char* name : {"card_house", "leaning_cards", "near_points", "obstacles", "rollers"}) {
    INFO(name);
    const RecordedProblem recorded = load_problem(test::test_data() + "/contact/" + name + ".contact");
    for (const ContactSolver solver : {ContactSolver::gs, ContactSolver::nsn_gs}) {
      ContactProblem host = recorded.problem, p = recorded.problem;
      ContactSolverSettings settings{300, recorded.tolerance, recorded.relative, solver};
      solve_contacts(host, settings);
      settings.queue = queue.get();
      solve_contacts(p, settings);
      // Hard ones end at a limit, where rounding has had its say: as good as the host, not the same.
      const double before = measure(recorded.problem).worst(), reached = measure(host).worst();
      CHECK(measure(p).worst() <= std::max(10.0 * recorded.tolerance, 5.0 * reached));
      CHECK(measure(p).worst() <= before);
      CHECK(displacement_error(recorded.problem, p) < 1e-9);
    }
  }
}

void check_waits(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  ContactSolverSettings settings{100, 1e-9, 0.0, ContactSolver::nsn};
  settings.queue = queue.get();
  const auto count = [&](int steps) {
    settings.nsn.steps = steps;
    ContactProblem p = body_on_plane(40, 1.0, 0.5, 2);
    const QueueCounters before = queue->counters();
    solve_contacts(p, settings);
    return std::pair(queue->counters().waits - before.waits, queue->counters().launches - before.launches);
  };
  CHECK(count(1).first == count(3).first);
  const auto [waits, launches] = count(5);  // recorded from the fourth on
  const auto [more_waits, more_launches] = count(10);
  CHECK(waits == more_waits);
  CHECK(waits == count(1).first);
  // 24 iterations of 5 launches, 10 others and the copy down.
  if (device.is_emulated()) CHECK(more_launches - launches == 5 * (24 * 5 + 11));
}

void check_gram_on_device(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  ContactProblem whole = body_on_plane(70, 1.0, 0.5, 5);
  for (std::size_t c = 0; c < 70; ++c) whole.diagonal(c) += 0.1;
  DeviceBuffer<double> gram = to_device(*queue, body_on_plane(70, 1.0, 0.5, 5).gram, "test");
  ContactProblem thin = whole;
  thin.device_gram = gram.view();
  thin.gram.clear();
  for (std::size_t c = 0; c < 70; ++c) thin.gram_diagonal.push_back(whole.diagonal(c));
  for (const ContactSolver solver : {ContactSolver::gs, ContactSolver::nsn, ContactSolver::nsn_gs}) {
    ContactSolverSettings settings{20, 1e-9, 0.0, solver};
    settings.queue = queue.get();
    ContactProblem a = whole, b = thin;
    const std::uint64_t before = queue->counters().bytes_up;
    solve_contacts(b, settings);
    CHECK(queue->counters().bytes_up - before < 70 * 70 * sizeof(double));
    solve_contacts(a, settings);
    CHECK(equal_bits(a, b));
    CHECK(natural_map_residual(a) == natural_map_residual(b));
  }
}

}  // namespace

SINEW_DEVICE_TEST("sweeps of Gauss-Seidel are those of the host, one by one", check_sweeps)
SINEW_DEVICE_TEST("sweeps mixed by Anderson's method are those of the host", check_mixed_sweeps)
SINEW_DEVICE_TEST("Newton steps are those of the host, one by one", check_steps)
SINEW_DEVICE_TEST("the minimum map", check_functions)
SINEW_DEVICE_TEST("many iterations stop at checkpoints", check_checkpoints)
SINEW_DEVICE_TEST("answers and verdicts are those of the host", check_answers)
SINEW_DEVICE_TEST("recorded problems are solved as well as on the host", check_recorded)
SINEW_DEVICE_TEST("a fixed number of Newton steps is one wait", check_waits)
SINEW_DEVICE_TEST("a matrix that is on the device stays there", check_gram_on_device)

TEST_CASE("emulated: contact solvers do not depend on the order of threads and blocks") {
  std::vector<ContactProblem> answers;
  for (const std::shared_ptr<Device>& device : emulated_devices()) {
    const std::unique_ptr<DeviceQueue> queue = device->make_queue();
    ContactProblem p = problem_of(100, 3);
    ContactSolverSettings settings{20, 1e-12, 0.0, ContactSolver::nsn_gs};
    settings.queue = queue.get();
    solve_contacts(p, settings);
    answers.push_back(p);
  }
  CHECK(equal_bits(answers[0], answers[1]));
}

TEST_CASE("emulated: a matrix that does not fit says what it needs") {
  EmulatedDeviceSettings small;
  small.memory = 100000;
  const std::shared_ptr<Device> device = make_emulated_device(small);
  const std::unique_ptr<DeviceQueue> queue = device->make_queue();
  ContactProblem p = body_on_plane(200, 1.0, 0.5, 1);
  ContactSolverSettings settings{20, 1e-12, 0.0, ContactSolver::nsn};
  settings.queue = queue.get();
  try {
    solve_contacts(p, settings);
    FAIL("320 kB in 100 kB");
  } catch (const MemoryError& error) {
    CHECK(std::string(error.what()).find("matrix of the contacts") != std::string::npos);
  }
}
