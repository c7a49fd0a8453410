// The fast assembly of A_s against one that is written down from the definition.
#include <cmath>
#include <map>

#include <sinew/mesh_generation.hpp>
#include <sinew/model.hpp>

#include "engine/precompute/assemble.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

TetMesh wobbly_box(int cells, std::uint64_t seed) {
  const auto n = [&](int i, int j, int k) {
    return static_cast<Index>((k * (cells + 1) + j) * (cells + 1) + i);
  };
  TetMesh mesh;
  test::Random random(seed);
  for (int k = 0; k <= cells; ++k)
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i)
        mesh.nodes.push_back(Vec3d{0.1 * i, 0.1 * j, 0.1 * k} + random.vector(0.01));
  for (int k = 0; k < cells; ++k)
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        const Index a = n(i, j, k), g = n(i + 1, j + 1, k + 1);
        const Index ring[] = {n(i + 1, j, k),     n(i + 1, j + 1, k), n(i, j + 1, k),
                              n(i, j + 1, k + 1), n(i, j, k + 1),     n(i + 1, j, k + 1)};
        for (int t = 0; t < 6; ++t) mesh.tets.push_back({a, ring[t], ring[(t + 1) % 6], g});
      }
  return mesh;
}

BodyData data_of(TetMesh mesh, const Material& material) {
  BodySpec body;
  body.name = "body";
  body.mesh = std::move(mesh);
  body.material = material;
  body.density = 900.0;
  return ModelBuilder().add(body).build().data().bodies[0];
}

/// Entry by entry: gradients are face normals over three times the volume.
std::map<std::pair<Index, Index>, double> twin(const BodyData& body, const std::vector<Index>& index_of,
                                               double h) {
  std::map<std::pair<Index, Index>, double> entries;
  const Material& m = body.spec.material;
  const double mu = m.young_modulus / (2 + 2 * m.poisson_ratio);
  const double lambda = m.young_modulus * m.poisson_ratio / (1 + m.poisson_ratio) / (1 - 2 * m.poisson_ratio);
  const double w = 2 * mu + (m.kind == MaterialKind::arap ? 0.0 : lambda);
  for (std::size_t i = 0; i < index_of.size(); ++i)
    if (index_of[i] >= 0)
      entries[{index_of[i], index_of[i]}] = (1 + h * m.rayleigh_alpha) * body.node_mass[i];
  for (std::size_t t = 0; t < body.spec.mesh.tets.size(); ++t) {
    const Tet& tet = body.spec.mesh.tets[t];
    const auto x = [&](int c) { return body.rest_position[tet[c % 4]]; };
    Vec3d gradient[4];
    for (int c = 0; c < 4; ++c) {
      Vec3d normal = cross(x(c + 2) - x(c + 1), x(c + 3) - x(c + 1));
      gradient[c] = normal / dot(normal, x(c) - x(c + 1));
    }
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) {
        const Index i = index_of[tet[a]], j = index_of[tet[b]];
        if (i < 0 || j < 0 || i < j) continue;
        entries[{j, i}] +=
            (h * h + h * m.rayleigh_beta) * w * body.tet_volume[t] * dot(gradient[a], gradient[b]);
      }
  }
  return entries;
}

void check_against_twin(const BodyData& body, const std::vector<Index>& index_of, Index size, double h) {
  const SymmetricMatrix matrix = assemble_system(body, index_of, size, h);
  const auto expected = twin(body, index_of, h);
  REQUIRE(matrix.size == size);
  REQUIRE(matrix.column_start.size() == static_cast<std::size_t>(size) + 1);
  REQUIRE(matrix.row.size() == expected.size());
  REQUIRE(matrix.value.size() == expected.size());
  auto next = expected.begin();  // by columns, rows ascending: the order of the map
  double worst = 0.0, largest = 0.0;
  bool same_places = true;
  for (Index j = 0; j < size; ++j)
    for (Index k = matrix.column_start[j]; k < matrix.column_start[j + 1]; ++k, ++next) {
      same_places = same_places && next->first == std::make_pair(j, matrix.row[k]);
      worst = std::max(worst, std::abs(next->second - matrix.value[k]));
      largest = std::max(largest, std::abs(next->second));
    }
  CHECK(same_places);
  CHECK(worst <= 1e-13 * largest);
}

}  // namespace

TEST_CASE("assembly: A_s equals its definition with pins, inside fractions, damping and both materials") {
  for (const MaterialKind kind : {MaterialKind::arap, MaterialKind::stable_neo_hookean}) {
    for (const bool fractions : {false, true}) {
      TetMesh mesh = wobbly_box(4, 3);
      test::Random random(5);
      if (fractions)
        for (std::size_t t = 0; t < mesh.tets.size(); ++t)
          mesh.inside_fraction.push_back(random.uniform(0.05, 1.0));
      const BodyData body = data_of(std::move(mesh), {kind, 3e5, 0.4, 0.7, 0.02});
      std::vector<Index> all(body.rest_position.size()), some(all.size(), -1);
      Index size = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = static_cast<Index>(i);
        if (random.uniform() > -0.4) some[i] = size++;
      }
      REQUIRE(size > 50);
      REQUIRE(size < static_cast<Index>(all.size()));
      check_against_twin(body, all, static_cast<Index>(all.size()), 0.01);
      check_against_twin(body, some, size, 0.002);
    }
  }
}

TEST_CASE("assembly: no free node, one free node, a node in no element") {
  TetMesh mesh = wobbly_box(1, 1);
  const BodyData body = data_of(std::move(mesh), {});
  std::vector<Index> index_of(8, -1);
  const SymmetricMatrix none = assemble_system(body, index_of, 0, 0.01);
  CHECK(none.size == 0);
  CHECK(none.column_start == std::vector<Index>{0});
  CHECK(none.row.empty());
  index_of[3] = 0;
  check_against_twin(body, index_of, 1, 0.01);
  const SymmetricMatrix lone = assemble({{0, 1, 2, 3}}, {TetMatrix{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
                                        {0, 1, 2, 3, 4}, {10, 20, 30, 40, 50});
  CHECK(lone.column_start == std::vector<Index>{0, 4, 7, 9, 10, 11});
  CHECK(lone.row == std::vector<Index>{0, 1, 2, 3, 1, 2, 3, 2, 3, 3, 4});
  CHECK(lone.value == std::vector<double>{11, 2, 4, 7, 23, 5, 8, 36, 9, 50, 50});
}

TEST_CASE("assembly: a node with hundreds of neighbours") {
  std::vector<Tet> tets;
  std::vector<TetMatrix> element;
  std::map<std::pair<Index, Index>, double> expected;
  constexpr Index kRing = 500, kSize = kRing + 2;
  for (Index k = 0; k < kRing; ++k) {
    tets.push_back({0, (k * 77 + 77) % kRing + 1, kSize - 1, (k * 77) % kRing + 1});
    element.emplace_back();
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b <= a; ++b) {
        element.back()[a * (a + 1) / 2 + b] = k + 0.25 * a + 0.125 * b;
        expected[std::minmax({tets.back()[a], tets.back()[b]})] += k + 0.25 * a + 0.125 * b;
      }
  }
  std::vector<Index> index_of(kSize);
  for (Index i = 0; i < kSize; ++i) index_of[i] = i;
  const SymmetricMatrix matrix = assemble(tets, element, index_of, std::vector<double>(kSize, 0.0));
  REQUIRE(matrix.column_start[1] == kSize);
  REQUIRE(matrix.row.size() == expected.size());
  std::map<std::pair<Index, Index>, double> got;
  for (Index j = 0; j < kSize; ++j)
    for (Index k = matrix.column_start[j]; k < matrix.column_start[j + 1]; ++k)
      got[{j, matrix.row[k]}] = matrix.value[k];
  CHECK(got == expected);
}

TEST_CASE("assembly: the same bits for any number of threads") {
  const BodyData body = data_of(wobbly_box(14, 9), {MaterialKind::stable_neo_hookean, 1e5, 0.45, 0.0, 0.01});
  std::vector<Index> index_of(body.rest_position.size());
  for (std::size_t i = 0; i < index_of.size(); ++i) index_of[i] = static_cast<Index>(i);
  SymmetricMatrix one, four;
  Executor(1).run([&] { one = assemble_system(body, index_of, static_cast<Index>(index_of.size()), 0.01); });
  Executor(4).run([&] { four = assemble_system(body, index_of, static_cast<Index>(index_of.size()), 0.01); });
  REQUIRE(one.size == 3375);
  CHECK(one.column_start == four.column_start);
  CHECK(one.row == four.row);
  CHECK(one.value == four.value);
}
