// A queue of a device: copies, kernels and their order. See device.hpp for what "later" means.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/device/device.hpp"
#include "kernels/op/box_tree_ops.hpp"
#include "kernels/op/dense_ops.hpp"
#include "kernels/op/element_ops.hpp"
#include "kernels/op/feature_pair_ops.hpp"
#include "kernels/op/row_matrix.hpp"
#include "kernels/op/scan_ops.hpp"
#include "kernels/op/vector_ops.hpp"

namespace sinew {

/// What a queue was given so far; tests count with it.
struct QueueCounters {
  std::uint64_t launches = 0, copies = 0, bytes_up = 0, bytes_down = 0, waits = 0;
};

/// Work that was recorded once and can be given to its queue again and again.
class DeviceGraph {
 public:
  virtual ~DeviceGraph() = default;
  virtual std::size_t nodes() const = 0;  ///< kernels and copies in it
};

/// Used by one thread at a time.
class DeviceQueue : public VectorOps,
                    public RowMatrixOps,
                    public ElementOps,
                    public BoxTreeOps,
                    public FeaturePairOps,
                    public ScanOps,
                    public DenseOps {
 public:
  virtual Device& device() = 0;
  /// Returns when all work is done. @throws BackendError naming the call that failed, or the kernel.
  virtual void synchronize() = 0;
  const QueueCounters& counters() const { return counters_; }

  virtual void copy_up(void* device_to, const void* host_from, std::size_t bytes) = 0;
  virtual void copy_down(void* host_to, const void* device_from, std::size_t bytes) = 0;
  virtual void copy_across(void* device_to, const void* device_from, std::size_t bytes) = 0;
  virtual void set_zero(void* device_to, std::size_t bytes) = 0;

  /// Work is recorded instead of done until end_recording(). Buffers in it must outlive the graph.
  virtual void begin_recording() = 0;
  virtual std::unique_ptr<DeviceGraph> end_recording() = 0;
  virtual void run(DeviceGraph& graph) = 0;

  template <class T>
  void upload(View<T> to, const T* host_from) {
    copy_up(to.data, host_from, to.size * sizeof(T));
  }
  template <class T>
  void download(T* host_to, View<const T> from) {
    copy_down(host_to, from.data, from.size * sizeof(T));
  }
  template <class T>
  void copy(View<T> to, View<const T> from) {
    copy_across(to.data, from.data, from.size * sizeof(T));
  }
  template <class T>
  void clear(View<T> to) {
    set_zero(to.data, to.size * sizeof(T));
  }

 protected:
  QueueCounters counters_;
};

/// A new buffer with the values of a host array (std::vector, AlignedVector); returns when they are there.
template <class Array>
auto to_device(DeviceQueue& queue, const Array& host, const char* what) {
  using T = typename Array::value_type;
  DeviceBuffer<T> buffer(queue.device(), host.size(), what);
  queue.upload(buffer.view(), host.data());
  queue.synchronize();
  return buffer;
}

}  // namespace sinew
