#include "host/device_solver.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <sinew/errors.hpp>

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
  /// What solves of blocks on the device need.
  struct Resident {
    DeviceBuffer<Vec3<T>> block;  ///< empty in double
    typename DeviceInverse<T>::Workspace vectors;
    std::map<Vec3d*, std::unique_ptr<DeviceGraph>> graphs;  ///< by block
  };
  struct DeviceWorkspace final : Workspace {
    std::unique_ptr<Workspace> on_host;
    std::unique_ptr<DeviceQueue> queue;  ///< of blocks from the host
    std::vector<Slot> slots;
    std::optional<Resident> resident;
  };

  const DeviceInverse<T>& inverse() const { return inverse_; }
  const std::vector<Index>& order() const override { return staged_->order(); }
  Sizes sizes() const override {
    Sizes sizes = staged_->sizes();
    sizes.bytes += inverse_.bytes();
    return sizes;
  }
  std::unique_ptr<Workspace> make_workspace() const override {
    auto workspace = std::make_unique<DeviceWorkspace>();
    workspace->on_host = staged_->make_workspace();
    return workspace;
  }

  void solve(Vec3d* const* block, std::size_t count, Workspace& workspace) const override {
    auto& w = static_cast<DeviceWorkspace&>(workspace);
    if (!w.queue) w.queue = device_->make_queue();
    while (w.slots.size() < count) w.slots.push_back(make_slot(*w.queue));
    const auto n = static_cast<std::size_t>(size());
    for (std::size_t c = 0; c < count; ++c) {
      std::copy_n(block[c], n, w.slots[c].host.data());
      w.queue->run(*w.slots[c].graph);
    }
    w.queue->synchronize();
    for (std::size_t c = 0; c < count; ++c) std::copy_n(w.slots[c].host.data(), n, block[c]);
  }
  bool solves_on_device() const override { return true; }
  void solve_on_device(DeviceQueue& queue, View<Vec3d> block, Workspace& workspace) const override {
    std::optional<Resident>& resident = static_cast<DeviceWorkspace&>(workspace).resident;
    if (!resident)
      resident.emplace(
          Resident{make_float_block(queue.device()), inverse_.make_workspace(queue.device()), {}});
    std::unique_ptr<DeviceGraph>& graph = resident->graphs[block.data];
    if (!graph) graph = record(queue, [&] { apply(queue, block, resident->block, resident->vectors); });
    queue.run(*graph);
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
  DeviceBuffer<Vec3<T>> make_float_block(Device& device) const {
    return {device, sizeof(T) == sizeof(double) ? 0 : static_cast<std::size_t>(size()), "global step"};
  }
  void apply(DeviceQueue& queue, View<Vec3d> wide, DeviceBuffer<Vec3<T>>& block,
             typename DeviceInverse<T>::Workspace& vectors) const {
    if constexpr (std::is_same_v<T, double>) {
      inverse_.apply(queue, wide, vectors);
    } else {
      queue.convert(block.view(), View<const Vec3d>(wide));
      inverse_.apply(queue, block.view(), vectors);
      queue.convert(wide, block.cview());
    }
  }
  Slot make_slot(DeviceQueue& queue) const {
    const auto n = static_cast<std::size_t>(size());
    Slot slot{PinnedBuffer<Vec3d>(*device_, n), DeviceBuffer<Vec3d>(*device_, n, "global step"),
              make_float_block(*device_), inverse_.make_workspace(*device_), nullptr};
    slot.graph = record(queue, [&] {
      queue.upload(slot.wide.view(), static_cast<const Vec3d*>(slot.host.data()));
      apply(queue, slot.wide.view(), slot.block, slot.vectors);
      queue.download(slot.host.data(), slot.wide.cview());
    });
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

DeviceInverseOf device_inverse_of(const LinearSolver& solver) {
  DeviceInverseOf found;
  if (const auto* full = dynamic_cast<const DeviceSolver<double>*>(&solver)) found.full = &full->inverse();
  if (const auto* mixed = dynamic_cast<const DeviceSolver<float>*>(&solver)) found.mixed = &mixed->inverse();
  return found;
}

}  // namespace sinew
