// Queue of a CUDA device: what kernels are started with. Only .cu files include this.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

#include "kernels/cuda/check.hpp"
#include "kernels/device/kernel.hpp"
#include "kernels/device/queue.hpp"

namespace sinew {

/// The block that a kernel sees on the device.
template <class Shared>
class CudaBlock {
 public:
  SINEW_HD CudaBlock(std::size_t index, Shared& shared) : index_(index), shared_(shared) {}
  SINEW_HD std::size_t index() const { return index_; }
  SINEW_HD Shared& shared() { return shared_; }
  template <class F>
  SINEW_HD void threads(F&& f) {
#if defined(__CUDA_ARCH__)
    f(static_cast<int>(threadIdx.x));
    __syncthreads();
#else
    (void)f;  // never run: the host has EmulatedBlock
#endif
  }

 private:
  std::size_t index_;
  Shared& shared_;
};

template <class Kernel>
__global__ void __launch_bounds__(kItemThreads) item_kernel(Kernel kernel, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * kItemThreads + threadIdx.x;
  if (i < n) kernel(i);
}

template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads) block_kernel(Kernel kernel) {
  using Shared = typename Kernel::Shared;
  // Raw memory: Shared may hold types whose constructors would have to run.
  __shared__ __align__(16) unsigned char memory[sizeof(Shared)];
  CudaBlock<Shared> block(blockIdx.x, *reinterpret_cast<Shared*>(memory));
  kernel(block);
}

class CudaQueue : public DeviceQueue {
 public:
  /// number: of the CUDA device.
  CudaQueue(Device& device, int number);
  ~CudaQueue() override;

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
    const std::size_t blocks = block_count(n, kItemThreads);
    start(blocks, typeid_of<Kernel>());
    item_kernel<<<static_cast<unsigned>(blocks), kItemThreads, 0, stream_>>>(kernel, n);
    started(typeid_of<Kernel>());
  }
  template <class Kernel>
  void launch(std::size_t blocks, const Kernel& kernel) {
    if (blocks == 0) return;
    start(blocks, typeid_of<Kernel>());
    block_kernel<<<static_cast<unsigned>(blocks), Kernel::kThreads, 0, stream_>>>(kernel);
    started(typeid_of<Kernel>());
  }

  /// For calls of libraries: where they put their work, once begin_call() was told which.
  cudaStream_t stream() { return stream_; }
  void begin_call(const char* name) { start(1, name); }

 private:
  /// The compiler's text for the kernel's type, for messages.
  template <class Kernel>
  static const char* typeid_of() {
    return __PRETTY_FUNCTION__;
  }
  /// @throws BackendError for a grid that no launch can have.
  void start(std::size_t blocks, const char* kernel);
  /// @throws BackendError where the launch was refused.
  void started(const char* kernel);

  void set_mark(std::size_t mark) override;
  double ms_between(std::size_t begin, std::size_t end) override;

  Device& device_;
  int number_;
  cudaStream_t stream_ = nullptr;
  const char* last_kernel_ = "no kernel";
  std::vector<cudaEvent_t> events_;  ///< of the marks
};

}  // namespace sinew
