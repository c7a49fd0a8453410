#include "kernels/cuda/cuda_queue.cuh"

namespace sinew {

namespace {

class CudaGraph final : public DeviceGraph {
 public:
  CudaGraph(cudaGraph_t graph, cudaGraphExec_t executable) : graph_(graph), executable_(executable) {
    cudaGraphGetNodes(graph_, nullptr, &nodes_);
  }
  ~CudaGraph() override {
    cudaGraphExecDestroy(executable_);
    cudaGraphDestroy(graph_);
  }
  CudaGraph(const CudaGraph&) = delete;
  CudaGraph& operator=(const CudaGraph&) = delete;
  std::size_t nodes() const override { return nodes_; }
  cudaGraphExec_t executable() const { return executable_; }

 private:
  cudaGraph_t graph_;
  cudaGraphExec_t executable_;
  std::size_t nodes_ = 0;
};

}  // namespace

CudaQueue::CudaQueue(Device& device, int number) : device_(device), number_(number) {
  SINEW_CUDA(cudaSetDevice, (number_));
  SINEW_CUDA(cudaStreamCreateWithFlags, (&stream_, cudaStreamNonBlocking));
}

CudaQueue::~CudaQueue() {
  for (const cudaEvent_t event : events_) cudaEventDestroy(event);
  if (stream_) cudaStreamDestroy(stream_);  // work that was given still runs to its end
}

void CudaQueue::synchronize() {
  ++counters_.waits;
  SINEW_CUDA(cudaStreamSynchronize, (stream_), std::string("after ") + last_kernel_);
}

void CudaQueue::copy_up(void* device_to, const void* host_from, std::size_t bytes) {
  if (bytes == 0) return;
  ++counters_.copies;
  counters_.bytes_up += bytes;
  SINEW_CUDA(cudaMemcpyAsync, (device_to, host_from, bytes, cudaMemcpyHostToDevice, stream_),
             "copy of " + std::to_string(bytes) + " bytes to the device");
}

void CudaQueue::copy_down(void* host_to, const void* device_from, std::size_t bytes) {
  if (bytes == 0) return;
  ++counters_.copies;
  counters_.bytes_down += bytes;
  SINEW_CUDA(cudaMemcpyAsync, (host_to, device_from, bytes, cudaMemcpyDeviceToHost, stream_),
             "copy of " + std::to_string(bytes) + " bytes to the host");
}

void CudaQueue::copy_across(void* device_to, const void* device_from, std::size_t bytes) {
  if (bytes == 0) return;
  ++counters_.copies;
  SINEW_CUDA(cudaMemcpyAsync, (device_to, device_from, bytes, cudaMemcpyDeviceToDevice, stream_),
             "copy of " + std::to_string(bytes) + " bytes on the device");
}

void CudaQueue::set_zero(void* device_to, std::size_t bytes) {
  if (bytes == 0) return;
  ++counters_.copies;
  SINEW_CUDA(cudaMemsetAsync, (device_to, 0, bytes, stream_), "clearing " + std::to_string(bytes) + " bytes");
}

void CudaQueue::begin_recording() {
  SINEW_CUDA(cudaStreamBeginCapture, (stream_, cudaStreamCaptureModeThreadLocal));
  recording_begins();
}

std::unique_ptr<DeviceGraph> CudaQueue::end_recording() {
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
  if (ended != cudaSuccess) {
    recording_ends(nullptr);
    check_cuda("cudaStreamEndCapture", ended, std::string("after ") + last_kernel_);
  }
  cudaGraphExec_t executable = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
  if (status != cudaSuccess) {
    recording_ends(nullptr);
    cudaGraphDestroy(graph);
    check_cuda("cudaGraphInstantiate", status);
  }
  auto recorded = std::make_unique<CudaGraph>(graph, executable);
  recording_ends(recorded.get());
  return recorded;
}

void CudaQueue::run(DeviceGraph& graph) {
  auto& recorded = static_cast<CudaGraph&>(graph);
  counters_.launches += recorded.nodes();
  SINEW_CUDA(cudaGraphLaunch, (recorded.executable(), stream_));
  graph_runs(graph);
}

void CudaQueue::set_mark(std::size_t mark) {
  while (events_.size() <= mark) {
    cudaEvent_t event = nullptr;
    SINEW_CUDA(cudaEventCreate, (&event), "mark of a stage");
    events_.push_back(event);
  }
  // Without this flag a recorded event is a dependency and has no time; outside of recording it is refused.
  SINEW_CUDA(cudaEventRecordWithFlags,
             (events_[mark], stream_, recording_ ? cudaEventRecordExternal : cudaEventRecordDefault),
             "mark of a stage");
}

double CudaQueue::ms_between(std::size_t begin, std::size_t end) {
  float ms = 0.0f;
  if (cudaEventElapsedTime(&ms, events_[begin], events_[end]) == cudaSuccess) return ms;
  cudaGetLastError();  // not reached yet
  return -1.0;
}

void CudaQueue::start(std::size_t blocks, const char* kernel) {
  if (blocks > kMostBlocksOfGrid)
    throw BackendError(std::string(kernel) + ": " + std::to_string(blocks) +
                       " blocks are more than a launch can have; use a smaller mesh, or --backend cpu");
  ++counters_.launches;
  last_kernel_ = kernel;
  // Threads of the caller come and go; each starts with device 0.
  if (number_ != 0) SINEW_CUDA(cudaSetDevice, (number_));
}

void CudaQueue::started(const char* kernel) {
  SINEW_CUDA(cudaGetLastError, (), std::string("start of ") + kernel);
}

}  // namespace sinew
