// What a body needs besides its arrays to be stepped on a device: its queue, its elements there, and room for
// the few numbers that the host decides by.
#pragma once

#include <memory>

#include "engine/delassus/point_rows.hpp"
#include "engine/elastic/device_elastic.hpp"
#include "kernels/device/mirrored.hpp"

namespace sinew {

class DeviceFrame {
 public:
  /// The queue is the body's alone. It and the device body outlive this.
  DeviceFrame(DeviceQueue& queue, const DeviceBody& body);

  DeviceQueue& queue() { return queue_; }
  const DeviceBody& body() const { return body_; }
  DeviceElastic& elastic() { return elastic_; }
  /// Inverse of the sum of all masses [1/kg].
  double inverse_mass() const { return inverse_mass_; }

  /// Where an operation of FrameOps leaves its sums: `slot` in [0, kSlots).
  View<double> sums(int slot) {
    return sums_.view().part(static_cast<std::size_t>(slot) * FrameOps::kMostSums, FrameOps::kMostSums);
  }
  View<double> scratch() { return scratch_.view(); }
  static constexpr int kSlots = 4;
  /// Sums of all slots at hand; waits for all work.
  void read_sums();
  double sum(int slot, int place) const {
    return on_host_[static_cast<std::size_t>(slot) * FrameOps::kMostSums + static_cast<std::size_t>(place)];
  }

  /// to[node[k]] = value[k]
  void put(const std::vector<Index>& node, const std::vector<Vec3d>& value, Mirrored<Vec3d>& to);
  /// Nodal vectors with few entries: to = value[k] at node[k] (each once), zero elsewhere, {n}.
  void scatter(const std::vector<Index>& node, const std::vector<Vec3d>& value, std::size_t n,
               Mirrored<Vec3d>& to);
  /// Weighted sums of nodes for gather_points().
  DevicePoints points(const BodyRows& rows);

 private:
  DeviceQueue& queue_;
  const DeviceBody& body_;
  DeviceElastic elastic_;
  double inverse_mass_ = 0.0;
  DeviceBuffer<double> sums_, scratch_;
  PinnedBuffer<double> on_host_;
  Mirrored<Index> node_, point_node_;
  Mirrored<std::size_t> point_start_;
  Mirrored<double> point_weight_;
  Mirrored<Vec3d> value_;
};

}  // namespace sinew
