// Contact on a device: columns of the inverse, G from them, and solves with it.
#include <algorithm>

#include <fmt/format.h>

#include "benchmarks/device_baselines.hpp"
#include "benchmarks/device_timer.hpp"
#include "engine/contact/contact_solver.hpp"
#include "engine/delassus/device_gram.hpp"
#include "engine/delassus/gram.hpp"
#include "engine/precompute/body_precompute.hpp"
#include "host/staged_solver.hpp"
#include "tests/support/random.hpp"

namespace sinew::bench {

namespace {

constexpr double kBytes = sizeof(double);
constexpr int kSteps = 4;  // of Newton, with 24 products each

/// Points spread over the body, three nodes each.
PointRows spread_rows(std::size_t nodes, std::size_t points) {
  PointRows rows;
  for (std::size_t c = 0; c < points; ++c) {
    ContactTerm term[3];
    for (std::size_t k = 0; k < 3; ++k)
      term[k] = {0, static_cast<Index>((c * nodes / points + k) % nodes), k == 0 ? 0.5 : 0.25};
    rows.add(term, 3);
  }
  return rows;
}

/// Pressed on a plane and pushed along it, some of the points slide.
ContactProblem pressed(const std::vector<double>& gram, std::size_t points) {
  ContactProblem p;
  p.gram = gram;
  p.resize(points);
  p.squared_step = 1e-4;
  test::Random random(7);
  for (std::size_t c = 0; c < points; ++c) {
    p.frame[c] = make_contact_frame(Vec3d{0, 0, 1});
    p.friction[c] = random.uniform(0.1, 0.6);
    p.displacement[c] = 1e-3 * (Vec3d{0.3, 0.1, -1.0} + 0.3 * random.vector());
  }
  return p;
}

DeviceTiming time_columns(DeviceQueue& queue, const LinearSolver& host, const LinearSolver& solver,
                          double seconds) {
  const auto n = static_cast<std::size_t>(host.size());
  const std::size_t count = std::min(n, kWideColumns);
  std::vector<Index> node(count);
  std::vector<double> expected(count * n);
  std::vector<double*> column(count);
  for (std::size_t c = 0; c < count; ++c) {
    node[c] = static_cast<Index>(c * n / count);
    column[c] = expected.data() + c * n;
  }
  const DeviceInverse<double>& inverse = *device_inverse_of(solver).full;
  DeviceTiming t;
  t.operation = fmt::format("{} columns of the inverse", count);
  t.vertices = n;
  t.bytes = static_cast<double>(inverse.bytes()) + kBytes * static_cast<double>(expected.size());
  const auto workspace = host.make_workspace();
  t.host_ms =
      median_ms(seconds, 1, [&] { host.inverse_columns(node.data(), count, column.data(), *workspace); });
  auto wide = inverse.make_wide_workspace(queue.device());
  const auto nodes = to_device(queue, node, "columns");
  DeviceBuffer<double> to(queue.device(), count * n, "columns");
  t.ms = recorded_ms(seconds, queue, [&] { inverse.columns(queue, nodes.view(), to.view(), wide); });
  t.error = relative_difference(to_host(queue, to.cview()), expected);
  return t;
}

/// The whole of a solve: arrays up, steps or sweeps, forces down.
DeviceTiming time_solve(DeviceQueue& queue, const ContactProblem& whole, DeviceGram& gram,
                        ContactSolverSettings settings, double products, double seconds) {
  const std::size_t points = whole.size();
  DeviceTiming t;
  t.bytes = products * kBytes * static_cast<double>(points * points);
  ContactProblem host = whole, start = whole;
  start.gram.clear();
  start.device_gram = gram.entries();
  start.gram_diagonal = gram.diagonal();
  ContactProblem device = start;
  const auto solve = [&](ContactProblem& p, const ContactProblem& from) {
    p.displacement = from.displacement;
    p.force = from.force;
    solve_contacts(p, settings);
  };
  t.host_ms = median_ms(seconds, 1, [&] { solve(host, whole); });
  settings.queue = &queue;
  t.ms = median_ms(seconds, 1, [&] { solve(device, start); });
  t.error = relative_difference(device.force, host.force);
  return t;
}

}  // namespace

std::vector<DeviceTiming> time_contact(DeviceQueue& queue, const BenchSystem& system, std::size_t points,
                                       double seconds) {
  const std::unique_ptr<LinearSolver> host = make_staged_solver(system.matrix, {}, 0.0);
  const std::shared_ptr<Device> device(std::shared_ptr<Device>{}, &queue.device());
  BodyPrecomputed body;
  body.node_count = body.free_count = host->size();
  body.solver = make_device_solver(make_staged_solver(system.matrix, {}, 0.0), device);
  const PointRows rows = spread_rows(static_cast<std::size_t>(host->size()), points);
  std::vector<Index> nodes;
  for (const ContactTerm& term : rows.term) nodes.push_back(term.node);
  body.compliance = std::make_unique<ComplianceCache>(host.get(), nodes, 0.0);
  std::vector<DeviceTiming> timings{time_columns(queue, *host, *body.solver, seconds)};

  DeviceTiming t;
  t.operation = fmt::format("G of {} points from columns", points);
  t.vertices = static_cast<std::size_t>(host->size());
  t.bytes = 4.0 * kBytes * static_cast<double>(points * points);  // G and the mixed columns, written and read
  std::vector<double> expected, got;
  const auto assemble = [&] { GramAssembler().assemble(rows, {&body}, DelassusWay::cache, 0.0, expected); };
  t.host_ms = median_ms(seconds, 1, assemble);
  DeviceComplianceTables tables;
  DeviceGram gram;
  t.ms = median_ms(seconds, 1, [&] {
    gram.reset();
    gram.assemble(queue, rows, {&body}, tables);
  });
  gram.download(queue, got);
  t.error = relative_difference(got, expected);
  timings.push_back(t);

  const ContactProblem problem = pressed(got, points);
  ContactSolverSettings settings{1, 1e-300, 0.0, ContactSolver::nsn};
  settings.nsn.steps = kSteps;
  timings.push_back(time_solve(queue, problem, gram, settings, kSteps * 25.0, seconds));
  timings.back().operation = fmt::format("{} steps of nsn, {} points", kSteps, points);
  settings.solver = ContactSolver::gs;
  timings.push_back(time_solve(queue, problem, gram, settings, 1.0, seconds));
  timings.back().operation = fmt::format("one sweep of gs, {} points", points);
  return timings;
}

}  // namespace sinew::bench
