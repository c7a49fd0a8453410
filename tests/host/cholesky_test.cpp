#include "host/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <sinew/errors.hpp>

#include "host/elimination_tree.hpp"
#include "host/memory.hpp"
#include "tests/host/test_matrices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;
using test::grid_laplacian;
using test::libraries;
using test::multiply;

TEST_CASE("factor solves the system, whichever library made it") {
  for (const FactorLibrary library : libraries()) {
    for (const Index m : {1, 2, 7}) {
      const SymmetricMatrix a = grid_laplacian(m, 0.01);
      const CholeskyFactor f = factor(a, library, 0.0);
      CHECK(std::set<Index>(f.order.begin(), f.order.end()).size() == static_cast<std::size_t>(a.size));
      test::Random random(3);
      std::vector<Vec3d> x(a.size);
      for (Vec3d& v : x) v = random.vector();
      const std::vector<Vec3d> b = multiply(a, x);
      std::vector<Vec3d> y(a.size);
      for (Index k = 0; k < a.size; ++k) y[k] = b[f.order[k]];
      f.solve(y.data());
      for (Index k = 0; k < a.size; ++k) CHECK(norm(y[k] - x[f.order[k]]) < 1e-11);
    }
  }
}

TEST_CASE("a column of the inverse equals a solve with a unit vector") {
  for (const FactorLibrary library : libraries()) {
    const SymmetricMatrix a = grid_laplacian(6, 0.1);
    const CholeskyFactor f = factor(a, library, 0.0);
    std::vector<double> column(a.size);
    for (const Index k : {0, 17, 100, 215}) {
      std::vector<Vec3d> e(a.size);
      e[k] = {1, 0, -2};
      f.solve(e.data());
      f.inverse_column(k, column.data());
      for (Index i = 0; i < a.size; ++i) {
        CHECK(column[i] == Approx(e[i].x).margin(1e-14));
        CHECK(e[i].z == Approx(-2.0 * column[i]).margin(1e-14));
      }
    }
  }
}

TEST_CASE("nested dissection keeps the factor sparse") {
  for (const FactorLibrary library : libraries()) {
    const CholeskyFactor f = factor(grid_laplacian(12, 0.01), library, 0.0);
    CHECK(f.nonzeros() < 150000);  // natural order: over 200,000
  }
}

TEST_CASE("factor refuses what it cannot do, with both numbers for memory") {
  for (const FactorLibrary library : libraries()) {
    CHECK_THROWS_AS(factor(grid_laplacian(3, -1.0), library, 0.0), BackendError);
    try {
      factor(grid_laplacian(12, 0.01), library, 1e6);
      FAIL("no error");
    } catch (const MemoryError& error) {
      CHECK(std::string(error.what()).find("needs") != std::string::npos);
      CHECK(std::string(error.what()).find("free are 1.0 MB") != std::string::npos);
    }
  }
  CHECK(available_memory_bytes() > 1e7);
}

TEST_CASE("the supernodal factor is the simplicial one: same order, rows and tree, values to rounding") {
  if (!has_cholmod_supernodal()) return;
  for (const SymmetricMatrix& a : {grid_laplacian(1, 0.5), grid_laplacian(9, 0.01),
                                   test::side_by_side(grid_laplacian(5, 0.1), grid_laplacian(3, 0.2))}) {
    const CholeskyFactor simplicial = factor(a, FactorLibrary::cholmod, 0.0);
    const CholeskyFactor supernodal = factor(a, FactorLibrary::cholmod_supernodal, 0.0);
    CHECK(supernodal.order == simplicial.order);
    CHECK(supernodal.column_start == simplicial.column_start);
    CHECK(supernodal.row == simplicial.row);
    CHECK(supernodal.parent == simplicial.parent);
    double difference = 0.0;
    for (std::size_t p = 0; p < simplicial.value.size(); ++p)
      difference = std::max(difference, std::abs(supernodal.value[p] - simplicial.value[p]));
    CHECK(difference < 1e-13);
  }
}

TEST_CASE("columns stand in postorder of the elimination tree, rows ascend from the diagonal") {
  for (const FactorLibrary library : libraries()) {
    const SymmetricMatrix a = test::side_by_side(grid_laplacian(6, 0.1), grid_laplacian(4, 0.2));
    const CholeskyFactor f = factor(a, library, 0.0);
    const LowerPattern pattern = lower_pattern(a, f.order);
    CHECK(f.parent == elimination_tree(pattern));
    CHECK(elimination_order(a, library) == f.order);
    const std::vector<Index> post = postorder(f.parent);
    CHECK(std::is_sorted(post.begin(), post.end()));
    std::vector<Index> column_start, row;
    factor_structure(pattern, f.parent, column_start, row);
    CHECK(column_start == f.column_start);
    CHECK(row == f.row);
  }
}

TEST_CASE("tree and structure of a small matrix equal those found by elimination by hand") {
  // Arrow to the last node, plus 0-2: eliminating 0 joins 2 and 4.
  SymmetricMatrix a;
  a.size = 5;
  a.column_start = {0, 3, 5, 7, 9, 10};
  a.row = {0, 2, 4, 1, 4, 2, 4, 3, 4, 4};
  a.value.assign(10, 1.0);
  const LowerPattern pattern = lower_pattern(a, {0, 1, 2, 3, 4});
  const std::vector<Index> parent = elimination_tree(pattern);
  CHECK(parent == std::vector<Index>{2, 4, 4, 4, -1});
  CHECK(postorder(parent) == std::vector<Index>{1, 0, 2, 3, 4});
  CHECK(factor_column_counts(pattern, parent) == std::vector<Index>{3, 2, 2, 2, 1});
  // Eliminated backwards, the arrow fills: every column is full.
  const LowerPattern full = lower_pattern(a, {4, 3, 2, 1, 0});
  CHECK(elimination_tree(full) == std::vector<Index>{1, 2, 3, 4, -1});
  CHECK(factor_column_counts(full, elimination_tree(full)) == std::vector<Index>{5, 4, 3, 2, 1});
}

TEST_CASE("an empty system has an empty factor") {
  SymmetricMatrix a;
  a.column_start = {0};
  for (const FactorLibrary library : libraries()) {
    const CholeskyFactor f = factor(a, library, 0.0);
    CHECK(f.size() == 0);
    CHECK(f.nonzeros() == 0);
    CHECK(f.column_start == std::vector<Index>{0});
  }
}
