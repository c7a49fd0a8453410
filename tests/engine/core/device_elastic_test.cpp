// The local step on devices against the local step of the host.
#include <cmath>

#include "engine/elastic/device_elastic.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/engine/core/local_kernels_support.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// A body away from rest, with random start, prediction and positions.
struct Case {
  std::shared_ptr<BodyPrecomputed> body;
  std::vector<Vec3d> start, predicted, position;

  Case(const BodySpec& spec, double size) {
    ModelBuilder builder;
    builder.add(spec);
    const Model model = builder.build();
    const BodyData& data = model.data().bodies[0];
    body = precompute_body(data, std::vector<char>(data.start_position.size(), 0), kTimeStep,
                           SolverSettings{}, 0.0);
    Random random(22);
    for (const Index user : body->to_user) start.push_back(data.start_position[user]);
    predicted = position = start;
    for (Vec3d& x : start) x += random.vector(0.2 * size);
    for (Vec3d& x : predicted) x += random.vector(size);
    for (Vec3d& x : position) x += random.vector(size);
  }
};

BodySpec solid(MaterialKind kind, double beta, Index cells) {
  BodySpec body;
  body.name = "block";
  body.mesh = block(cells, cells, 2 * cells, 0.05);
  body.material = {kind, 1e5, 0.35, 0.5, beta};
  return body;
}

BodySpec cloth(MaterialKind kind, double beta, BendingModel bending, double limit) {
  BodySpec spec = sheet_body("sheet", sheet(20, 20, 0.05), kind);
  spec.material = {kind, 1e4, 0.3, 0.5, beta};
  spec.sheet->thickness = 2e-3;
  spec.sheet->bending.model = bending;
  if (limit >= 0.0) spec.sheet->strain_limit = limit;
  return spec;
}

Result on_host(const Case& c) {
  Result r{{}, std::vector<Vec3d>(c.position.size())};
  ElasticWorkspace workspace;
  begin_elastic_frame(*c.body, c.start.data(), workspace);
  r.energy = evaluate_elastic(*c.body, {kTimeStep, c.predicted.data(), c.start.data()}, c.position.data(),
                              workspace, r.gradient.data());
  return r;
}

/// Two evaluations: the second one must have the same bits.
Result on_device(Device& device, const Case& c) {
  const std::unique_ptr<DeviceQueue> queue = device.make_queue();
  const DeviceBody body(*queue, *c.body);
  DeviceElastic elastic(device, body);
  const auto start = to_device(*queue, c.start, "test"), predicted = to_device(*queue, c.predicted, "test");
  const auto position = to_device(*queue, c.position, "test");
  DeviceBuffer<Vec3d> gradient(device, c.position.size(), "test");
  std::vector<Result> results;
  elastic.begin_frame(*queue, start.view());
  const std::uint64_t waits = queue->counters().waits;
  for (int k = 0; k < 2; ++k) {
    elastic.evaluate(*queue, kTimeStep, predicted.view(), start.view(), position.view(), gradient.view());
    elastic.energy_down(*queue);
    CHECK(queue->counters().waits == waits + static_cast<std::uint64_t>(k));  // nothing waits in between
    const std::vector<Vec3d> g = download(*queue, gradient);
    results.push_back({elastic.energy(kTimeStep), g});
  }
  CHECK(same_bits(results[0].gradient, results[1].gradient));
  CHECK(results[0].energy.merit == results[1].energy.merit);
  CHECK(same_bits(download(*queue, position), c.position));
  return results[0];
}

void check(Device& device, const Case& c) {
  const Result expected = on_host(c), got = on_device(device, c);
  CHECK(got.energy.merit == Approx(expected.energy.merit).epsilon(1e-12));
  CHECK(got.energy.elastic == Approx(expected.energy.elastic).epsilon(1e-12));
  CHECK(largest(difference(got.gradient, expected.gradient)) < 1e-12 * largest(expected.gradient));
}

void check_solids(Device& device) {
  for (const MaterialKind kind : kTetMaterialKinds)
    for (const double size : {0.003, 0.02})
      for (const double beta : {0.0, 0.02}) {
        INFO(to_string(kind) << ' ' << size << ' ' << beta);
        check(device, Case(solid(kind, beta, 4), size));
      }
  check(device, Case(solid(MaterialKind::neo_hookean, 0.0, 1), 0.01));  // less than one block
}

void check_sheets(Device& device) {
  for (const MaterialKind kind : kTriangleMaterialKinds)
    for (const double beta : {0.0, 0.02}) {
      INFO(to_string(kind) << ' ' << beta);
      check(device, Case(cloth(kind, beta, BendingModel::none, -1.0), 0.01));
      check(device, Case(cloth(kind, beta, BendingModel::isometric, 0.05), 0.01));
    }
}

/// n tetrahedra in a row, each of four nodes that follow each other on a helix (Boerdijk-Coxeter).
BodySpec helix(std::size_t n) {
  BodySpec body;
  body.name = "helix";
  const double turn = std::acos(-2.0 / 3.0), radius = 0.3 * std::sqrt(3.0), rise = 1.0 / std::sqrt(10.0);
  for (std::size_t k = 0; k < n + 3; ++k) {
    const double t = static_cast<double>(k);
    body.mesh.nodes.push_back({radius * std::cos(t * turn), radius * std::sin(t * turn), rise * t});
  }
  for (Index k = 0; k < static_cast<Index>(n); ++k) {
    Tet tet = {k, k + 1, k + 2, k + 3};
    const auto& x = body.mesh.nodes;
    if (dot(cross(x[tet[1]] - x[tet[0]], x[tet[2]] - x[tet[0]]), x[tet[3]] - x[tet[0]]) < 0.0)
      std::swap(tet[2], tet[3]);
    body.mesh.tets.push_back(tet);
  }
  body.material = {MaterialKind::stable_neo_hookean, 1e5, 0.35, 0.5, 0.01};
  return body;
}

void check_numbers(Device& device) {
  std::vector<std::size_t> numbers = {1, 31, 32, 33, 255, 256, 257, 1000};
  numbers.push_back(device.is_emulated() ? 20000 : 1000000);
  for (const std::size_t n : numbers) {
    INFO(n << " tetrahedra");
    check(device, Case(helix(n), 0.05));
  }
}

}  // namespace

SINEW_DEVICE_TEST("local step of any number of elements", check_numbers)
SINEW_DEVICE_TEST("local step of solids is that of the host, for every material", check_solids)
SINEW_DEVICE_TEST("local step of sheets is that of the host, for every material", check_sheets)

TEST_CASE("device elements: corners of a slot are those of the block's elements, each once") {
  const Case c(solid(MaterialKind::arap, 0.0, 4), 0.0);
  const ElementBlocks<double>& e = c.body->blocks;
  const SlotCorners corners = make_slot_corners(e);
  CHECK(corners.start.size() == e.node.size() + 1);
  CHECK(corners.corner.size() == 4 * c.body->tets.size());
  constexpr int kLanes = kStoredLanes<double>;
  for (const ElementBlock& b : e.blocks)
    for (Index slot = b.first_slot; slot < b.first_slot + b.node_count; ++slot) {
      CHECK(std::is_sorted(corners.corner.begin() + corners.start[slot],
                           corners.corner.begin() + corners.start[slot + 1]));
      for (Index k = corners.start[slot]; k < corners.start[slot + 1]; ++k) {
        const int element = corners.corner[k] / 4, corner = corners.corner[k] % 4;
        const std::size_t pack = static_cast<std::size_t>(b.first_pack + element / kLanes);
        CHECK(e.corner[(pack * 4 + corner) * kLanes + element % kLanes] == slot - b.first_slot);
      }
    }
}

TEST_CASE("emulated: the local step does not depend on the order of threads and blocks") {
  const Case c(solid(MaterialKind::stable_neo_hookean, 0.02, 4), 0.02);
  const std::vector<std::shared_ptr<Device>> devices = emulated_devices();
  const Result forwards = on_device(*devices[0], c), backwards = on_device(*devices[1], c);
  CHECK(same_bits(forwards.gradient, backwards.gradient));
  CHECK(forwards.energy.merit == backwards.energy.merit);
}
