// An array that stands on the host, on a device, or on both. Whoever asks for it where it is old pays for the
// copy, so that code which is not worth a kernel can stay on the host and costs what it moves.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/device/queue.hpp"

namespace sinew {

/// Without a queue a plain std::vector. Copies of it begin on the host, without a queue. One thread at a
/// time, reading too, while host() is old.
template <class T>
class Mirrored {
 public:
  Mirrored() = default;
  Mirrored(std::vector<T> values) : host_(std::move(values)) {}
  Mirrored(const Mirrored& other) : host_(other.host()) {}
  Mirrored(Mirrored&& other) noexcept { swap(other); }
  Mirrored& operator=(Mirrored&& other) noexcept {
    swap(other);
    return *this;
  }
  /// Takes values, not the queue: on the device where both stand on it, else on the host.
  Mirrored& operator=(const Mirrored& other) {
    if (this == &other) return *this;
    if (queue_ && queue_ == other.queue_ && other.on_device_) {
      const View<const T> from = other.device();
      queue_->copy(device_new(from.size), from);
    } else {
      host_new(other.size()) = other.host();
    }
    return *this;
  }
  ~Mirrored() {
    try {
      let_go();
    } catch (...) {  // whoever waits next is told
    }
  }

  /// Null: the host alone. Values stay.
  void bind(DeviceQueue* queue) {
    if (queue_ == queue) return;
    edit();
    let_go();
    buffer_ = {};
    device_size_ = 0;
    queue_ = queue;
  }
  DeviceQueue* queue() const { return queue_; }
  std::size_t size() const { return on_host_ ? host_.size() : device_size_; }
  bool empty() const { return size() == 0; }

  /// The values; waits for the device where they are old here.
  const std::vector<T>& host() const {
    if (!on_host_) bring_down();
    return host_;
  }
  /// The values, to be changed: the device's are old then.
  std::vector<T>& edit() {
    host();
    own_host();
    return host_;
  }
  /// Room for n values that are all to be set.
  std::vector<T>& host_new(std::size_t n) {
    own_host();
    on_host_ = true;
    host_.resize(n);
    return host_;
  }
  /// All n values the same.
  void assign(std::size_t n, const T& value) { host_new(n).assign(n, value); }

  View<const T> device() const {
    if (!on_device_) bring_up();
    return {buffer_.data(), device_size_};
  }
  View<T> device_edit() {
    device();
    return own_device();
  }
  View<T> device_new(std::size_t n) {
    reserve(n);
    on_device_ = true;
    return own_device();
  }
  /// Begins to bring the values down; host() then waits for no more than what was given before.
  void start_down() const {
    if (on_host_ || coming_) return;
    if (host_.size() != device_size_) wait_for_copies();
    host_.resize(device_size_);
    queue_->download(host_.data(), View<const T>{buffer_.data(), device_size_});
    coming_ = true;
    copied_at_ = queue_->counters().waits;
  }

 private:
  static constexpr std::uint64_t kNever = static_cast<std::uint64_t>(-1);

  void swap(Mirrored& other) noexcept {
    std::swap(host_, other.host_);
    std::swap(buffer_, other.buffer_);
    std::swap(device_size_, other.device_size_);
    std::swap(queue_, other.queue_);
    std::swap(on_host_, other.on_host_);
    std::swap(on_device_, other.on_device_);
    std::swap(coming_, other.coming_);
    std::swap(copied_at_, other.copied_at_);
  }
  void bring_down() const {
    start_down();
    wait_for_copies();
    coming_ = false;
    on_host_ = true;
  }
  void bring_up() const {
    reserve(host_.size());
    queue_->upload(View<T>{buffer_.data(), device_size_}, static_cast<const T*>(host_.data()));
    copied_at_ = queue_->counters().waits;
    on_device_ = true;
  }
  void own_host() {
    wait_for_copies();
    coming_ = false;
    on_device_ = false;
  }
  View<T> own_device() {
    coming_ = false;
    on_host_ = false;
    return {buffer_.data(), device_size_};
  }
  void reserve(std::size_t n) const {
    if (buffer_.size() < n) {
      let_go();
      buffer_ = DeviceBuffer<T>(queue_->device(), n, "arrays of a frame");
    }
    device_size_ = n;
  }
  /// Copies that were given to the queue use the host's memory until it has been waited for.
  void wait_for_copies() const {
    if (queue_ && copied_at_ == queue_->counters().waits) queue_->synchronize();
    copied_at_ = kNever;
  }
  /// Nothing given to the queue uses the buffer.
  void let_go() const {
    if (queue_ && (buffer_.size() > 0 || copied_at_ == queue_->counters().waits)) queue_->synchronize();
    copied_at_ = kNever;
  }

  mutable std::vector<T> host_;
  mutable DeviceBuffer<T> buffer_;
  mutable std::size_t device_size_ = 0;
  DeviceQueue* queue_ = nullptr;
  mutable bool on_host_ = true, on_device_ = false;
  mutable bool coming_ = false;  ///< host_ will hold the values when the queue has been waited for
  mutable std::uint64_t copied_at_ = kNever;  ///< waits of the queue when a copy was given to it last
};

}  // namespace sinew
