// Small symmetric matrices for the tests of linear solvers.
#pragma once

#include <vector>

#include "host/cholesky.hpp"

namespace sinew::test {

/// Laplacian of an m x m x m grid plus a positive diagonal.
inline SymmetricMatrix grid_laplacian(Index m, double shift) {
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

/// A x.
inline std::vector<Vec3d> multiply(const SymmetricMatrix& a, const std::vector<Vec3d>& x) {
  std::vector<Vec3d> y(x.size());
  for (Index j = 0; j < a.size; ++j) {
    for (Index p = a.column_start[j]; p < a.column_start[j + 1]; ++p) {
      y[a.row[p]] += a.value[p] * x[j];
      if (a.row[p] != j) y[j] += a.value[p] * x[a.row[p]];
    }
  }
  return y;
}

/// Block diagonal matrix of both: a disconnected graph.
inline SymmetricMatrix side_by_side(const SymmetricMatrix& a, const SymmetricMatrix& b) {
  SymmetricMatrix both = a;
  both.size += b.size;
  const Index offset = static_cast<Index>(a.row.size());
  for (Index j = 1; j <= b.size; ++j) both.column_start.push_back(offset + b.column_start[j]);
  for (const Index row : b.row) both.row.push_back(a.size + row);
  both.value.insert(both.value.end(), b.value.begin(), b.value.end());
  return both;
}

/// Every factor library of this build.
inline std::vector<FactorLibrary> libraries() {
  std::vector<FactorLibrary> result = {FactorLibrary::eigen, FactorLibrary::native};
  if (has_cholmod()) result.push_back(FactorLibrary::cholmod);
  if (has_cholmod_supernodal()) result.push_back(FactorLibrary::cholmod_supernodal);
  return result;
}

}  // namespace sinew::test
