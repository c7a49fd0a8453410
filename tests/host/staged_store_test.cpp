// What a staged inverse takes from bytes: kept data, damage, limits of memory.
#include <cstring>

#include <sinew/errors.hpp>

#include "host/staged_inverse.hpp"
#include "host/staged_solver.hpp"
#include "tests/host/staged_systems.hpp"
#include "tests/host/test_matrices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using namespace sinew::test;

TEST_CASE("prepared data comes back from bytes as it was, and damage is noticed") {
  const SymmetricMatrix a = grid_laplacian(5, 0.1);
  const CholeskyFactor f = factor(a, FactorLibrary::automatic, 0.0);
  const StagedInverse<double> inverse(f, make_staged_structure(f, 3, 0.0));
  MemorySink sink;
  ByteWriter writer(sink);
  inverse.write(writer);
  MemorySource source(sink.bytes());
  ByteReader reader(source);
  const StagedInverse<double> read = StagedInverse<double>::read(reader, a.size);
  CHECK(read.values() == inverse.values());
  std::vector<Vec3d> x = random_block(a.size, 1), y = x;
  StagedInverse<double>::Workspace workspace;
  Vec3d* block = x.data();
  inverse.solve(&block, 1, workspace);
  block = y.data();
  read.solve(&block, 1, workspace);
  CHECK(x == y);
  for (std::size_t size = 0; size < sink.bytes().size(); size += 97) {
    MemorySource cut(sink.bytes().data(), size);
    ByteReader cut_reader(cut);
    CHECK_THROWS_AS(StagedInverse<double>::read(cut_reader, a.size), IoError);
  }
  MemorySource other(sink.bytes());
  ByteReader other_reader(other);
  CHECK_THROWS_AS(StagedInverse<double>::read(other_reader, a.size + 1), IoError);
}

TEST_CASE("a structure from a file is taken only if all its places exist") {
  const SymmetricMatrix a = test::side_by_side(grid_laplacian(15, 0.01), tangled(60));
  const CholeskyFactor f = factor(a, FactorLibrary::automatic, 0.0);
  const StagedStructure good = make_staged_structure(f, 2, 0.0);
  REQUIRE(good.partial_rows > 0);
  CHECK(is_sound(good, a.size));
  CHECK_FALSE(is_sound(good, a.size - 1));
  for (int stages = 1; stages <= SolverSettings::kMostStages; ++stages)
    for (const SymmetricMatrix& b : small_systems())
      CHECK(is_sound(make_staged_structure(factor(b, FactorLibrary::automatic, 0.0), stages, 0.0), b.size));
  CHECK(is_sound(StagedStructure{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {0}, {}, 0, 0}, 0));
  // Any number of any list, but those that only name another row or place of the same kind.
  const auto spoil = [&](auto StagedStructure::*list, auto offset) {
    const std::size_t numbers = (good.*list).size() * sizeof((good.*list)[0]) / sizeof offset;
    test::Random random(3);
    for (int trial = 0; trial < 60; ++trial) {
      StagedStructure bad = good;
      const std::size_t place = static_cast<std::size_t>(random.uniform(0.0, 1.0) * numbers);
      auto* number = reinterpret_cast<unsigned char*>((bad.*list).data()) + place * sizeof offset;
      decltype(offset) value;
      std::memcpy(&value, number, sizeof value);
      value = static_cast<decltype(offset)>(value + offset);
      std::memcpy(number, &value, sizeof value);
      CHECK_FALSE(is_sound(bad, a.size));
    }
  };
  for (const Index offset : {1 << 30, -(1 << 30)}) {
    spoil(&StagedStructure::order, offset);
    spoil(&StagedStructure::stages, offset);
    spoil(&StagedStructure::components, offset);
    spoil(&StagedStructure::tasks, offset);
    spoil(&StagedStructure::divided_pieces, offset);
    spoil(&StagedStructure::chunks, offset);
    spoil(&StagedStructure::rows, offset);
    spoil(&StagedStructure::outside_rows, offset);
    spoil(&StagedStructure::gather_start, std::int64_t{offset});
    spoil(&StagedStructure::gather, std::int64_t{offset});
  }
  for (const std::int64_t offset : {std::int64_t{1} << 40, -(std::int64_t{1} << 40)})
    for (std::size_t k = 0; k < good.panels.size(); ++k)
      for (std::int64_t StagedPanel::*field :
           {&StagedPanel::row, &StagedPanel::value, &StagedPanel::off_value}) {
        StagedStructure bad = good;
        bad.panels[k].*field += offset;
        CHECK_FALSE(is_sound(bad, a.size));
      }
}

namespace {
class OneEntryStore final : public SolverStore {
 public:
  bool load(const std::function<void(ByteReader&)>& read) override {
    if (bytes.empty()) return false;
    try {
      MemorySource source(bytes);
      ByteReader reader(source);
      read(reader);
      ++hits;
      return true;
    } catch (const Error&) {
      return false;
    }
  }
  void store(const std::function<void(ByteWriter&)>& write) override {
    MemorySink sink;
    ByteWriter writer(sink);
    write(writer);
    bytes = sink.bytes();
    ++stores;
  }
  std::vector<std::byte> bytes;
  int hits = 0, stores = 0;
};
}  // namespace

TEST_CASE("a store saves the work, and what solves another system is made anew") {
  OneEntryStore store;
  const SymmetricMatrix a = grid_laplacian(5, 0.1), b = grid_laplacian(5, 0.4);
  const auto made = make_staged_solver(a, staged(2), 0.0, &store);
  CHECK(store.stores == 1);
  const auto kept = make_staged_solver(a, staged(2), 0.0, &store);
  CHECK(store.hits == 1);
  CHECK(store.stores == 1);
  CHECK(kept->order() == made->order());
  CHECK(kept->sizes().nnz_factor == made->sizes().nnz_factor);
  CHECK(relative_residual(*kept, a) == relative_residual(*made, a));
  const auto other = make_staged_solver(b, staged(2), 0.0, &store);
  CHECK(store.hits == 1);
  CHECK(store.stores == 2);
  CHECK(relative_residual(*other, b) < 1e-12);
}

TEST_CASE("memory beyond the limit is refused before it is taken") {
  const SymmetricMatrix a = grid_laplacian(12, 0.01);
  CHECK_THROWS_AS(make_staged_solver(a, staged(1), 2e6), MemoryError);
  // Row lists alone would take gigabytes here.
  const auto check = [](double entries) {
    CHECK(entries == 0.5 * 1e6 * (1e6 + 1.0));
    throw MemoryError("too much");
  };
  CHECK_THROWS_AS(make_staged_structure(tall_factor(1000000), 1, 0.0, check), MemoryError);
}

TEST_CASE("kept data beyond the memory limit is not read") {
  OneEntryStore store;
  const SymmetricMatrix a = grid_laplacian(12, 0.01);
  make_staged_solver(a, staged(1), 0.0, &store);
  CHECK_THROWS_AS(make_staged_solver(a, staged(1), 2e6, &store), MemoryError);
  CHECK(store.hits == 0);
}

TEST_CASE("kept data of stiff systems is taken, in float too") {
  SymmetricMatrix a = grid_laplacian(7, 0.0);
  for (double& value : a.value) value *= 1e9;  // condition number 1e10
  for (Index j = 0; j < a.size; ++j) a.value[a.column_start[j]] += 1.0;
  for (const SolverPrecision precision : {SolverPrecision::full, SolverPrecision::mixed}) {
    OneEntryStore store;
    for (int start = 0; start < 2; ++start) make_staged_solver(a, staged(2, precision), 0.0, &store);
    CHECK(store.hits == 1);
    CHECK(store.stores == 1);
  }
}
