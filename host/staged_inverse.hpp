// The staged inverse with its numbers: build from a Cholesky factor, and the global step x := A^-1 x.
#pragma once

#include <cstddef>
#include <vector>

#include "host/aligned_vector.hpp"
#include "host/byte_stream.hpp"
#include "host/cholesky.hpp"
#include "host/forward_columns.hpp"
#include "host/staged_kernels.hpp"
#include "host/staged_structure.hpp"

namespace sinew {

/// T: float or double, of the values and of all sums.
template <class T>
class StagedInverse {
 public:
  StagedInverse() = default;
  /// Inverts the diagonal blocks of all stages, components in parallel; no dense n x n matrix. The structure
  /// is that of the factor. Call inside Executor::run.
  StagedInverse(const CholeskyFactor& factor, StagedStructure structure);

  /// Vectors of one caller; grows to the widest call.
  struct Workspace {
    AlignedVector<T> right;     ///< {n rows}: r_s and z_s
    AlignedVector<T> solution;  ///< {n rows}: y and x
    AlignedVector<T> outside;   ///< {outside rows}: L_ts y_s on the way up, x_t on the way down
    AlignedVector<T> partial;   ///< {partial rows}: sums of the pieces of divided components
  };

  /// block[c], {n} in the order of structure(), becomes A^-1 block[c]: forward, then backward through the
  /// stages, up to four blocks for one reading of the values.
  /// sparse: most rows are zero (unit vectors); components that only get zeros are passed over on the way up,
  /// with the same bits.
  void solve(Vec3d* const* block, std::size_t count, Workspace& workspace, bool sparse = false) const;

  /// Y = L^-1 B^T, groups in parallel; columns ordered by their first rows. Same promise on bits: a column's
  /// depend on nothing else. Call inside Executor::run.
  void forward_columns(const SparseColumns& columns, ForwardColumns& y) const;

  const StagedStructure& structure() const { return structure_; }
  const AlignedVector<T>& values() const { return values_; }
  std::size_t stored_entries() const { return values_.size(); }
  std::size_t bytes() const;

  void write(ByteWriter& out) const;
  /// @throws IoError where the bytes cannot be those of a staged inverse of n columns.
  static StagedInverse read(ByteReader& in, Index n);

 private:
  template <class U>
  friend class StagedPass;
  void build_component(const CholeskyFactor& factor, Index component);

  StagedStructure structure_;
  AlignedVector<T> values_;
};

extern template class StagedInverse<float>;
extern template class StagedInverse<double>;

}  // namespace sinew
