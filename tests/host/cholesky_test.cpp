#include "host/cholesky.hpp"

#include <algorithm>
#include <set>

#include <sinew/errors.hpp>

#include "host/memory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random.hpp"

using namespace sinew;

namespace {

/// Laplacian of an m x m x m grid plus a positive diagonal.
SymmetricMatrix grid_laplacian(Index m, double shift) {
  SymmetricMatrix a;
  a.size = m * m * m;
  const auto id = [m](Index i, Index j, Index k) { return (k * m + j) * m + i; };
  a.column_start.push_back(0);
  for (Index k = 0; k < m; ++k) {
    for (Index j = 0; j < m; ++j) {
      for (Index i = 0; i < m; ++i) {
        const int degree = (i > 0) + (j > 0) + (k > 0) + (i < m - 1) + (j < m - 1) + (k < m - 1);
        a.row.push_back(id(i, j, k));
        a.value.push_back(shift + degree);
        if (i < m - 1) a.row.push_back(id(i + 1, j, k)), a.value.push_back(-1.0);
        if (j < m - 1) a.row.push_back(id(i, j + 1, k)), a.value.push_back(-1.0);
        if (k < m - 1) a.row.push_back(id(i, j, k + 1)), a.value.push_back(-1.0);
        a.column_start.push_back(static_cast<Index>(a.row.size()));
      }
    }
  }
  return a;
}

std::vector<Vec3d> multiply(const SymmetricMatrix& a, const std::vector<Vec3d>& x) {
  std::vector<Vec3d> y(x.size());
  for (Index j = 0; j < a.size; ++j) {
    for (Index p = a.column_start[j]; p < a.column_start[j + 1]; ++p) {
      y[a.row[p]] += a.value[p] * x[j];
      if (a.row[p] != j) y[j] += a.value[p] * x[a.row[p]];
    }
  }
  return y;
}

std::vector<FactorLibrary> libraries() {
  if (has_cholmod()) return {FactorLibrary::cholmod, FactorLibrary::eigen};
  return {FactorLibrary::eigen};
}

}  // namespace

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
      CHECK(std::string(error.what()).find("free are 1 MB") != std::string::npos);
    }
  }
  CHECK(available_memory_bytes() > 1e7);
}
