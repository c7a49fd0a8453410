// Eigen's simplicial factor in METIS order: the way without CHOLMOD.
#include <algorithm>
#include <limits>
#include <mutex>

#include <metis.h>
#include <Eigen/SparseCholesky>

#include <sinew/errors.hpp>

#include "host/cholesky_libraries.hpp"
#include "host/elimination_tree.hpp"
#include "host/memory.hpp"

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

}  // namespace

std::mutex& metis_mutex() {
  static std::mutex mutex;
  return mutex;
}

void check_factor_memory(double bytes, double memory_limit) {
  require_memory("factor of the system", bytes, memory_limit);
}

std::vector<Index> order_eigen(const SymmetricMatrix& matrix) {
  const std::vector<Index> order = metis_order(matrix);
  const std::vector<Index> post = postorder(elimination_tree(lower_pattern(matrix, order)));
  std::vector<Index> result(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) result[k] = order[post[k]];
  return result;
}

CholeskyFactor factor_eigen(const SymmetricMatrix& matrix, double memory_limit) {
  const Index n = matrix.size;
  CholeskyFactor result;
  result.order = order_eigen(matrix);
  const LowerPattern pattern = lower_pattern(matrix, result.order);
  double nonzeros = 0.0;
  for (const Index count : factor_column_counts(pattern, elimination_tree(pattern))) nonzeros += count;
  check_factor_memory(2.0 * nonzeros * kFactorEntryBytes, memory_limit);  // the library's copy and ours
  if (nonzeros > std::numeric_limits<Index>::max())
    throw BackendError("factor of the system: over 2^31 nonzeros; use a coarser mesh");

  const std::vector<Index> position = inverse_order(result.order);
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
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>> llt(
      permuted);
  if (llt.info() != Eigen::Success)
    throw BackendError("Eigen::SimplicialLLT: the system is not positive definite");
  const auto lower = llt.matrixL();  // a view
  const auto& l = lower.nestedExpression();
  result.column_start.assign(l.outerIndexPtr(), l.outerIndexPtr() + n + 1);
  result.row.assign(l.innerIndexPtr(), l.innerIndexPtr() + l.nonZeros());
  result.value.assign(l.valuePtr(), l.valuePtr() + l.nonZeros());
  return result;
}

}  // namespace sinew
