// A device that computes in order, and its memory: CUDA, or the emulated one that runs the same kernels on
// the host (emulated_device.hpp). No CUDA type appears here, so whoever only uses a device needs no CUDA.
//
// Work goes into queues. A queue does what it is given in order and later: copies read their source, and
// results stand in host memory, only when synchronize() has returned. Queues know nothing of each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "kernels/device/view.hpp"

namespace sinew {

class DeviceQueue;

struct DeviceMemory {
  std::size_t total = 0;   ///< [bytes] of the device
  std::size_t free = 0;    ///< [bytes] that nobody holds
  std::size_t used = 0;    ///< [bytes] in buffers
  std::size_t pooled = 0;  ///< [bytes] kept for the next buffers
};

/// Memory in blocks of few sizes; blocks given back are kept and given out again, so that buffers that come
/// and go between frames cost no call of the driver (which waits for the device). Any number of threads.
class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// "NVIDIA H200, 9.0", "emulated"
  virtual const std::string& name() const = 0;
  virtual bool is_emulated() const { return false; }
  virtual std::unique_ptr<DeviceQueue> make_queue() = 0;

  /// @throws MemoryError with the bytes needed and free. Aligned to 256 bytes; null for 0 bytes.
  void* allocate(std::size_t bytes, const char* what);
  /// Queues must have done all work on it (synchronize()).
  void release(void* data, std::size_t bytes) noexcept;
  /// Gives what is pooled back to the driver.
  void trim() noexcept;
  DeviceMemory memory() const;

  /// Host memory that copies read and write directly. @throws MemoryError
  virtual void* allocate_pinned(std::size_t bytes) = 0;
  virtual void release_pinned(void* data) noexcept = 0;

  /// [bytes] of the block that a request takes: powers of two and three quarters of them, at least 256.
  static std::size_t block_size(std::size_t bytes);

 protected:
  Device() = default;
  /// To be called by destructors of derived classes, while the functions below can still be called.
  void release_pool() noexcept { trim(); }
  /// Null where there is not enough.
  virtual void* allocate_block(std::size_t bytes) = 0;
  virtual void release_block(void* data, std::size_t bytes) noexcept = 0;
  virtual void measure(std::size_t& total, std::size_t& free) const = 0;

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<std::size_t, void*>> kept_;  ///< (size, block)
  std::size_t used_ = 0, pooled_ = 0;
};

/// Owns `size` numbers of T on a device; contents are not set. T has no destructor and is copied as bytes.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  DeviceBuffer(Device& device, std::size_t size, const char* what)
      : device_(&device), data_(static_cast<T*>(device.allocate(size * sizeof(T), what))), size_(size) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceBuffer() {
    if (data_) device_->release(data_, size_ * sizeof(T));
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  T* data() { return data_; }
  const T* data() const { return data_; }
  View<T> view() { return {data_, size_}; }
  View<const T> view() const { return {data_, size_}; }
  View<const T> cview() const { return {data_, size_}; }

 private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  Device* device_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Owns host memory for copies.
template <class T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  PinnedBuffer() = default;
  PinnedBuffer(Device& device, std::size_t size)
      : device_(&device),
        data_(size > 0 ? static_cast<T*>(device.allocate_pinned(size * sizeof(T))) : nullptr),
        size_(size) {}
  PinnedBuffer(PinnedBuffer&& other) noexcept { swap(other); }
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~PinnedBuffer() {
    if (data_) device_->release_pinned(data_);
  }
  std::size_t size() const { return size_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  void swap(PinnedBuffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  Device* device_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace sinew
