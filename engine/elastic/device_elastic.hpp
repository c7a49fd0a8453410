// The local step of one body on a device: evaluate_elastic() and what it reads, kept there. Same elements,
// same functions, same order of the sums over nodes; energies are added in another order than on the host.
#pragma once

#include "engine/elastic/local_step.hpp"
#include "engine/precompute/body_precompute.hpp"
#include "kernels/device/queue.hpp"

namespace sinew {

/// Arrays of one BodyPrecomputed; instances share it.
class DeviceBody {
 public:
  /// Copies them; returns when they are there. @throws MemoryError
  DeviceBody(DeviceQueue& queue, const BodyPrecomputed& body);

  const BodyPrecomputed& host() const { return *host_; }
  DeviceElements elements() const;
  DeviceSquares rows() const;
  View<const double> mass() const { return mass_.view(); }
  SumPlanView energy_plan() const { return {chunk_.view(), part_chunk_.view()}; }
  std::size_t bytes() const;

 private:
  const BodyPrecomputed* host_;
  DeviceBuffer<DeviceBlock> block_;
  DeviceBuffer<std::uint16_t> corner_, corner_of_slot_;
  DeviceBuffer<double> rest_, volume_, mass_, coefficient_, weight_, length_;
  DeviceBuffer<Index> node_, corner_start_, slot_start_, slot_;
  DeviceBuffer<Index> row_start_, row_node_, row_incidence_start_, row_incidence_, row_of_place_;
  DeviceBuffer<SumChunk> chunk_;
  DeviceBuffer<std::size_t> part_chunk_;
};

/// Corners of each slot of the blocks, ascending: {slots + 1} starts and 4 * (element in the block) + corner.
/// Elements without volume, which only fill packs, are left out.
struct SlotCorners {
  std::vector<Index> start;
  std::vector<std::uint16_t> corner;
};
SlotCorners make_slot_corners(const ElementBlocks<double>& elements);

/// Arrays of one body during a frame.
class DeviceElastic {
 public:
  DeviceElastic(Device& device, const DeviceBody& body);

  /// Strains and lengths at the frame's start, {node_count} q_t.
  void begin_frame(DeviceQueue& queue, View<const Vec3d> start);
  /// gradient: {node_count} of e [N s^2]. The energies follow: read them after energy_down() and a wait.
  void evaluate(DeviceQueue& queue, double time_step, View<const Vec3d> predicted, View<const Vec3d> start,
                View<const Vec3d> position, View<Vec3d> gradient);
  void energy_down(DeviceQueue& queue);
  ElasticEnergy energy(double time_step) const;

 private:
  enum Part { kBlockElastic, kRowElastic, kBlockDamping, kRowDamping, kInertia, kParts };
  View<double> part(Part p);

  const DeviceBody* body_;
  std::size_t blocks_, rows_, nodes_;
  DeviceBuffer<Vec3d> partial_, row_force_;
  DeviceBuffer<double> start_strain_, start_length_;  ///< empty without damping
  DeviceBuffer<double> terms_;                        ///< energies, part after part
  DeviceBuffer<double> sums_, scratch_;               ///< {kParts}; of the sums
  PinnedBuffer<double> on_host_;                      ///< {kParts}
};

}  // namespace sinew
