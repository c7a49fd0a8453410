#include "host/device_solver.hpp"

#include <algorithm>

#include <sinew/errors.hpp>

#include "host/device_inverse.hpp"
#include "host/staged_solver.hpp"

namespace sinew {

namespace {

template <class T>
class DeviceSolver final : public LinearSolver {
 public:
  DeviceSolver(std::unique_ptr<LinearSolver> staged, const StagedInverse<T>& inverse,
               std::shared_ptr<Device> device)
      : device_(std::move(device)),
        staged_(std::move(staged)),
        inverse_(*device_->make_queue(), make_staged_rows(inverse)) {}

  /// One block on its way.
  struct Slot {
    PinnedBuffer<Vec3d> host;
    DeviceBuffer<Vec3d> wide;
    DeviceBuffer<Vec3<T>> block;
    typename DeviceInverse<T>::Workspace vectors;
    std::unique_ptr<DeviceGraph> graph;
  };
  struct DeviceWorkspace final : Workspace {
    std::unique_ptr<Workspace> on_host;
    std::unique_ptr<DeviceQueue> queue;
    std::vector<Slot> slots;
  };

  const std::vector<Index>& order() const override { return staged_->order(); }
  Sizes sizes() const override {
    Sizes sizes = staged_->sizes();
    sizes.bytes += inverse_.bytes();
    return sizes;
  }
  std::unique_ptr<Workspace> make_workspace() const override {
    auto workspace = std::make_unique<DeviceWorkspace>();
    workspace->on_host = staged_->make_workspace();
    workspace->queue = device_->make_queue();
    return workspace;
  }

  void solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const override {
    auto& w = static_cast<DeviceWorkspace&>(workspace);
    while (w.slots.size() < count) w.slots.push_back(make_slot(*w.queue));
    const auto n = static_cast<std::size_t>(size());
    for (std::size_t c = 0; c < count; ++c) {
      std::copy_n(block[c], n, w.slots[c].host.data());
      w.queue->run(*w.slots[c].graph);
    }
    w.queue->synchronize();
    for (std::size_t c = 0; c < count; ++c) std::copy_n(w.slots[c].host.data(), n, block[c]);
  }
  void inverse_columns(const Index* node, std::size_t count, double* const* column,
                       Workspace& workspace) const override {
    staged_->inverse_columns(node, count, column, *static_cast<DeviceWorkspace&>(workspace).on_host);
  }
  bool has_forward_columns() const override { return staged_->has_forward_columns(); }
  void forward_columns(const SparseColumns& columns, ForwardColumns& y) const override {
    staged_->forward_columns(columns, y);
  }

 private:
  Slot make_slot(DeviceQueue& queue) const {
    const auto n = static_cast<std::size_t>(size());
    constexpr const char* kWhat = "global step";
    Slot slot{PinnedBuffer<Vec3d>(*device_, n), DeviceBuffer<Vec3d>(*device_, n, kWhat),
              DeviceBuffer<Vec3<T>>(*device_, sizeof(T) == sizeof(double) ? 0 : n, kWhat),
              inverse_.make_workspace(*device_), nullptr};
    queue.begin_recording();
    queue.upload(slot.wide.view(), static_cast<const Vec3d*>(slot.host.data()));
    if constexpr (std::is_same_v<T, double>) {
      inverse_.apply(queue, slot.wide.view(), slot.vectors);
    } else {
      queue.convert(slot.block.view(), slot.wide.cview());
      inverse_.apply(queue, slot.block.view(), slot.vectors);
      queue.convert(slot.wide.view(), slot.block.cview());
    }
    queue.download(slot.host.data(), slot.wide.cview());
    slot.graph = queue.end_recording();
    return slot;
  }

  std::shared_ptr<Device> device_;
  std::unique_ptr<LinearSolver> staged_;
  DeviceInverse<T> inverse_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_device_solver(std::unique_ptr<LinearSolver> staged,
                                                 std::shared_ptr<Device> device) {
  const StagedInverseOf inverse = staged_inverse_of(*staged);
  if (inverse.full)
    return std::make_unique<DeviceSolver<double>>(std::move(staged), *inverse.full, std::move(device));
  if (inverse.mixed)
    return std::make_unique<DeviceSolver<float>>(std::move(staged), *inverse.mixed, std::move(device));
  throw BackendError("backend " + device->name() +
                     ": only solver.global 'staged' runs there; use it, or --backend cpu");
}

}  // namespace sinew
