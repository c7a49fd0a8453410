// The staged inverse on a device: x := A_s^-1 x in 4 K - 2 products for K stages.
#pragma once

#include <memory>
#include <vector>

#include "host/row_matrix.hpp"
#include "kernels/device/queue.hpp"

namespace sinew {

template <class T>
class DeviceInverse {
 public:
  /// Vectors of one caller.
  struct Workspace {
    DeviceBuffer<Vec3<T>> right, solution;
  };
  /// The same, kWideColumns columns at once.
  struct WideWorkspace {
    DeviceBuffer<T> block, right, solution;
  };

  /// Copies the rows; returns when they are there. @throws MemoryError
  DeviceInverse(DeviceQueue& queue, const StagedRows<T>& rows);

  Index size() const { return size_; }
  std::size_t bytes() const;
  Workspace make_workspace(Device& device) const;
  /// b, {n} in the solver's order, becomes A^-1 b. Nothing waits. The bits of b's solution depend on b alone.
  void apply(DeviceQueue& queue, View<Vec3<T>> b, Workspace& workspace) const;

  WideWorkspace make_wide_workspace(Device& device) const;
  /// columns {node.size, n} become those of A^-1 for up to kWideColumns nodes. Nothing waits. The bits of a
  /// column depend on its node alone.
  void columns(DeviceQueue& queue, View<const Index> node, View<double> columns,
               WideWorkspace& workspace) const;

 private:
  struct Matrix {
    DeviceBuffer<std::int64_t> value_start, index_start;
    DeviceBuffer<Index> index;
    DeviceBuffer<T> value;
    RowMatrixView<T> view() const {
      return {value_start.view(), index_start.view(), index.view(), value.view()};
    }
    std::size_t bytes() const {
      return value_start.bytes() + index_start.bytes() + index.bytes() + value.bytes();
    }
  };
  /// product(matrix, range, x, sign, base, to), from the first stage to the last and back: see .cpp.
  template <class Vectors, class Product>
  void solve(Vectors b, Vectors right, Vectors y, Product&& product) const;
  static Matrix upload(DeviceQueue& queue, const RowMatrix<T>& matrix);

  Index size_ = 0;
  std::vector<typename StagedRows<T>::Stage> stages_;
  Matrix forward_outside_, forward_inside_, backward_outside_, backward_inside_;
};

extern template class DeviceInverse<float>;
extern template class DeviceInverse<double>;

}  // namespace sinew
