// Host arrays on their way to a device: many copies, one wait.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "kernels/device/queue.hpp"

namespace sinew {

class UploadBatch {
 public:
  explicit UploadBatch(DeviceQueue& queue) : queue_(queue) {}
  UploadBatch(const UploadBatch&) = delete;
  /// Also where something throws: copies must not read what is gone.
  ~UploadBatch() {
    if (kept_.empty()) return;
    try {
      queue_.synchronize();
    } catch (...) {  // whoever waits next is told
    }
  }

  /// A new buffer with these values, which the batch keeps until they are there.
  template <class T>
  DeviceBuffer<T> add(std::vector<T> host, const char* what) {
    DeviceBuffer<T> buffer(queue_.device(), host.size(), what);
    auto kept = std::make_shared<std::vector<T>>(std::move(host));
    queue_.upload(buffer.view(), kept->data());
    kept_.push_back(std::move(kept));
    return buffer;
  }
  /// The same for values that stay where they are until then.
  template <class T>
  DeviceBuffer<T> borrow(const std::vector<T>& host, const char* what) {
    DeviceBuffer<T> buffer(queue_.device(), host.size(), what);
    queue_.upload(buffer.view(), host.data());
    kept_.push_back(nullptr);
    return buffer;
  }
  /// Waits until all is there.
  void finish() {
    queue_.synchronize();
    kept_.clear();
  }

 private:
  DeviceQueue& queue_;
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace sinew
