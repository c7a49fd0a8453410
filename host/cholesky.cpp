#include "host/cholesky.hpp"

#include <algorithm>
#include <atomic>

#include <sinew/errors.hpp>

#include "host/cholesky_libraries.hpp"
#include "host/native_factor.hpp"

namespace sinew {

std::size_t CholeskyFactor::bytes() const {
  return order.size() * 2 * sizeof(Index) + column_start.size() * sizeof(Index) + row.size() * sizeof(Index) +
         value.size() * sizeof(double);
}

void CholeskyFactor::solve(Vec3d* x) const {
  const Index n = size();
  for (Index j = 0; j < n; ++j) {
    const Index begin = column_start[j], end = column_start[j + 1];
    const Vec3d xj = x[j] = x[j] / value[begin];
    for (Index p = begin + 1; p < end; ++p) {
      const double l = value[p];
      Vec3d& xi = x[row[p]];
      xi.x -= l * xj.x;
      xi.y -= l * xj.y;
      xi.z -= l * xj.z;
    }
  }
  for (Index j = n - 1; j >= 0; --j) {
    const Index begin = column_start[j], end = column_start[j + 1];
    Vec3d xj = x[j];
    for (Index p = begin + 1; p < end; ++p) {
      const double l = value[p];
      const Vec3d& xi = x[row[p]];
      xj.x -= l * xi.x;
      xj.y -= l * xi.y;
      xj.z -= l * xi.z;
    }
    x[j] = xj / value[begin];
  }
}

void CholeskyFactor::inverse_column(Index k, double* column) const {
  const Index n = size();
  std::fill(column, column + n, 0.0);
  column[k] = 1.0;
  for (Index j = k; j >= 0; j = parent[j]) {
    const Index begin = column_start[j], end = column_start[j + 1];
    const double xj = column[j] = column[j] / value[begin];
    for (Index p = begin + 1; p < end; ++p) column[row[p]] -= value[p] * xj;
  }
  for (Index j = n - 1; j >= 0; --j) {
    const Index begin = column_start[j], end = column_start[j + 1];
    double xj = column[j];
    for (Index p = begin + 1; p < end; ++p) xj -= value[p] * column[row[p]];
    column[j] = xj / value[begin];
  }
}

FactorLibrary resolve(FactorLibrary library) {
  if (library == FactorLibrary::automatic || library == FactorLibrary::native) return FactorLibrary::native;
  if (library != FactorLibrary::eigen && !has_cholmod())
    throw BackendError("factor 'cholmod': this build has no CHOLMOD; use 'eigen' or 'automatic'");
  if (library == FactorLibrary::cholmod_supernodal && !has_cholmod_supernodal())
    throw BackendError(
        "factor 'cholmod_supernodal': left out of this build; use 'cholmod' or build with "
        "-DSINEW_CHOLMOD_SUPERNODAL=ON");
  return library;
}

namespace {
std::atomic<std::uint64_t> factorizations{0};
}

std::uint64_t factorizations_made() {
  return factorizations;
}

CholeskyFactor factor(const SymmetricMatrix& matrix, FactorLibrary library, double memory_limit) {
  library = resolve(library);
  ++factorizations;
  if (matrix.size == 0) {  // CHOLMOD does not take it
    CholeskyFactor empty;
    empty.column_start = {0};
    return empty;
  }
  if (library == FactorLibrary::native)
    return factor_native(matrix, elimination_order(matrix, library), memory_limit);
  CholeskyFactor result =
      library == FactorLibrary::eigen
          ? factor_eigen(matrix, memory_limit)
          : factor_cholmod(matrix, library == FactorLibrary::cholmod_supernodal, memory_limit);
  // The libraries keep entries that cancelled: the first row below the diagonal is the parent.
  const Index n = result.size();
  result.parent.assign(n, -1);
  for (Index j = 0; j < n; ++j)
    if (result.column_start[j + 1] > result.column_start[j] + 1)
      result.parent[j] = result.row[result.column_start[j] + 1];
  return result;
}

std::vector<Index> elimination_order(const SymmetricMatrix& matrix, FactorLibrary library) {
  if (matrix.size == 0) return {};
  return resolve(library) == FactorLibrary::eigen || !has_cholmod() ? order_eigen(matrix)
                                                                    : order_cholmod(matrix);
}

}  // namespace sinew
