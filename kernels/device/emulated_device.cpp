#include "kernels/device/emulated_device.hpp"

#include <chrono>
#include <cstring>
#include <limits>
#include <new>
#include <string>

#include <sinew/errors.hpp>

#include "kernels/device/emulated_queue.hpp"
#include "kernels/device/queue_ops.hpp"

namespace sinew {

namespace {

constexpr unsigned char kPoison = 0xFF;  // a NaN in float and double, -1 as an index
constexpr unsigned char kGuard = 0xA7;
constexpr std::size_t kGuardBytes = 256;

class EmulatedDevice final : public Device {
 public:
  explicit EmulatedDevice(const EmulatedDeviceSettings& settings)
      : settings_(settings), free_(settings.memory) {}
  ~EmulatedDevice() override { release_pool(); }

  const std::string& name() const override { return name_; }
  bool is_emulated() const override { return true; }
  std::unique_ptr<DeviceQueue> make_queue() override {
    return std::make_unique<QueueOps<EmulatedQueue>>(*this, settings_.backwards);
  }
  void* allocate_pinned(std::size_t bytes) override { return ::operator new(bytes); }
  void release_pinned(void* data) noexcept override { ::operator delete(data); }

 protected:
  void* allocate_block(std::size_t bytes) override {
    if (bytes > free_) return nullptr;
    auto* data = static_cast<unsigned char*>(
        ::operator new(bytes + kGuardBytes, std::align_val_t(kGuardBytes), std::nothrow));
    if (!data) return nullptr;
    free_ -= bytes;
    std::memset(data, kPoison, bytes);
    std::memset(data + bytes, kGuard, kGuardBytes);
    return data;
  }
  void release_block(void* block, std::size_t bytes) noexcept override {
    auto* data = static_cast<unsigned char*>(block);
    for (std::size_t k = 0; k < kGuardBytes; ++k)
      if (data[bytes + k] != kGuard) std::terminate();  // a kernel wrote behind its buffer
    free_ += bytes;
    ::operator delete(data, std::align_val_t(kGuardBytes));
  }
  void measure(std::size_t& total, std::size_t& free) const override {
    total = settings_.memory;
    free = free_;
  }

 private:
  EmulatedDeviceSettings settings_;
  std::size_t free_;
  std::string name_ = "the emulated device";
};

class EmulatedGraph final : public DeviceGraph {
 public:
  explicit EmulatedGraph(std::vector<std::function<void()>> recorded) : work(std::move(recorded)) {}
  std::size_t nodes() const override { return work.size(); }
  std::vector<std::function<void()>> work;
};

}  // namespace

std::shared_ptr<Device> make_emulated_device(const EmulatedDeviceSettings& settings) {
  return std::make_shared<EmulatedDevice>(settings);
}

void EmulatedQueue::poison(void* data, std::size_t bytes) {
  std::memset(data, kPoison, bytes);
}

void EmulatedQueue::add_launch(Work work) {
  ++counters_.launches;
  (recording_ ? recorded_ : work_).push_back(std::move(work));
}

void EmulatedQueue::add_copy(Work work) {
  ++counters_.copies;
  (recording_ ? recorded_ : work_).push_back(std::move(work));
}

void EmulatedQueue::synchronize() {
  if (recording_) throw BackendError("synchronize: not while work is recorded");
  ++counters_.waits;
  const std::vector<Work> work = std::move(work_);
  work_.clear();
  for (const Work& w : work) w();
}

void EmulatedQueue::copy_up(void* device_to, const void* host_from, std::size_t bytes) {
  if (bytes == 0) return;
  counters_.bytes_up += bytes;
  add_copy([=] { std::memcpy(device_to, host_from, bytes); });
}

void EmulatedQueue::copy_down(void* host_to, const void* device_from, std::size_t bytes) {
  if (bytes == 0) return;
  counters_.bytes_down += bytes;
  add_copy([=] { std::memcpy(host_to, device_from, bytes); });
}

void EmulatedQueue::copy_across(void* device_to, const void* device_from, std::size_t bytes) {
  if (bytes == 0) return;
  add_copy([=] { std::memcpy(device_to, device_from, bytes); });
}

void EmulatedQueue::set_zero(void* device_to, std::size_t bytes) {
  if (bytes == 0) return;
  add_copy([=] { std::memset(device_to, 0, bytes); });
}

void EmulatedQueue::begin_recording() {
  recording_begins();
  recorded_.clear();
}

std::unique_ptr<DeviceGraph> EmulatedQueue::end_recording() {
  auto graph = std::make_unique<EmulatedGraph>(std::move(recorded_));
  recording_ends(graph.get());
  return graph;
}

void EmulatedQueue::run(DeviceGraph& graph) {
  for (const Work& w : static_cast<EmulatedGraph&>(graph).work) add_launch(w);
  graph_runs(graph);
}

void EmulatedQueue::set_mark(std::size_t mark) {
  if (mark >= mark_ms_.size()) mark_ms_.resize(mark + 1);
  mark_ms_[mark] = std::numeric_limits<double>::quiet_NaN();
  (recording_ ? recorded_ : work_).push_back([this, mark] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    mark_ms_[mark] = std::chrono::duration<double, std::milli>(now).count();
  });
}

double EmulatedQueue::ms_between(std::size_t begin, std::size_t end) {
  const double ms = mark_ms_[end] - mark_ms_[begin];
  return ms >= 0.0 ? ms : -1.0;
}

}  // namespace sinew
