// Sparse Cholesky factor of the constant scalar system A_s, and solves with it.
//
// P A P^T = L L^T in nested-dissection order, columns in postorder of the elimination tree. The library only
// orders and factors; L is kept in plain arrays, so that every solve is this engine's own, allocation-free
// and with the same bits on any thread count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <sinew/base/solver_settings.hpp>
#include <sinew/base/vec3.hpp>

namespace sinew {

/// Lower triangle of a symmetric matrix by columns; rows ascending, the diagonal first.
struct SymmetricMatrix {
  Index size = 0;
  std::vector<Index> column_start;  ///< {size + 1}
  std::vector<Index> row;
  std::vector<double> value;
};

/// True where CHOLMOD was built in.
bool has_cholmod();
/// True where its supernodal factor (GPL) was built in, too.
bool has_cholmod_supernodal();
/// "CHOLMOD 3.0.14" or "Eigen 3.4.0".
std::string factor_library_name(FactorLibrary library);

struct CholeskyFactor {
  std::vector<Index> order;         ///< {n}: order[k] = row of A eliminated as the k-th
  std::vector<Index> column_start;  ///< {n + 1}
  std::vector<Index> row;           ///< elimination order, ascending, diagonal first
  std::vector<double> value;
  std::vector<Index> parent;  ///< elimination tree, -1 at roots; postordered: a subtree is one range

  Index size() const { return static_cast<Index>(order.size()); }
  std::size_t nonzeros() const { return row.size(); }
  std::size_t bytes() const;

  /// x := A^-1 x for three right-hand sides at once; x in elimination order, {n}.
  void solve(Vec3d* x) const;
  /// column := A^-1 e_k, {n}, everything in elimination order. The forward half only walks the path from k to
  /// the root of the elimination tree.
  void inverse_column(Index k, double* column) const;
};

/// Orders and factors. memory_limit [bytes] is checked against the predicted size of L before it is
/// allocated.
/// @throws MemoryError with both numbers; BackendError where the library fails or A is not positive definite.
CholeskyFactor factor(const SymmetricMatrix& matrix, FactorLibrary library, double memory_limit);

/// Calls of factor() in this process so far, for tests of what must not factor.
std::uint64_t factorizations_made();

/// The order that factor() would eliminate in, without the numbers.
std::vector<Index> elimination_order(const SymmetricMatrix& matrix, FactorLibrary library);

/// automatic becomes the library that is taken. @throws BackendError where this build lacks the library.
FactorLibrary resolve(FactorLibrary library);

}  // namespace sinew
