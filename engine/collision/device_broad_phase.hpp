// Pairs of features that may touch, found on a device: one tree of boxes over the triangles of all surfaces.
//
// The tree is refit in every look and built anew when its boxes have grown; what it finds does not depend on
// its shape. Candidates are exact and sorted; the narrow phase decides about each.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/collision/device_box_tree.hpp"
#include "engine/collision/surface_state.hpp"

namespace sinew {

class DeviceBroadPhase {
 public:
  /// surfaces: of bodies first.
  DeviceBroadPhase(std::shared_ptr<Device> device, const std::vector<Surface>& surfaces,
                   const std::vector<std::shared_ptr<const SurfaceTrees>>& trees, std::size_t body_surfaces);

  /// A feature of all surfaces' numbering.
  struct Place {
    std::size_t surface;
    Index number;
  };
  Place point(Index i) const { return place(point_start_, i); }
  Place edge(Index i) const { return place(edge_start_, i); }
  Place triangle(Index i) const { return place(triangle_start_, i); }

  /// Candidates at these places, boxes larger by each state's inflation; a body with other bodies and
  /// obstacles, and with itself where it may. Of edges the first is of the lower surface. Valid until the
  /// next look. states {surfaces}. @throws MemoryError, BackendError
  std::span<const FeaturePair> find(const std::vector<SurfaceState>& states);

  const QueueCounters& counters() const { return queue_->counters(); }
  std::size_t builds() const { return builds_; }  ///< trees built so far

 private:
  using Starts = std::vector<Index>;  ///< {surfaces + 1} first numbers of each surface
  static Place place(const Starts& start, Index i);
  void upload(const std::vector<SurfaceState>& states);
  void upload_patches(const std::vector<SurfaceState>& states);
  void make_room(std::size_t pairs, std::size_t features);
  void look();

  std::shared_ptr<Device> device_;
  std::unique_ptr<DeviceQueue> queue_;
  std::vector<std::shared_ptr<const SurfaceTrees>> trees_;
  Starts point_start_, edge_start_, triangle_start_;
  std::size_t queries_ = 0;  ///< triangles of bodies
  bool patches_ = false;     ///< some surface may have flat ones

  DeviceBuffer<Index> corner_, edge_point_, own_point_start_, own_point_, own_edge_start_, own_edge_, owner_,
      patch_;
  DeviceBuffer<unsigned char> movable_, bare_, self_;
  DeviceBuffer<Vec3d> start_, end_;
  DeviceBuffer<double> inflation_;
  DeviceBuffer<DeviceBox> point_box_, edge_box_, triangle_box_;
  DeviceBoxTree tree_;
  bool built_ = false;
  std::size_t builds_ = 0;
  double least_area_ = 0.0;  ///< [m^2] of the tree since it was built

  DeviceBuffer<BoxPair> pair_;         ///< room
  DeviceBuffer<FeaturePair> feature_;  ///< room
  DeviceBuffer<std::uint32_t> count_, pair_begin_, feature_count_, feature_begin_;
  DeviceBuffer<unsigned char> scan_scratch_;
  DeviceBuffer<SumChunk> chunk_;
  DeviceBuffer<std::size_t> part_chunk_;
  DeviceBuffer<double> number_, sum_, sum_scratch_;  ///< areas of nodes, pairs of queries, features of pairs

  PinnedBuffer<Vec3d> host_start_, host_end_;
  PinnedBuffer<double> host_inflation_;
  PinnedBuffer<Index> host_patch_;
  PinnedBuffer<double> host_sum_;
  PinnedBuffer<FeaturePair> found_;
};

}  // namespace sinew
