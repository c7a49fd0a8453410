// Queue of the emulated device: what kernels are started with there.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "kernels/device/kernel.hpp"
#include "kernels/device/queue.hpp"

namespace sinew {

/// The block that a kernel sees on the host.
template <class Shared>
class EmulatedBlock {
 public:
  EmulatedBlock(std::size_t index, int threads, bool backwards, Shared& shared)
      : index_(index), threads_(threads), backwards_(backwards), shared_(shared) {}
  std::size_t index() const { return index_; }
  Shared& shared() { return shared_; }
  template <class F>
  void threads(F&& f) {
    for (int t = 0; t < threads_; ++t) f(backwards_ ? threads_ - 1 - t : t);
  }

 private:
  std::size_t index_;
  int threads_;
  bool backwards_;
  Shared& shared_;
};

class EmulatedQueue : public DeviceQueue {
 public:
  EmulatedQueue(Device& device, bool backwards) : device_(device), backwards_(backwards) {}

  Device& device() override { return device_; }
  void synchronize() override;
  void copy_up(void* device_to, const void* host_from, std::size_t bytes) override;
  void copy_down(void* host_to, const void* device_from, std::size_t bytes) override;
  void copy_across(void* device_to, const void* device_from, std::size_t bytes) override;
  void set_zero(void* device_to, std::size_t bytes) override;
  void begin_recording() override;
  std::unique_ptr<DeviceGraph> end_recording() override;
  void run(DeviceGraph& graph) override;

  template <class Kernel>
  void for_each(std::size_t n, const Kernel& kernel) {
    if (n == 0) return;
    add_launch([kernel, n, backwards = backwards_] {
      for (std::size_t i = 0; i < n; ++i) kernel(backwards ? n - 1 - i : i);
    });
  }
  template <class Kernel>
  void launch(std::size_t blocks, const Kernel& kernel) {
    if (blocks == 0) return;
    add_launch([kernel, blocks, backwards = backwards_] {
      using Shared = typename Kernel::Shared;
      std::vector<unsigned char> memory(sizeof(Shared) + alignof(Shared));
      void* place = memory.data();
      std::size_t room = memory.size();
      Shared& shared = *static_cast<Shared*>(std::align(alignof(Shared), sizeof(Shared), place, room));
      for (std::size_t b = 0; b < blocks; ++b) {
        poison(&shared, sizeof(Shared));
        EmulatedBlock<Shared> block(backwards ? blocks - 1 - b : b, Kernel::kThreads, backwards, shared);
        kernel(block);
      }
    });
  }

  using Work = std::function<void()>;
  /// What a library does on a real device: the host's own form of it, in its turn.
  void call(Work work) { add_launch(std::move(work)); }

 private:
  static void poison(void* data, std::size_t bytes);
  void add_launch(Work work);
  void add_copy(Work work);
  void set_mark(std::size_t mark) override;
  double ms_between(std::size_t begin, std::size_t end) override;

  Device& device_;
  bool backwards_;
  std::vector<Work> work_;       ///< given, not done yet
  std::vector<Work> recorded_;   ///< of the graph that is being made
  std::vector<double> mark_ms_;  ///< [ms] of a clock; NaN: not reached
};

}  // namespace sinew
