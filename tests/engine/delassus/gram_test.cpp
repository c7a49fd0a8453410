// G = B A^-1 B^T against a dense inverse, whatever was assembled before, and on any number of threads.
#include "engine/delassus/gram.hpp"

#include <algorithm>
#include <cmath>

#include <sinew/errors.hpp>

#include "engine/delassus/matrix_free.hpp"
#include "kernels/runtime/executor.hpp"
#include "tests/engine/delassus/gram_support.hpp"

using namespace sinew;
using test::check_matrix;
using test::mixed_rows;

namespace {

constexpr DelassusWay kWays[] = {DelassusWay::automatic, DelassusWay::cache, DelassusWay::gram};

std::vector<test::DenseBody> three_bodies() {
  std::vector<test::DenseBody> bodies;
  bodies.push_back(test::dense_body(test::block_spec(), 0));
  bodies.push_back(test::dense_body(test::block_spec(), 16));  // its foot is pinned
  bodies.push_back(test::dense_body(test::sheet_body("sheet", test::sheet(8, 7, 0.02)), 3));
  return bodies;
}

struct Result {
  std::vector<double> gram;
  std::size_t columns = 0;
};
Result fresh(const PointRows& rows, const std::vector<test::DenseBody>& bodies, DelassusWay way,
             int threads = 2) {
  Result result;
  GramAssembler assembler;
  Executor(threads).run(
      [&] { result.columns = assembler.assemble(rows, test::prepared_of(bodies), way, 0.0, result.gram); });
  return result;
}

PointRows picked(const PointRows& rows, const std::vector<std::size_t>& which) {
  PointRows result;
  for (const std::size_t c : which) result.add(rows.row(c), rows.count(c));
  return result;
}

}  // namespace

TEST_CASE("gram: every way gives B A^-1 B^T, symmetric to the bit") {
  const auto bodies = three_bodies();
  const PointRows rows = mixed_rows(bodies, 90, 1);
  const std::vector<double> oracle = test::dense_gram(rows, bodies);
  const std::size_t count = rows.size();
  for (const DelassusWay way : kWays) {
    const std::vector<double> gram = fresh(rows, bodies, way).gram;
    check_matrix(gram, oracle, 1e-12);
    CHECK(gram[(count - 2) * (count + 1)] == 0.0);              // no free node
    CHECK(gram[1 * count + 1] == gram[1 * count + count - 3]);  // the same row twice
  }
}

TEST_CASE("gram: solvers of every kind, stages and precision") {
  const auto with = [](GlobalSolver global, int stages, SolverPrecision precision) {
    SolverSettings settings;
    settings.global = global;
    settings.stages = stages;
    settings.precision = precision;
    settings.cache = false;
    std::vector<test::DenseBody> bodies;
    bodies.push_back(test::dense_body(test::block_spec(), 0, settings));
    bodies.push_back(test::dense_body(test::sheet_body("sheet", test::sheet(12, 11, 0.02)), 3, settings));
    return bodies;
  };
  const auto check = [&](const std::vector<test::DenseBody>& bodies, double tolerance) {
    const PointRows rows = [&] {
      test::Random random(6);
      PointRows some;
      for (int c = 0; c < 60; ++c)
        test::add_random_row(random, bodies, c % 2, c % 3 == 0 ? 1 - c % 2 : -1, 1 + c % 5, some);
      return some;
    }();
    const std::vector<double> oracle = test::dense_gram(rows, bodies);
    for (const DelassusWay way : kWays) check_matrix(fresh(rows, bodies, way).gram, oracle, tolerance);
  };
  for (const int stages : {1, 2, 3, 5})
    check(with(GlobalSolver::staged, stages, SolverPrecision::full), 1e-12);
  check(with(GlobalSolver::staged, 3, SolverPrecision::mixed), 1e-5);
  check(with(GlobalSolver::triangular, 0, SolverPrecision::full), 1e-12);  // no forward half: columns instead
  check(with(GlobalSolver::sparse_inverse, 0, SolverPrecision::full), 1e-12);
}

TEST_CASE("gram: rows of one node at equal weights are entries of the inverse") {
  const auto bodies = three_bodies();
  PointRows rows;
  for (const Index node : {7, 3, 21}) {
    const ContactTerm term{0, node, 1.0};
    rows.add(&term, 1);
  }
  const std::vector<double> gram = fresh(rows, bodies, DelassusWay::cache).gram;
  CHECK(gram[1] == Approx(bodies[0].at(7, 3)).epsilon(1e-12));
  CHECK(gram[5] == Approx(bodies[0].at(3, 21)).epsilon(1e-12));
}

TEST_CASE("gram: what was assembled before does not show in the bits") {
  const auto bodies = three_bodies();
  const auto prepared = test::prepared_of(bodies);
  const PointRows all = mixed_rows(bodies, 120, 2);
  std::vector<std::size_t> every(all.size()), front, odd, shuffled;
  for (std::size_t c = 0; c < all.size(); ++c) {
    every[c] = c;
    if (c < 100) front.push_back(c);
    if (c % 2 == 1 || c < 5) odd.push_back(c);
    shuffled.push_back((c * 37 + 11) % all.size());
  }
  std::vector<std::size_t> few = shuffled;
  few.resize(all.size() - 9);
  for (const DelassusWay way : kWays) {
    GramAssembler assembler;
    std::vector<double> gram;
    Executor(2).run([&] {
      for (const auto& which : {front, every, odd, shuffled, few, every, std::vector<std::size_t>{}, front}) {
        const PointRows rows = picked(all, which);
        assembler.assemble(rows, prepared, way, 0.0, gram);
        const std::vector<double> expected = fresh(rows, bodies, way).gram;
        CHECK(gram == expected);
        gram.shrink_to_fit();
        const double* before = gram.data();
        CHECK(assembler.assemble(rows, prepared, way, 0.0, gram) == 0);
        CHECK(gram.data() == before);
        CHECK(gram == expected);
      }
    });
  }
}

TEST_CASE("gram: unchanged rows are not computed again, changed ones are") {
  const auto bodies = three_bodies();
  const auto prepared = test::prepared_of(bodies);
  PointRows rows = mixed_rows(bodies, 30, 3);
  GramAssembler assembler;
  std::vector<double> gram;
  const std::size_t count = rows.size();
  const auto assemble = [&] { assembler.assemble(rows, prepared, DelassusWay::cache, 0.0, gram); };
  assemble();
  const std::vector<double> good = gram;
  // Marks in the caller's matrix show what is kept.
  gram[3 * count + 4] = -1.0;
  gram[8 * count + 9] = -2.0;
  assemble();
  CHECK(gram[3 * count + 4] == -1.0);
  rows.term[rows.start[8]].weight = std::nextafter(rows.term[rows.start[8]].weight, 10.0);
  assemble();
  CHECK(gram[3 * count + 4] == -1.0);
  CHECK(gram[8 * count + 9] != -2.0);
  rows.term[rows.start[8]].weight += 0.5;
  assembler.reset();
  assemble();
  CHECK(gram[3 * count + 4] == good[3 * count + 4]);
  // Other bodies behind the same numbers.
  const auto others = three_bodies();
  gram[3 * count + 4] = -1.0;
  assembler.assemble(rows, test::prepared_of(others), DelassusWay::cache, 0.0, gram);
  CHECK(gram[3 * count + 4] == good[3 * count + 4]);
}

TEST_CASE("gram: the same bits on 1, 2 and 4 threads") {
  for (const DelassusWay way : kWays) {
    const auto bodies = three_bodies();
    const PointRows rows = mixed_rows(bodies, 200, 4);
    const std::vector<double> one = fresh(rows, bodies, way, 1).gram;
    for (const int threads : {2, 4}) CHECK(fresh(rows, three_bodies(), way, threads).gram == one);
  }
}

TEST_CASE("gram: columns computed are counted, and those of instances shared") {
  auto bodies = three_bodies();
  bodies.push_back(bodies[0]);  // an instance
  PointRows rows;
  const auto add = [&](Index body, Index node) {
    const ContactTerm term{body, node, 1.0};
    rows.add(&term, 1);
  };
  for (const Index node : {1, 2, 3}) add(0, node);
  CHECK(fresh(rows, bodies, DelassusWay::cache).columns == 3);
  for (const Index node : {2, 3, 4}) add(3, node);
  CHECK(fresh(rows, bodies, DelassusWay::cache).columns == 1);
  CHECK(fresh(rows, bodies, DelassusWay::cache).columns == 0);
}

TEST_CASE("gram: a matrix over the memory limit is refused with both numbers") {
  const auto bodies = three_bodies();
  const auto prepared = test::prepared_of(bodies);
  const PointRows rows = mixed_rows(bodies, 197, 5);  // 200 rows: 320 kB
  GramAssembler assembler;
  std::vector<double> gram;
  CHECK_THROWS_WITH(assembler.assemble(rows, prepared, DelassusWay::cache, 400e3, gram),
                    "contact problem of 200 points: needs 320 kB, allowed are 200 kB; use a coarser "
                    "surface or raise the memory limit");
  assembler.assemble(rows, prepared, DelassusWay::cache, 800e3, gram);
  CHECK(gram == fresh(rows, bodies, DelassusWay::cache).gram);
}

TEST_CASE("gram: columns dropped and made again give the same bits") {
  const auto bodies = three_bodies();
  const auto tight = three_bodies();
  std::vector<Index> surface;
  for (const ContactPoint& point : tight[0].prepared->points) surface.push_back(point.node[0]);
  constexpr double kBudget = 12e3;  // [bytes] less than half of all columns
  tight[0].prepared->compliance =
      std::make_unique<ComplianceCache>(tight[0].prepared->solver.get(), surface, kBudget);
  const std::size_t empty = tight[0].prepared->compliance->bytes();
  PointRows rows;
  std::vector<double> gram;
  GramAssembler assembler;
  std::size_t columns = 0;
  for (const Index begin : {0, 16, 32, 48, 64, 0}) {
    rows.clear();
    for (Index node = begin; node < begin + 16; ++node) {
      const ContactTerm term{0, node, 1.0};
      rows.add(&term, 1);
    }
    for (int n = 0; n < 2; ++n)
      columns += assembler.assemble(rows, test::prepared_of(tight), DelassusWay::cache, 0.0, gram);
    CHECK(gram == fresh(rows, bodies, DelassusWay::cache).gram);
    CHECK(static_cast<double>(tight[0].prepared->compliance->bytes() - empty) <= kBudget);
  }
  CHECK(columns == 96);
}

TEST_CASE("gram: automatic takes the Gram way where the table would pass its budget, and back") {
  const auto bodies = three_bodies();
  std::vector<Index> surface;
  for (const ContactPoint& point : bodies[0].prepared->points) surface.push_back(point.node[0]);
  bodies[0].prepared->compliance =
      std::make_unique<ComplianceCache>(bodies[0].prepared->solver.get(), surface, 6e3);
  const PointRows many = mixed_rows(bodies, 60, 7);
  const PointRows few = picked(many, {0, 7, 14});
  const std::size_t empty = bodies[0].prepared->compliance->bytes();
  GramAssembler assembler;
  std::vector<double> gram;
  const auto assemble = [&](const PointRows& rows) {
    return assembler.assemble(rows, test::prepared_of(bodies), DelassusWay::automatic, 0.0, gram);
  };
  CHECK(assemble(many) == 0);
  CHECK(gram == fresh(many, bodies, DelassusWay::gram).gram);
  CHECK(bodies[0].prepared->compliance->bytes() == empty);
  CHECK(assemble(few) > 0);
  CHECK(gram == fresh(few, bodies, DelassusWay::cache).gram);
  CHECK(assemble(many) == 0);
  CHECK(gram == fresh(many, bodies, DelassusWay::gram).gram);
  CHECK_THROWS_AS(assembler.assemble(many, test::prepared_of(bodies), DelassusWay::cache, 0.0, gram),
                  MemoryError);
}

TEST_CASE("matrix-free: products and diagonal are those of the matrix, on any number of threads") {
  for (const GlobalSolver global : {GlobalSolver::staged, GlobalSolver::triangular}) {
    SolverSettings settings;
    settings.global = global;
    settings.cache = false;
    std::vector<test::DenseBody> bodies;
    bodies.push_back(test::dense_body(test::block_spec(), 16, settings));
    bodies.push_back(test::dense_body(test::block_spec(), 16, settings));
    bodies.push_back(test::dense_body(test::sheet_body("sheet", test::sheet(8, 7, 0.02)), 3, settings));
    const PointRows rows = mixed_rows(bodies, 70, 8);
    const std::vector<double> gram = test::dense_gram(rows, bodies);
    const std::size_t count = rows.size();
    const double scale = *std::max_element(gram.begin(), gram.end());
    test::Random random(9);
    std::vector<Vec3d> v, one_thread;
    for (std::size_t c = 0; c < count; ++c) v.push_back(random.vector());
    for (const int threads : {1, 2, 4}) {
      MatrixFreeDelassus free;
      std::vector<Vec3d> out;
      Executor(threads).run([&] {
        free.set(rows, test::prepared_of(bodies));
        free.apply(v, out);
        free.apply(v, out);
      });
      REQUIRE(free.size() == count);
      double worst = 0.0, worst_diagonal = 0.0;
      for (std::size_t c = 0; c < count; ++c) {
        Vec3d sum{};
        for (std::size_t d = 0; d < count; ++d) sum += gram[c * count + d] * v[d];
        worst = std::max(worst, norm(sum - out[c]));
        worst_diagonal = std::max(worst_diagonal, std::abs(free.diagonal()[c] - gram[c * count + c]));
      }
      CHECK(worst < 1e-11 * scale);
      CHECK(worst_diagonal < 1e-12 * scale);
      if (threads == 1) one_thread = out;
      CHECK(out == one_thread);
    }
  }
}

TEST_CASE("gram: both ways agree where components of the tree are divided among threads") {
  BodySpec spec;
  spec.name = "block";
  spec.mesh = test::block(15, 15, 15, 0.05);
  const Model model = ModelBuilder().add(std::move(spec)).build();
  const BodyData& data = model.data().bodies[0];
  SolverSettings settings;
  settings.cache = false;
  std::vector<double> one_thread;
  for (const int threads : {1, 4}) {
    std::shared_ptr<BodyPrecomputed> body;
    std::vector<double> products, table;
    Executor(threads).run([&] {
      body = precompute_body(data, std::vector<char>(data.start_position.size(), 0), 0.01, settings, 0.0);
      PointRows rows;
      for (Index k = 0; k < 300; ++k) {
        const ContactTerm term[] = {{0, (37 * k) % body->free_count, 0.25}, {0, (91 * k + 5) % 4096, 0.75}};
        rows.add(term, 2);
      }
      GramAssembler by_products, by_table;
      by_products.assemble(rows, {body.get()}, DelassusWay::gram, 0.0, products);
      by_table.assemble(rows, {body.get()}, DelassusWay::cache, 0.0, table);
    });
    check_matrix(products, table, 1e-12);
    if (threads == 1) one_thread = products;
    CHECK(products == one_thread);
  }
}
