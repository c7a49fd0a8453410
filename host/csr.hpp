// Compressed rows and their products with n x 3 blocks.
#pragma once

#include <cstddef>
#include <vector>

#include <sinew/base/vec3.hpp>

#include "host/cholesky.hpp"
#include "kernels/runtime/executor.hpp"

namespace sinew {

template <class T>
struct CsrMatrix {
  std::vector<std::size_t> row_start;  ///< {rows + 1}
  std::vector<Index> column;           ///< ascending in each row
  std::vector<T> value;

  Index rows() const { return static_cast<Index>(row_start.size()) - 1; }
  std::size_t bytes() const {
    return row_start.size() * sizeof(std::size_t) + column.size() * sizeof(Index) + value.size() * sizeof(T);
  }
  /// Row i times the block x, entries in order.
  Vec3<T> row_product(std::size_t i, const Vec3<T>* x) const {
    Vec3<T> sum;
    for (std::size_t p = row_start[i]; p < row_start[i + 1]; ++p) {
      const T a = value[p];
      const Vec3<T>& v = x[column[p]];
      sum.x += a * v.x;
      sum.y += a * v.y;
      sum.z += a * v.z;
    }
    return sum;
  }
};

/// Rows of P A P^T, both triangles; order[k] = row of the matrix that comes k-th.
CsrMatrix<double> permuted_rows(const SymmetricMatrix& matrix, const std::vector<Index>& order);

}  // namespace sinew
