#include "engine/step/device_frame.hpp"

#include "engine/step/frame.hpp"

namespace sinew {

namespace {
constexpr const char* kWhat = "a frame";
}

DeviceFrame::DeviceFrame(DeviceQueue& queue, const DeviceBody& body)
    : queue_(queue),
      body_(body),
      elastic_(queue.device(), body),
      sums_(queue.device(), kSlots * FrameOps::kMostSums, kWhat),
      scratch_(queue.device(), FrameOps::sums_scratch(static_cast<std::size_t>(body.host().node_count)),
               kWhat),
      on_host_(queue.device(), kSlots * FrameOps::kMostSums) {
  double mass = 0.0;
  for (const double m : body.host().mass) mass += m;
  inverse_mass_ = 1.0 / mass;
  node_.bind(&queue);
  value_.bind(&queue);
  point_start_.bind(&queue);
  point_node_.bind(&queue);
  point_weight_.bind(&queue);
}

void DeviceFrame::read_sums() {
  queue_.download(on_host_.data(), sums_.cview());
  queue_.synchronize();
}

void DeviceFrame::scatter(const std::vector<Index>& node, const std::vector<Vec3d>& value, std::size_t n,
                          Mirrored<Vec3d>& to) {
  queue_.clear(to.device_new(n));
  put(node, value, to);
}

void DeviceFrame::put(const std::vector<Index>& node, const std::vector<Vec3d>& value, Mirrored<Vec3d>& to) {
  if (node.empty()) return;
  node_.host_new(node.size()) = node;
  value_.host_new(value.size()) = value;
  queue_.put(to.device_edit(), node_.device(), value_.device());
}

DevicePoints DeviceFrame::points(const BodyRows& rows) {
  point_start_.host_new(rows.start.size()) = rows.start;
  point_node_.host_new(rows.node.size()) = rows.node;
  point_weight_.host_new(rows.weight.size()) = rows.weight;
  return {point_start_.device(), point_node_.device(), point_weight_.device()};
}

void set_device(BodyFrame& f, std::unique_ptr<DeviceFrame> device) {
  for (Mirrored<Vec3d>* array :
       {&f.external_force, &f.velocity, &f.predicted, &f.position, &f.gradient, &f.residual_vector,
        &f.trial_residual, &f.inverse_residual, &f.direction, &f.trial, &f.trial_gradient, &f.spare,
        &f.spare_gradient, &f.contact_nodal, &f.change_nodal, &f.inverse_change, &f.step, &f.gradient_change,
        &f.inverse_before})
    array->bind(&device->queue());
  f.device = std::move(device);
}

}  // namespace sinew
