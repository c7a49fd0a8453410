// Blocks of triangles in every instruction set this processor has, against the loop over single ones.
#include <algorithm>
#include <cstring>

#include "engine/elastic/block_step.hpp"
#include "engine/elastic/local_step.hpp"
#include "kernels/element/material/material_list.hpp"
#include "kernels/element/shape/triangle.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/engine/core/local_kernels_support.hpp"
#include "tests/reference/plain_triangles.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sheets.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

/// One material of triangles against a loop over single ones.
template <class M>
void check_triangles(M, int number) {
  INFO(M::kName);
  const ElasticParameters<double> params{3.0, 4.0, 0.2};
  test::Random random(31);
  std::vector<Vec3d> rest, x;
  for (int j = 0; j < 20; ++j)
    for (int i = 0; i < 20; ++i) {
      rest.push_back({0.1 * i + random.uniform(-0.02, 0.02), 0.1 * j + random.uniform(-0.02, 0.02), 0.0});
      x.push_back(rest.back() + random.vector(0.03));
    }
  std::vector<std::array<Index, 3>> triangles;
  for (Index j = 0; j < 19; ++j)
    for (Index i = 0; i < 19; ++i) {
      const Index a = 20 * j + i;
      triangles.push_back({a, a + 1, a + 20});
      triangles.push_back({a + 21, a + 20, a + 1});
    }
  std::vector<Mat2d> inverse;
  std::vector<double> volume;
  std::vector<Vec3d> expected(x.size());
  double energy = 0.0, size = 0.0;
  for (const auto& t : triangles) {
    inverse.push_back(triangle_rest_inverse(rest[t[0]], rest[t[1]], rest[t[2]]));
    volume.push_back(1e-3 * triangle_area(rest[t[0]], rest[t[1]], rest[t[2]]));
    const Mat32d f = triangle_deformation_gradient(x[t[0]], x[t[1]], x[t[2]], inverse.back());
    Mat32d stress;
    energy += volume.back() * M::energy_and_stress(params, f, stress);
    const Mat32d g = triangle_corner_gradients(stress, inverse.back(), volume.back());
    for (int c = 1; c < 3; ++c) {
      expected[t[c]] += g.column(c - 1);
      expected[t[0]] -= g.column(c - 1);
    }
  }
  size = largest(expected);
  const ElementBlocks<double> elements = make_element_blocks<double>(
      {3, 4, triangles.size(), triangles[0].data(), &inverse[0].m[0][0], volume.data()}, 400);
  AlignedVector<double> partial(4 * elements.node.size());
  std::vector<BlockEnergy> energies(elements.blocks.size());
  const BlockMaterial<double> material{3.0, 4.0, 0.2, 0.0, 0.0};
  for (const InstructionSet set : available_sets()) {
    const LocalKernels<double>& kernels = local_kernels<double>(set);
    INFO(kernels.name);
    const BlockEnergy got = evaluate_blocks<double>(elements, kernels.triangles.evaluate[number], material,
                                                    x.data(), nullptr, partial.data(), energies.data());
    CHECK(got.elastic == Approx(energy).epsilon(1e-12));
    std::vector<Vec3d> error;
    for (std::size_t i = 0; i < x.size(); ++i)
      error.push_back(gather_node(elements, partial.data(), i) - expected[i]);
    CHECK(largest(error) < 1e-12 * size);
    double alone = 0.0;
    for (const ElementBlock& block : elements.blocks)
      alone += kernels.triangles.energy[number]({&block, &elements, x.data(), nullptr, nullptr}, material);
    CHECK(alone == Approx(energy).epsilon(1e-12));
  }
}

template <class... M>
void check_all_triangles(TypeList<M...>) {
  int number = 0;
  (check_triangles(M{}, number++), ...);
}

}  // namespace

TEST_CASE("local step: blocks of triangles give what single triangles give, in every instruction set") {
  check_all_triangles(TriangleMaterials{});
}

namespace {

/// A sheet of 800 triangles (four blocks, the last one not full) without bending, with mass damping.
struct SheetCase {
  std::shared_ptr<BodyPrecomputed> body;
  std::vector<Vec3d> start, predicted, position;

  /// beta [s]: stiffness damping; limit: strain limit [1], negative: none; size [m]: of random displacements,
  /// the edges are 0.05 m long.
  SheetCase(MaterialKind kind, double beta, double limit, double size) {
    BodySpec spec = test::sheet_body("sheet", test::sheet(20, 20, 0.05), kind);
    spec.material = {kind, 1e4, 0.3, 0.5, beta};
    spec.sheet->thickness = 2e-3;
    spec.sheet->bending.model = BendingModel::none;
    if (limit >= 0.0) spec.sheet->strain_limit = limit;
    ModelBuilder builder;
    builder.add(spec);
    const Model model = builder.build();
    const BodyData& data = model.data().bodies[0];
    body = precompute_body(data, std::vector<char>(data.start_position.size(), 0), kTimeStep,
                           SolverSettings{}, 0.0);
    test::Random random(22);
    for (const Index user : body->to_user) start.push_back(data.start_position[user]);
    predicted = position = start;
    for (Vec3d& x : start) x += random.vector(0.2 * size);
    for (Vec3d& x : predicted) x += random.vector(size);
    for (Vec3d& x : position) x += random.vector(size);
  }
};

Result plain(const SheetCase& c) {
  Result r{{}, std::vector<Vec3d>(c.position.size())};
  const BodyPrecomputed& p = *c.body;
  reference::PlainTriangleWorkspace workspace;
  reference::begin_plain_triangles(p, c.start.data(), workspace);
  double inertia = 0.0;
  for (std::size_t i = 0; i < c.position.size(); ++i) {
    const Vec3d a = c.position[i] - c.predicted[i], b = c.position[i] - c.start[i];
    r.gradient[i] = p.mass[i] * (a + kTimeStep * p.alpha * b);
    inertia += 0.5 * p.mass[i] * (squared_norm(a) + kTimeStep * p.alpha * squared_norm(b));
  }
  const ElementEnergies e =
      reference::add_plain_triangles(p, kTimeStep, c.position.data(), workspace, r.gradient.data());
  r.energy = {inertia + kTimeStep * kTimeStep * (e.elastic + e.damping), e.elastic};
  return r;
}

Result blocks(const SheetCase& c, const LocalKernels<double>& kernels) {
  Result r{{}, std::vector<Vec3d>(c.position.size())};
  ElasticWorkspace workspace;
  workspace.kernels = &kernels;
  begin_elastic_frame(*c.body, c.start.data(), workspace);
  r.energy = evaluate_elastic(*c.body, {kTimeStep, c.predicted.data(), c.start.data()}, c.position.data(),
                              workspace, r.gradient.data());
  return r;
}

}  // namespace

TEST_CASE("element blocks: of a sheet, every triangle once, with its own nodes, rest and volume") {
  const SheetCase c(MaterialKind::arap, 0.0, -1.0, 0.0);
  const BodyPrecomputed& p = *c.body;
  const ElementBlocks<double>& b = p.blocks;
  constexpr int kLanes = kStoredLanes<double>;
  CHECK(b.corners == 3);
  CHECK(b.blocks.size() == 4);
  std::vector<int> seen(p.triangles.size(), 0);
  for (const ElementBlock& block : b.blocks)
    for (Index pack = block.first_pack; pack < block.end_pack; ++pack)
      for (int lane = 0; lane < kLanes; ++lane) {
        const Index t = b.element[pack * kLanes + lane];
        for (int k = 0; k < 3; ++k)
          CHECK(b.node[block.first_slot + b.corner[(pack * 3 + k) * kLanes + lane]] == p.triangles[t][k]);
        for (int k = 0; k < 4; ++k)
          CHECK(b.rest[(pack * 4 + k) * kLanes + lane] == p.triangle_inverse[t](k / 2, k % 2));
        const double volume = b.volume[pack * kLanes + lane];
        if (volume == 0.0) continue;  // only fills the pack
        CHECK(volume == p.triangle_volume[t]);
        ++seen[t];
      }
  CHECK(std::count(seen.begin(), seen.end(), 1) == 800);
}

TEST_CASE("local step: blocks of a sheet give what its single triangles give, in every instruction set") {
  for (const MaterialKind kind : kTriangleMaterialKinds)
    for (const double size : {0.005, 0.03})
      for (const double beta : {0.0, 0.02})
        for (const double limit : {-1.0, 0.0, 0.1}) {
          const SheetCase c(kind, beta, limit, size);
          const Result expected = plain(c);
          std::vector<double> sums;
          CHECK(reference::plain_triangle_energy(*c.body, c.position.data(), sums) ==
                Approx(expected.energy.elastic).epsilon(1e-13));
          CHECK(elastic_energy(*c.body, c.position.data(), sums) ==
                Approx(expected.energy.elastic).epsilon(1e-11));
          for (const InstructionSet set : available_sets()) {
            INFO(to_string(kind) << ' ' << size << ' ' << beta << ' ' << limit << ' '
                                 << local_kernels<double>(set).name);
            const Result got = blocks(c, local_kernels<double>(set));
            CHECK(got.energy.merit == Approx(expected.energy.merit).epsilon(1e-11));
            CHECK(got.energy.elastic == Approx(expected.energy.elastic).epsilon(1e-11));
            CHECK(largest(difference(got.gradient, expected.gradient)) < 1e-11 * largest(expected.gradient));
          }
        }
}

TEST_CASE("local step: collapsed and evenly stretched triangles of a sheet at its strain limit") {
  // All principal stretches equal (any direction is principal), a line, a point: no value may be lost.
  SheetCase c(MaterialKind::st_venant_kirchhoff, 0.0, 0.1, 0.0);
  const std::vector<Vec3d> rest = c.position;
  for (const Vec3d& scale : {Vec3d{1.5, 1.5, 1.0}, Vec3d{1.5, 0.0, 1.0}, Vec3d{0.0, 1.5, 1.0}, Vec3d{}}) {
    for (std::size_t i = 0; i < rest.size(); ++i)
      c.position[i] = {scale.x * rest[i].x, scale.y * rest[i].y, scale.z * rest[i].z};
    const Result expected = plain(c);
    for (const InstructionSet set : available_sets()) {
      INFO(scale.x << ' ' << scale.y << ' ' << local_kernels<double>(set).name);
      const Result got = blocks(c, local_kernels<double>(set));
      CHECK(got.energy.elastic == Approx(expected.energy.elastic).epsilon(1e-11));
      CHECK(largest(difference(got.gradient, expected.gradient)) < 1e-11 * largest(expected.gradient));
    }
  }
}

TEST_CASE("local step: sheets have the same bits for any number of threads") {
  for (const InstructionSet set : available_sets()) {
    const SheetCase c(MaterialKind::neo_hookean, 0.02, 0.1, 0.02);
    Result first;
    for (const int threads : {1, 2, 5}) {
      Executor executor(threads);
      Result r;
      executor.run([&] { r = blocks(c, local_kernels<double>(set)); });
      if (threads == 1) first = r;
      CHECK(r.energy.merit == first.energy.merit);
      CHECK(std::memcmp(r.gradient.data(), first.gradient.data(), r.gradient.size() * sizeof(Vec3d)) == 0);
    }
  }
}
