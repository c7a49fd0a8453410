// G on devices against GramAssembler and a dense inverse.
#include "engine/delassus/device_gram.hpp"

#include <sinew/errors.hpp>

#include "engine/contact/contact_solver.hpp"
#include "engine/delassus/gram.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/engine/delassus/gram_support.hpp"
#include "tests/support/devices.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

std::vector<DenseBody> bodies_on(Device& device, SolverPrecision precision = SolverPrecision::full) {
  const std::shared_ptr<Device> shared{std::shared_ptr<Device>{}, &device};
  SolverSettings settings;
  settings.precision = precision;
  settings.cache = false;
  std::vector<DenseBody> bodies;
  bodies.push_back(dense_body(block_spec(), 0, settings, shared));
  bodies.push_back(dense_body(block_spec(), 16, settings, shared));  // its foot is pinned
  bodies.push_back(dense_body(sheet_body("sheet", sheet(8, 7, 0.02)), 3, settings, shared));
  return bodies;
}

std::vector<double> assembled(DeviceQueue& queue, const PointRows& rows, const std::vector<DenseBody>& bodies,
                              DeviceComplianceTables& tables) {
  DeviceGram gram;
  gram.assemble(queue, rows, prepared_of(bodies), tables);
  std::vector<double> result;
  gram.download(queue, result);
  return result;
}

void check_entries(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::vector<DenseBody> bodies = bodies_on(device);
  for (const std::size_t count : {7u, 33u, 160u}) {
    const PointRows rows = mixed_rows(bodies, count, count);
    DeviceComplianceTables tables;
    const std::vector<double> gram = assembled(*queue, rows, bodies, tables);
    check_matrix(gram, dense_gram(rows, bodies), 1e-12);
    GramAssembler assembler;
    std::vector<double> on_host;
    Executor(2).run([&] { assembler.assemble(rows, prepared_of(bodies), DelassusWay::cache, 0.0, on_host); });
    check_matrix(gram, on_host, 1e-12);
    CHECK(same_bits(assembled(*queue, rows, bodies, tables), gram));
  }
}

void check_mixed_precision(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::vector<DenseBody> bodies = bodies_on(device, SolverPrecision::mixed);
  const PointRows rows = mixed_rows(bodies, 40, 2);
  DeviceComplianceTables tables;
  check_matrix(assembled(*queue, rows, bodies, tables), dense_gram(rows, bodies), 1e-5);
}

void check_history(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::vector<DenseBody> bodies = bodies_on(device);
  const PointRows all = mixed_rows(bodies, 90, 4);
  DeviceComplianceTables tables;
  DeviceGram gram;
  std::vector<double> result;
  for (const std::size_t modulus : {5u, 1u, 3u, 1u, 1000u}) {
    PointRows rows;
    for (std::size_t c = 0; c < all.size(); c += modulus) rows.add(all.row(c), all.count(c));
    const std::size_t columns = gram.assemble(*queue, rows, prepared_of(bodies), tables);
    if (modulus == 3) CHECK(columns == 0);  // all nodes have been touched
    gram.download(*queue, result);
    DeviceComplianceTables fresh;
    CHECK(same_bits(assembled(*queue, rows, bodies, fresh), result));
    const std::uint64_t launches = queue->counters().launches;
    CHECK(gram.assemble(*queue, rows, prepared_of(bodies), tables) == 0);
    CHECK(queue->counters().launches == launches);
    for (std::size_t c = 0; c < rows.size(); ++c) CHECK(gram.diagonal()[c] == result[c * (rows.size() + 1)]);
  }
  gram.assemble(*queue, PointRows{}, prepared_of(bodies), tables);
  CHECK(gram.entries().size == 0);
}

void check_solve(Device& device) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const std::vector<DenseBody> bodies = bodies_on(device);
  Random random(8);
  PointRows rows;
  for (Index node = 0; node < 40; ++node) {
    const ContactTerm term{0, node, 1.0};
    rows.add(&term, 1);
  }
  DeviceComplianceTables tables;
  DeviceGram gram;
  gram.assemble(*queue, rows, prepared_of(bodies), tables);
  ContactProblem thin;
  thin.device_gram = gram.entries();
  thin.gram_diagonal = gram.diagonal();
  thin.resize(rows.size());
  CHECK(thin.gram.empty());
  thin.squared_step = 1e-4;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    thin.frame[c] = make_contact_frame(Vec3d{0, 0, 1});
    thin.friction[c] = 0.5;
    thin.displacement[c] = 1e-3 * (Vec3d{0.3, 0.1, -1.0} + 0.3 * random.vector());
  }
  ContactProblem whole = thin;
  whole.device_gram = {};
  gram.download(*queue, whole.gram);
  ContactSolverSettings settings{500, 1e-11, 0.0, ContactSolver::nsn_gs};
  solve_contacts(whole, settings);
  settings.queue = queue.get();
  const std::uint64_t up = queue->counters().bytes_up;
  CHECK(solve_contacts(thin, settings).converged);
  CHECK(queue->counters().bytes_up - up < 40 * 40 * sizeof(double) + 40 * 500);
  double worst = 0.0, size = 0.0;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    worst = worse(worst, norm(thin.force[c] - whole.force[c]));
    size = std::max(size, norm(whole.force[c]));
  }
  CHECK(worst < 1e-6 * size);
}

}  // namespace

SINEW_DEVICE_TEST("entries of G are those of the host", check_entries)
SINEW_DEVICE_TEST("entries of G from an inverse in float", check_mixed_precision)
SINEW_DEVICE_TEST("entries of G know nothing of what was there before", check_history)
SINEW_DEVICE_TEST("a contact solve with G where it was made", check_solve)

TEST_CASE("emulated: columns that do not fit say what they need, and leave the others good") {
  EmulatedDeviceSettings settings;
  settings.memory = 700000;
  const std::shared_ptr<Device> device = make_emulated_device(settings);
  const std::unique_ptr<DeviceQueue> queue = device->make_queue();
  const std::vector<DenseBody> bodies = [&] {
    std::vector<DenseBody> one;
    SolverSettings solver;
    solver.cache = false;
    one.push_back(dense_body(block_spec(), 0, solver, device));
    return one;
  }();
  const std::size_t n = bodies[0].size;
  PointRows few, many;
  for (std::size_t i = 0; i < n; ++i) {
    const ContactTerm term{0, static_cast<Index>(i), 1.0};
    many.add(&term, 1);
    if (i < 5) few.add(&term, 1);
  }
  DeviceComplianceTables tables;
  DeviceGram gram;
  gram.assemble(*queue, few, prepared_of(bodies), tables);
  std::vector<double> before, after;
  gram.download(*queue, before);
  device->trim();
  std::vector<DeviceBuffer<char>> hog;
  while (device->memory().free >= 16384) hog.emplace_back(*device, 16384, "the rest");
  for (int k = 0; k < 2; ++k) {
    try {
      gram.assemble(*queue, many, prepared_of(bodies), tables);
      FAIL("51 kB in 16 kB");
    } catch (const MemoryError& error) {
      const std::string text = error.what();
      CHECK(text.find("matrix of the contacts") != std::string::npos);
      CHECK(text.find("bytes needed") != std::string::npos);
    }
  }
  hog.pop_back();
  gram.assemble(*queue, few, prepared_of(bodies), tables);
  gram.download(*queue, after);
  CHECK(same_bits(before, after));
}

TEST_CASE("emulated: columns that nobody asks for make room for those that somebody does") {
  EmulatedDeviceSettings settings;
  settings.memory = 900000;
  const std::shared_ptr<Device> device = make_emulated_device(settings);
  const std::unique_ptr<DeviceQueue> queue = device->make_queue();
  SolverSettings solver;
  solver.cache = false;
  const DenseBody body = dense_body(block_spec(), 0, solver, device);
  const LinearSolver& inverse = *body.prepared->solver;
  DeviceCompliance table(*queue, inverse);
  std::vector<Index> first, second;
  for (Index i = 0; i < 32; ++i) first.push_back(i);
  for (Index i = 32; i < 64; ++i) second.push_back(i);
  CHECK(table.require(*queue, first) == 32);
  CHECK(table.require(*queue, first) == 0);
  device->trim();
  std::vector<DeviceBuffer<char>> hog;
  while (device->memory().free >= 4096 + 1024) hog.emplace_back(*device, 4096, "the rest");
  CHECK(table.require(*queue, second) == 32);
  CHECK(table.require(*queue, second) == 0);
  std::vector<Index> both = first;
  both.insert(both.end(), second.begin(), second.end());
  CHECK_THROWS_AS(table.require(*queue, both), MemoryError);
  CHECK(table.require(*queue, first) == 32);  // they had gone
  std::vector<double> column(body.size);
  const double* from = nullptr;
  queue->copy_down(&from, table.columns().column.data + 7, sizeof(from));
  queue->synchronize();
  queue->copy_down(column.data(), from, column.size() * sizeof(double));
  queue->synchronize();
  for (std::size_t i = 0; i < body.size; ++i)
    CHECK(column[i] == Approx(body.at(7, static_cast<Index>(i))).epsilon(1e-10));
}
