// Eigen's simplicial factor in METIS order: the way without CHOLMOD.
#include <cmath>
#include <mutex>

#include <metis.h>
#include <Eigen/SparseCholesky>

#include <sinew/errors.hpp>

#include "host/cholesky_libraries.hpp"

#if SINEW_HAVE_CHOLMOD
#include <cholmod.h>
#endif

namespace sinew {

std::string factor_library_name(FactorLibrary library) {
#if SINEW_HAVE_CHOLMOD
  if (library != FactorLibrary::eigen)
    return "CHOLMOD " + std::to_string(CHOLMOD_MAIN_VERSION) + "." + std::to_string(CHOLMOD_SUB_VERSION) +
           "." + std::to_string(CHOLMOD_SUBSUB_VERSION);
#else
  static_cast<void>(library);
#endif
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION);
}

namespace {

/// Nested-dissection order: order[k] = row eliminated as the k-th.
std::vector<Index> metis_order(const SymmetricMatrix& matrix) {
  const Index n = matrix.size;
  std::vector<idx_t> degree(n, 0);
  for (Index j = 0; j < n; ++j) {
    for (Index p = matrix.column_start[j] + 1; p < matrix.column_start[j + 1]; ++p) {
      ++degree[j];
      ++degree[matrix.row[p]];
    }
  }
  std::vector<idx_t> start(n + 1, 0);
  for (Index j = 0; j < n; ++j) start[j + 1] = start[j] + degree[j];
  std::vector<idx_t> neighbour(start[n]), cursor(start.begin(), start.end() - 1);
  for (Index j = 0; j < n; ++j) {
    for (Index p = matrix.column_start[j] + 1; p < matrix.column_start[j + 1]; ++p) {
      neighbour[cursor[j]++] = matrix.row[p];
      neighbour[cursor[matrix.row[p]]++] = j;
    }
  }
  std::vector<Index> order(n);
  for (Index j = 0; j < n; ++j) order[j] = j;
  if (n < 2 || neighbour.empty()) return order;  // METIS does not take graphs without an edge
  std::vector<idx_t> permutation(n), inverse(n);
  idx_t count = n;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  const std::lock_guard lock(metis_mutex());
  if (METIS_NodeND(&count, start.data(), neighbour.data(), nullptr, options, permutation.data(),
                   inverse.data()) != METIS_OK)
    throw BackendError("METIS_NodeND: ordering failed");
  for (Index j = 0; j < n; ++j) order[j] = permutation[j];
  return order;
}

/// Nonzeros of L for a given order, by walking row subtrees (Liu 1990).
double count_factor_nonzeros(const Eigen::SparseMatrix<double>& lower) {
  const Index n = static_cast<Index>(lower.rows());
  const Eigen::SparseMatrix<double> rows = lower.transpose();
  std::vector<Index> parent(n, -1), ancestor(n, -1), mark(n, -1);
  double total = n;
  for (Index i = 0; i < n; ++i) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(rows, i); it; ++it) {
      for (Index k = static_cast<Index>(it.index()); k != -1 && k < i;) {
        const Index next = ancestor[k];
        ancestor[k] = i;
        if (next == -1) parent[k] = i;
        k = next;
      }
    }
  }
  for (Index i = 0; i < n; ++i) {
    mark[i] = i;
    for (Eigen::SparseMatrix<double>::InnerIterator it(rows, i); it; ++it) {
      for (Index k = static_cast<Index>(it.index()); k < i && k != -1 && mark[k] != i; k = parent[k]) {
        mark[k] = i;
        total += 1.0;
      }
    }
  }
  return total;
}

}  // namespace

std::mutex& metis_mutex() {
  static std::mutex mutex;
  return mutex;
}

void check_factor_memory(double nonzeros, double memory_limit) {
  const double bytes = nonzeros * (sizeof(double) + sizeof(Index)) * 2.0;  // the library's copy and ours
  if (memory_limit > 0.0 && bytes > memory_limit)
    throw MemoryError("factor of the system: needs " + std::to_string(static_cast<long>(bytes / 1e6)) +
                      " MB, allowed or free are " + std::to_string(static_cast<long>(memory_limit / 1e6)) +
                      " MB; use a coarser mesh or raise the memory limit");
}

CholeskyFactor factor_eigen(const SymmetricMatrix& matrix, double memory_limit) {
  const Index n = matrix.size;
  CholeskyFactor result;
  result.order = metis_order(matrix);
  std::vector<Index> position(n);
  for (Index k = 0; k < n; ++k) position[result.order[k]] = k;
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(matrix.row.size());
  for (Index j = 0; j < n; ++j) {
    for (Index p = matrix.column_start[j]; p < matrix.column_start[j + 1]; ++p) {
      const Index a = position[matrix.row[p]], b = position[j];
      entries.emplace_back(std::max(a, b), std::min(a, b), matrix.value[p]);
    }
  }
  Eigen::SparseMatrix<double> permuted(n, n);
  permuted.setFromTriplets(entries.begin(), entries.end());
  check_factor_memory(count_factor_nonzeros(permuted), memory_limit);
  Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> llt(permuted);
  if (llt.info() != Eigen::Success)
    throw BackendError("Eigen::SimplicialLLT: the system is not positive definite");
  const Eigen::SparseMatrix<double> l = llt.matrixL();
  result.column_start.assign(l.outerIndexPtr(), l.outerIndexPtr() + n + 1);
  result.row.assign(l.innerIndexPtr(), l.innerIndexPtr() + l.nonZeros());
  result.value.assign(l.valuePtr(), l.valuePtr() + l.nonZeros());
  return result;
}

}  // namespace sinew
