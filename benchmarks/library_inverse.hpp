// The staged inverse by products of a library (SpMM), one matrix a stage and direction: what the own kernel
// (host/device_inverse) has to beat.
#pragma once

#include <memory>
#include <vector>

#include "host/row_matrix.hpp"
#include "kernels/device/libraries.hpp"

namespace sinew::bench {

/// Compressed rows on a device, ready for products.
template <class T>
struct PreparedRows {
  DeviceBuffer<Index> row_start, column;
  DeviceBuffer<T> value;
  std::unique_ptr<LibraryMatrix<T>> matrix;
  std::size_t bytes() const { return row_start.bytes() + column.bytes() + value.bytes(); }
};
template <class T>
PreparedRows<T> prepare_rows(DeviceQueue& queue, DeviceLibraries& libraries, Index columns,
                             const std::vector<Index>& row_start, const std::vector<Index>& column,
                             const std::vector<T>& value);

class LibraryInverse {
 public:
  /// Waits. @throws MemoryError, BackendError
  LibraryInverse(DeviceQueue& queue, DeviceLibraries& libraries, const StagedRows<double>& rows);
  /// b, {n} in the solver's order, becomes A^-1 b. Nothing waits.
  void apply(DeviceQueue& queue, View<Vec3d> b);

 private:
  struct Stage {
    RowRange range;  ///< of the rows, as of forward_inside
    PreparedRows<double> forward_outside, forward_inside, backward_outside, backward_inside;
  };
  std::vector<Stage> stages_;
  DeviceBuffer<Vec3d> right_, solution_;
};

}  // namespace sinew::bench
