// A queue of a device: copies, kernels and their order. See device.hpp for what "later" means.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device/device.hpp"
#include "kernels/op/box_tree_ops.hpp"
#include "kernels/op/contact_ops.hpp"
#include "kernels/op/dense_ops.hpp"
#include "kernels/op/element_ops.hpp"
#include "kernels/op/feature_pair_ops.hpp"
#include "kernels/op/frame_ops.hpp"
#include "kernels/op/gram_entry_ops.hpp"
#include "kernels/op/gram_ops.hpp"
#include "kernels/op/newton_ops.hpp"
#include "kernels/op/point_plane_ops.hpp"
#include "kernels/op/row_matrix.hpp"
#include "kernels/op/scan_ops.hpp"
#include "kernels/op/vector_ops.hpp"
#include "kernels/op/wide_ops.hpp"

namespace sinew {

/// What a queue was given so far; tests count with it.
struct QueueCounters {
  std::uint64_t launches = 0, copies = 0, bytes_up = 0, bytes_down = 0, waits = 0;
};

/// Time of a named part of a queue's work.
struct StageTime {
  std::string name;
  double ms = 0.0;
  int count = 0;  ///< how often it began and ended
};

/// Work that was recorded once and can be given to its queue again and again.
class DeviceGraph {
 public:
  virtual ~DeviceGraph() = default;
  virtual std::size_t nodes() const = 0;  ///< kernels, copies and marks in it

 private:
  friend class DeviceQueue;
  std::vector<std::size_t> stages_;  ///< places of the stages that were recorded with it
};

/// Used by one thread at a time.
class DeviceQueue : public VectorOps,
                    public RowMatrixOps,
                    public ElementOps,
                    public FrameOps,
                    public BoxTreeOps,
                    public FeaturePairOps,
                    public PointPlaneOps,
                    public ScanOps,
                    public DenseOps,
                    public WideOps,
                    public GramEntryOps,
                    public GramOps,
                    public ContactOps,
                    public NewtonOps {
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

  /// Times of stages, by marks between the work: nothing waits because of them. Off at first; graphs keep
  /// what was on while they were recorded.
  void time_stages(bool on) { timing_ = on; }
  /// Stages may stand inside others; end_stage() ends the last one begun.
  void begin_stage(const char* name);
  void end_stage();
  /// Summed by name since the last call, in the order of their first beginning; call after synchronize(). Of
  /// a graph that ran several times since then the last run counts.
  std::vector<StageTime> take_stage_times();

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
  /// Notes the time when the work given so far is done; marks are numbers from 0 on, used again and again.
  virtual void set_mark(std::size_t mark) = 0;
  /// [ms] between two marks; negative where their work has not been done.
  virtual double ms_between(std::size_t begin, std::size_t end) = 0;
  /// To be called by begin_recording(), end_recording() and run() of derived classes.
  void recording_begins();
  void recording_ends(DeviceGraph* graph);
  void graph_runs(const DeviceGraph& graph);

  QueueCounters counters_;
  bool recording_ = false;

 private:
  struct Stage {
    std::string name;
    std::size_t begin = 0, end = 0;  ///< marks
    bool ended = false, recorded = false, ran = false;
  };
  std::size_t free_mark();

  bool timing_ = false;
  std::vector<Stage> stages_;        ///< those of graphs stay
  std::vector<std::size_t> open_;    ///< places of stages that have not ended
  std::size_t recorded_from_ = 0;    ///< place of the first stage of the graph that is being made
  std::vector<std::size_t> unused_;  ///< marks
  std::size_t marks_ = 0;
};

/// A stage for as long as it lives.
class QueueStage {
 public:
  QueueStage(DeviceQueue& queue, const char* name) : queue_(queue) { queue_.begin_stage(name); }
  ~QueueStage() {
    try {
      queue_.end_stage();
    } catch (...) {  // whoever waits next is told
    }
  }
  QueueStage(const QueueStage&) = delete;
  QueueStage& operator=(const QueueStage&) = delete;

 private:
  DeviceQueue& queue_;
};

/// What work() gives to the queue, recorded. Where it throws, nothing is being recorded any more.
template <class Work>
std::unique_ptr<DeviceGraph> record(DeviceQueue& queue, Work&& work) {
  queue.begin_recording();
  try {
    work();
  } catch (...) {
    try {
      queue.end_recording();
    } catch (...) {  // the first one counts
    }
    throw;
  }
  return queue.end_recording();
}

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
