#include <algorithm>
#include <string>
#include <vector>

#include "kernels/cuda/cuda_queue.cuh"
#include "kernels/device/available.hpp"
#include "kernels/device/queue_ops.hpp"

namespace sinew {

namespace {

/// "13.0" of 13000
std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

class CudaDevice final : public Device {
 public:
  CudaDevice(int number, std::string name) : number_(number), name_(std::move(name)) {
    SINEW_CUDA(cudaSetDevice, (number_));
  }
  ~CudaDevice() override { release_pool(); }
  const std::string& name() const override { return name_; }
  std::unique_ptr<DeviceQueue> make_queue() override {
    return std::make_unique<QueueOps<CudaQueue>>(*this, number_);
  }
  void* allocate_pinned(std::size_t bytes) override {
    void* data = nullptr;
    const cudaError_t status = cudaMallocHost(&data, bytes);
    if (status != cudaSuccess) {
      cudaGetLastError();
      throw MemoryError(
          cuda_failure("cudaMallocHost", status, std::to_string(bytes) + " bytes of pinned host memory"));
    }
    return data;
  }
  void release_pinned(void* data) noexcept override { cudaFreeHost(data); }

 protected:
  void* allocate_block(std::size_t bytes) override {
    void* data = nullptr;
    SINEW_CUDA(cudaSetDevice, (number_));
    const cudaError_t status = cudaMalloc(&data, bytes);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      return nullptr;
    }
    check_cuda("cudaMalloc", status, std::to_string(bytes) + " bytes");
    return data;
  }
  void release_block(void* data, std::size_t) noexcept override { cudaFree(data); }
  void measure(std::size_t& total, std::size_t& free) const override {
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
      cudaGetLastError();
      total = free = 0;
    }
  }

 private:
  int number_;
  std::string name_;
};

struct ProbeKernel {
  int* to;
  SINEW_HD void operator()(std::size_t) const { *to = 1; }
};

/// Why code of this program cannot run on the device; empty where it can.
std::string reason_against(int number) {
  if (const cudaError_t status = cudaSetDevice(number); status != cudaSuccess) {
    cudaGetLastError();
    return cuda_failure("cudaSetDevice", status, "");
  }
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaFuncGetAttributes(&attributes, item_kernel<ProbeKernel>);
  if (status == cudaSuccess) return {};
  cudaGetLastError();
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction)
    return "this program holds no code for its architecture; build with -DCMAKE_CUDA_ARCHITECTURES=native";
  return cuda_failure("cudaFuncGetAttributes", status, "");
}

}  // namespace

DeviceList list_cuda_devices() {
  DeviceList list;
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  if (driver == 0) {
    list.reason = "no NVIDIA driver is loaded";
    cudaGetLastError();
    return list;
  }
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    cudaGetLastError();
    if (status == cudaErrorInsufficientDriver)
      list.reason = "the driver knows CUDA " + version_text(driver) + ", this program was built with " +
                    version_text(runtime) + ": update the driver";
    else if (status == cudaErrorNoDevice)
      list.reason = "the driver finds no device (see nvidia-smi and CUDA_VISIBLE_DEVICES)";
    else
      list.reason = cuda_failure("cudaGetDeviceCount", status, "");
    return list;
  }
  for (int k = 0; k < count; ++k) {
    cudaDeviceProp p{};
    DeviceDescription d;
    d.number = k;
    if (const cudaError_t error = cudaGetDeviceProperties(&p, k); error != cudaSuccess) {
      cudaGetLastError();
      d.reason = cuda_failure("cudaGetDeviceProperties", error, "");
    } else {
      d.name = p.name;
      d.architecture = std::to_string(p.major) + "." + std::to_string(p.minor);
      d.memory_bytes = p.totalGlobalMem;
      d.multiprocessors = p.multiProcessorCount;
      d.reason = reason_against(k);
    }
    list.devices.push_back(d);
  }
  return list;
}

std::shared_ptr<Device> make_cuda_device(int number) {
  const DeviceList list = list_cuda_devices();
  if (list.devices.empty()) throw BackendError("no CUDA device: " + list.reason + "; use --backend cpu");
  if (number < 0 || number >= static_cast<int>(list.devices.size()))
    throw BackendError("CUDA: there is no device " + std::to_string(number) + ", only 0 to " +
                       std::to_string(list.devices.size() - 1));
  const DeviceDescription& d = list.devices[static_cast<std::size_t>(number)];
  if (!d.reason.empty())
    throw BackendError("CUDA: device " + std::to_string(number) + ", " + d.name + ": " + d.reason);
  return std::make_shared<CudaDevice>(number, d.name + ", " + d.architecture);
}

}  // namespace sinew
