// Blocks of elements in every instruction set this processor has, against the loop over single elements.
#include "engine/elastic/local_kernels.hpp"

#include <algorithm>
#include <cstring>

#include "engine/elastic/block_step.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/engine/core/local_kernels_support.hpp"
#include "tests/reference/plain_local_step.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"
#include "tests/support/shapes.hpp"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr MaterialKind kAll[] = {MaterialKind::arap,         MaterialKind::stable_neo_hookean,
                                 MaterialKind::corotated,    MaterialKind::fixed_corotated,
                                 MaterialKind::neo_hookean,  MaterialKind::st_venant_kirchhoff,
                                 MaterialKind::mooney_rivlin};

/// A block of 864 tetrahedra (four blocks of the local step, the last one not full) and a state of it.
struct Case {
  std::shared_ptr<BodyPrecomputed> body;
  std::vector<Vec3d> start, predicted, position;

  /// size [m]: of random displacements; the cells are 0.1 m wide, so 0.1 turns many elements inside out.
  Case(MaterialKind kind, double beta, double size, const Vec3d& shift = {}) {
    BodySpec spec;
    spec.name = "block";
    spec.mesh = test::block(6, 6, 4, 0.1);
    spec.material.kind = kind;
    spec.material.young_modulus = 1e4;
    spec.material.poisson_ratio = 0.3;
    spec.material.rayleigh_alpha = 0.5;
    spec.material.rayleigh_beta = beta;
    spec.transform.translation = shift;
    ModelBuilder builder;
    builder.add(spec);
    const Model model = builder.build();
    const BodyData& data = model.data().bodies[0];
    body = precompute_body(data, std::vector<char>(data.start_position.size(), 0), kTimeStep,
                           SolverSettings{}, 0.0);
    test::Random random(21);
    for (const Index user : body->to_user) start.push_back(data.start_position[user]);
    predicted = position = start;
    for (Vec3d& x : start) x += random.vector(0.2 * size);
    for (Vec3d& x : predicted) x += random.vector(size);
    for (Vec3d& x : position) x += random.vector(size);
  }

  ElasticInput input() const { return {kTimeStep, predicted.data(), start.data()}; }
};

Result plain(const Case& c) {
  Result r{{}, std::vector<Vec3d>(c.position.size())};
  reference::PlainWorkspace workspace;
  reference::begin_plain_frame(*c.body, c.start.data(), workspace);
  r.energy = reference::evaluate_plain(*c.body, c.input(), c.position.data(), workspace, r.gradient.data());
  return r;
}

Result blocks(const Case& c, const LocalKernels<double>& kernels) {
  Result r{{}, std::vector<Vec3d>(c.position.size())};
  ElasticWorkspace workspace;
  workspace.kernels = &kernels;
  begin_elastic_frame(*c.body, c.start.data(), workspace);
  r.energy = evaluate_elastic(*c.body, c.input(), c.position.data(), workspace, r.gradient.data());
  return r;
}

}  // namespace

TEST_CASE("element blocks: every element once, with its own nodes, rest and volume") {
  const Case c(MaterialKind::arap, 0.0, 0.0);
  const BodyPrecomputed& p = *c.body;
  const ElementBlocks<double>& b = p.blocks;
  constexpr int kLanes = kStoredLanes<double>;
  CHECK(b.blocks.size() == 4);
  CHECK(b.blocks.back().end_pack == static_cast<Index>(b.packs()));
  std::vector<int> seen(p.tets.size(), 0);
  for (const ElementBlock& block : b.blocks) {
    CHECK(block.node_count <= kBlockNodes);
    CHECK((block.end_pack - block.first_pack) * kLanes <= kBlockElements);
    for (Index pack = block.first_pack; pack < block.end_pack; ++pack) {
      for (int lane = 0; lane < kLanes; ++lane) {
        const Index t = b.element[pack * kLanes + lane];
        for (int k = 0; k < 4; ++k) {
          const Index local = b.corner[(pack * 4 + k) * kLanes + lane];
          REQUIRE(local < block.node_count);
          CHECK(b.node[block.first_slot + local] == p.tets[t][k]);
        }
        for (int k = 0; k < 9; ++k)
          CHECK(b.rest[(pack * 9 + k) * kLanes + lane] == p.rest_inverse[t](k / 3, k % 3));
        const double volume = b.volume[pack * kLanes + lane];
        if (volume == 0.0) continue;  // only fills the pack
        CHECK(volume == p.volume[t]);
        ++seen[t];
      }
    }
  }
  CHECK(std::count(seen.begin(), seen.end(), 1) == static_cast<long>(seen.size()));
  // Slots of a node are exactly the places where it stands, ascending.
  std::size_t slots = 0;
  for (Index i = 0; i < p.node_count; ++i)
    for (Index k = b.slot_start[i]; k < b.slot_start[i + 1]; ++k, ++slots) {
      CHECK(b.node[b.slot[k]] == i);
      if (k > b.slot_start[i]) CHECK(b.slot[k] > b.slot[k - 1]);
    }
  CHECK(slots == b.node.size());
}

TEST_CASE("element blocks: few nodes at a time where elements share none") {
  // 400 tetrahedra without a common node: the limit of nodes closes blocks, not that of elements.
  std::vector<std::array<Index, 4>> tets;
  std::vector<Mat3d> rest(400, Mat3d::identity());
  std::vector<double> volume(400, 1.0 / 6.0);
  for (Index t = 0; t < 400; ++t) tets.push_back({4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3});
  const ElementSource source{4, 9, 400, tets[0].data(), &rest[0].m[0][0], volume.data()};
  const ElementBlocks<float> b = make_element_blocks<float>(source, 1600);
  CHECK(b.blocks.size() == 4);
  for (const ElementBlock& block : b.blocks) CHECK(block.node_count <= kBlockNodes);
  CHECK(b.node.size() == 1600);
}

TEST_CASE("local step: blocks give the energy and gradient of the plain loop, in every instruction set") {
  for (const MaterialKind kind : kAll) {
    for (const double size : {0.01, 0.1}) {
      for (const double beta : {0.0, 0.02}) {
        const Case c(kind, beta, size);
        const Result expected = plain(c);
        for (const InstructionSet set : available_sets()) {
          INFO(to_string(kind) << ' ' << size << ' ' << beta << ' ' << local_kernels<double>(set).name);
          const Result got = blocks(c, local_kernels<double>(set));
          CHECK(got.energy.merit == Approx(expected.energy.merit).epsilon(1e-11));
          CHECK(got.energy.elastic == Approx(expected.energy.elastic).epsilon(1e-11));
          CHECK(largest(difference(got.gradient, expected.gradient)) < 1e-11 * largest(expected.gradient));
        }
      }
    }
  }
}

TEST_CASE("local step: the elastic energy alone is the one that comes with the gradient") {
  for (const MaterialKind kind : kAll) {
    const Case c(kind, 0.0, 0.03);
    std::vector<double> sums;
    const Result with = blocks(c, local_kernels<double>());
    CHECK(elastic_energy(*c.body, c.position.data(), sums) == Approx(with.energy.elastic).epsilon(1e-13));
  }
}

TEST_CASE("local step: the same bits for any number of threads") {
  for (const InstructionSet set : available_sets()) {
    const Case c(MaterialKind::stable_neo_hookean, 0.02, 0.05);
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

TEST_CASE("local step: in float to five digits, also far from the origin") {
  const Vec3d far{1000.0, -2000.0, 500.0};
  for (const MaterialKind kind : kAll) {
    const Case c(kind, 0.0, 0.02, far);
    const BodyPrecomputed& p = *c.body;
    const ElementSource source{
        4, 9, p.tets.size(), p.tets.data()->data(), &p.rest_inverse.data()->m[0][0], p.volume.data()};
    const ElementBlocks<float> narrow = make_element_blocks<float>(source, p.node_count);
    const BlockMaterial<float> material{static_cast<float>(p.shear_modulus), static_cast<float>(p.first_lame),
                                        static_cast<float>(p.mooney_ratio), 0.0f, 0.0f};
    const BlockMaterial<double> wide{p.shear_modulus, p.first_lame, p.mooney_ratio, 0.0, 0.0};
    const int m = static_cast<int>(kind);
    AlignedVector<double> exact(4 * p.blocks.node.size());
    std::vector<BlockEnergy> energies(std::max(narrow.blocks.size(), p.blocks.blocks.size()));
    const BlockEnergy expected =
        evaluate_blocks<double>(p.blocks, local_kernels<double>().tets.evaluate[m], wide, c.position.data(),
                                nullptr, exact.data(), energies.data());
    std::vector<Vec3d> force;
    for (Index i = 0; i < p.node_count; ++i) force.push_back(gather_node(p.blocks, exact.data(), i));
    for (const InstructionSet set : available_sets()) {
      INFO(to_string(kind) << ' ' << local_kernels<float>(set).name);
      AlignedVector<float> partial(4 * narrow.node.size());
      const BlockEnergy got =
          evaluate_blocks<float>(narrow, local_kernels<float>(set).tets.evaluate[m], material,
                                 c.position.data(), nullptr, partial.data(), energies.data());
      CHECK(got.elastic == Approx(expected.elastic).epsilon(1e-5));
      std::vector<Vec3d> error;
      for (Index i = 0; i < p.node_count; ++i)
        error.push_back(gather_node(narrow, partial.data(), i) - force[i]);
      CHECK(largest(error) < 1e-5 * largest(force));
    }
  }
}

TEST_CASE("local step: the fastest instruction set of the processor is taken") {
  const std::vector<InstructionSet> sets = available_sets();
  CHECK(&local_kernels<double>() == &local_kernels<double>(sets.back()));
  CHECK(local_kernels<float>().lanes == 2 * local_kernels<double>().lanes);
}
