// The libraries that a device's vendor offers for the same work, as baselines: cuSPARSE and cuBLAS on CUDA,
// loaded when they are asked for, so that programs start without them; plain loops on the emulated device.
// Work goes into the queue that they were made for. No type of a library appears here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sinew/base/config.hpp>
#include <sinew/base/vec3.hpp>

#include "kernels/device/queue.hpp"

namespace sinew {

/// Compressed rows on a device, borrowed.
template <class T>
struct CsrView {
  Index rows = 0, columns = 0;
  View<const Index> row_start;  ///< {rows + 1}
  View<const Index> column;
  View<const T> value;
};

/// The same, owned.
struct DeviceCsr {
  Index rows = 0, columns = 0;
  DeviceBuffer<Index> row_start, column;
  DeviceBuffer<double> value;
  CsrView<double> view() const { return {rows, columns, row_start.view(), column.view(), value.view()}; }
};

/// A matrix that was prepared for many products. Its arrays are borrowed.
template <class T>
class LibraryMatrix {
 public:
  virtual ~LibraryMatrix() = default;
  /// to = factor A x + keep to for n x 3 blocks (SpMM); what was there is not read where keep is 0.
  virtual void multiply(View<const Vec3<T>> x, View<Vec3<T>> to, T factor = 1, T keep = 0) = 0;
  /// to = A x (SpMV).
  virtual void multiply(View<const T> x, View<T> to) = 0;
};

/// Scalars stand on the device, so that nothing waits for them. Dense matrices are column-major, without
/// gaps. Only what says so waits.
class DeviceLibraries {
 public:
  virtual ~DeviceLibraries() = default;
  virtual const std::string& name() const = 0;  ///< "cuSPARSE 12.6.3, cuBLAS 13.1.0"

  /// Waits.
  virtual std::unique_ptr<LibraryMatrix<double>> prepare(const CsrView<double>& a) = 0;
  virtual std::unique_ptr<LibraryMatrix<float>> prepare(const CsrView<float>& a) = 0;
  /// A B (SpGEMM). Waits: the host must know the size.
  virtual DeviceCsr multiply(const CsrView<double>& a, const CsrView<double>& b) = 0;
  /// A^T. Waits.
  virtual DeviceCsr transpose(const CsrView<double>& a) = 0;
  /// to: {rows * columns}. Waits.
  virtual void to_dense(const CsrView<double>& a, View<double> to) = 0;

  /// c {m, n} = a {m, k} b {k, n} (gemm)
  virtual void multiply_dense(Index m, Index n, Index k, View<const double> a, View<const double> b,
                              View<double> c) = 0;
  /// to {m} = a {m, n} x {n} (gemv)
  virtual void multiply_dense(Index m, Index n, View<const double> a, View<const double> x,
                              View<double> to) = 0;

  /// result[0] = x . y
  virtual void dot(View<const double> x, View<const double> y, View<double> result) = 0;
  /// result[0] = |x| (nrm2)
  virtual void norm(View<const double> x, View<double> result) = 0;
  /// y += factor[0] x (axpy)
  virtual void add_scaled(View<const double> factor, View<const double> x, View<double> y) = 0;
  /// x *= factor[0] (scal)
  virtual void scale(View<const double> factor, View<double> x) = 0;
};

/// Must not outlive the queue. @throws BackendError in one line where a library is missing (what was tried,
/// and where it comes from) or fails.
std::unique_ptr<DeviceLibraries> make_device_libraries(DeviceQueue& queue);

/// A library that CUDA programs may use.
struct CudaLibrary {
  std::string name;    ///< "cuSPARSE"
  std::string file;    ///< that was loaded
  std::string reason;  ///< why it is not there; empty: it is
};
/// Loads them; needs no device. Empty without CUDA in the build.
std::vector<CudaLibrary> list_cuda_libraries();

/// What make_device_libraries() gives for CUDA queues.
std::unique_ptr<DeviceLibraries> make_cuda_libraries(DeviceQueue& queue);

}  // namespace sinew
