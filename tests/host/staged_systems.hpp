// Systems, factors and short cuts for the tests of the staged inverse.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "host/linear_solver.hpp"
#include "tests/host/test_matrices.hpp"
#include "tests/support/random.hpp"

namespace sinew::test {

inline SymmetricMatrix diagonal(Index n) {
  SymmetricMatrix a;
  a.size = n;
  for (Index j = 0; j < n; ++j) {
    a.column_start.push_back(j);
    a.row.push_back(j);
    a.value.push_back(2.0 + j);
  }
  a.column_start.push_back(n);
  return a;
}

/// A chain with long-range entries: narrow and wide supernodes, unbalanced tree.
inline SymmetricMatrix tangled(Index n) {
  Random random(17);
  SymmetricMatrix a;
  a.size = n;
  for (Index j = 0; j < n; ++j) {
    a.column_start.push_back(static_cast<Index>(a.row.size()));
    std::vector<Index> rows = {j};
    for (const Index step : {1, 7, 31})
      if (j + step < n && random.uniform(0.0, 1.0) < 0.8) rows.push_back(j + step);
    for (const Index row : rows) {
      a.row.push_back(row);
      a.value.push_back(row == j ? 9.0 : random.uniform());
    }
  }
  a.column_start.push_back(static_cast<Index>(a.row.size()));
  return a;
}

/// One node joined to all others.
inline SymmetricMatrix star(Index n) {
  SymmetricMatrix a = diagonal(n);
  a.column_start.assign(1, 0);
  a.row.clear();
  a.value.clear();
  for (Index j = 0; j < n; ++j) {
    a.row.push_back(j);
    a.value.push_back(j == 0 ? n : 2.0);
    for (Index i = 1; j == 0 && i < n; ++i) a.row.push_back(i), a.value.push_back(-1.0);
    a.column_start.push_back(static_cast<Index>(a.row.size()));
  }
  return a;
}

/// The factor of a chain eliminated from one end: a tree as tall as it has nodes.
inline CholeskyFactor tall_factor(Index n) {
  CholeskyFactor f;
  f.column_start.push_back(0);
  for (Index j = 0; j < n; ++j) {
    f.order.push_back(j);
    f.parent.push_back(j + 1 < n ? j + 1 : -1);
    for (Index i = j; i < std::min(n, j + 2); ++i) {
      f.row.push_back(i);
      f.value.push_back(i == j ? 1.4 : -0.7);
    }
    f.column_start.push_back(static_cast<Index>(f.row.size()));
  }
  return f;
}

inline std::vector<Vec3d> random_block(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3d> x(n);
  for (Vec3d& v : x) v = random.vector();
  return x;
}

/// ||A x - b|| / ||b|| of x = solver(b).
inline double relative_residual(const LinearSolver& solver, const SymmetricMatrix& a) {
  const std::vector<Vec3d> x = random_block(a.size, 5), b = multiply(a, x);
  std::vector<Vec3d> y(a.size);
  for (Index k = 0; k < a.size; ++k) y[k] = b[solver.order()[k]];
  Vec3d* block = y.data();
  solver.solve(&block, 1, *solver.make_workspace());
  double error = 0.0, scale = 0.0;
  for (Index k = 0; k < a.size; ++k) {
    error += squared_norm(y[k] - x[solver.order()[k]]);
    scale += squared_norm(x[k]);
  }
  return scale > 0.0 ? std::sqrt(error / scale) : 0.0;
}

inline SolverSettings staged(int stages, SolverPrecision precision = SolverPrecision::full,
                             FactorLibrary library = FactorLibrary::automatic) {
  SolverSettings settings;
  settings.global = GlobalSolver::staged;
  settings.stages = stages;
  settings.precision = precision;
  settings.factor = library;
  return settings;
}
inline std::vector<SymmetricMatrix> small_systems() {
  return {diagonal(1),
          diagonal(9),
          grid_laplacian(2, 0.3),
          grid_laplacian(6, 0.01),
          tangled(150),
          side_by_side(grid_laplacian(4, 0.1), side_by_side(diagonal(3), tangled(60)))};
}

}  // namespace sinew::test
