// The same work for a queue again and again: given directly at first, recorded once it has shown to repeat.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "kernels/device/queue.hpp"

namespace sinew {

/// Making a graph of hundreds of kernels takes a driver as long as starting them some times, and saves part
/// of that from then on.
class RepeatedWork {
 public:
  static constexpr int kDirect = 3;  ///< runs before it is recorded

  /// work: gives the queue the same each time, and waits for nothing.
  RepeatedWork(DeviceQueue& queue, std::function<void()> work) : queue_(queue), work_(std::move(work)) {}

  void run() {
    if (runs_++ < kDirect) return work_();
    if (!graph_) graph_ = record(queue_, work_);
    queue_.run(*graph_);
  }

 private:
  DeviceQueue& queue_;
  std::function<void()> work_;
  int runs_ = 0;
  std::unique_ptr<DeviceGraph> graph_;
};

}  // namespace sinew
