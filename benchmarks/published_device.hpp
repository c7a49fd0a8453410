// The published way on a device, by the vendor's libraries: the 3n x 3n inverse S = L^-1 by two sparse
// products with a vector, the Delassus operator W = (S H^T)^T (S H^T) by sparse products of matrices with
// explicit transposes, and ten steps of conjugate residual on the dense 3c x 3c system. The baseline of the
// device.
#pragma once

#include <vector>

#include "benchmarks/library_inverse.hpp"
#include "engine/delassus/point_rows.hpp"
#include "host/rivals/sparse_inverse.hpp"
#include "kernels/element/contact/coulomb.hpp"

namespace sinew::bench {

class PublishedInverse {
 public:
  /// Copies S and S^T, three rows a node. Waits. @throws MemoryError, BackendError
  PublishedInverse(DeviceQueue& queue, DeviceLibraries& libraries, const SparseInverse<double>& inverse);
  std::size_t bytes() const { return rows_.bytes() + transposed_.bytes(); }
  /// to = A^-1 b, {3n}, in the order of S: two products. Nothing waits.
  void solve(View<const double> b, View<double> to);

  /// H^T {3n, 3c} of points in the nodes of the matrix: columns (n, t1, t2) of each point.
  DeviceCsr upload_points(const PointRows& rows, const std::vector<ContactFrame<double>>& frames) const;
  /// w: {3c * 3c}, dense and symmetric. Waits.
  void assemble(const DeviceCsr& points, View<double> w);

 private:
  DeviceQueue& queue_;
  DeviceLibraries& libraries_;
  std::vector<Index> place_;  ///< {n} of the nodes of the matrix: place in the order of S
  PreparedRows<double> rows_, transposed_;
  DeviceBuffer<double> half_;
};

/// Conjugate residual (Stiefel 1955) by a dense library; scalars stay on the device.
class LibraryConjugateResidual {
 public:
  LibraryConjugateResidual(DeviceQueue& queue, DeviceLibraries& libraries, Index size);
  /// x: after so many steps from zero. a: {size * size}, symmetric. Nothing waits.
  void solve(View<const double> a, View<const double> b, View<double> x, int iterations);

 private:
  DeviceQueue& queue_;
  DeviceLibraries& libraries_;
  Index size_;
  DeviceBuffer<double> residual_, product_, direction_, direction_product_, scalar_;
};

}  // namespace sinew::bench
