// A contact problem on a device, with the forces and displacements that its solvers change.
#pragma once

#include <cstddef>

#include "engine/contact/contact_problem.hpp"
#include "kernels/device/upload_batch.hpp"

namespace sinew {

/// G goes up unless problem.device_gram is set: 87 MB of 3,300 points, which the bus takes 50 times as long
/// for as a product with it.
class DeviceContactProblem {
 public:
  /// Returns when all is there. scaling: {c} r [m/N] of nsn's rows; empty: their compliance.
  /// @throws MemoryError
  DeviceContactProblem(DeviceQueue& queue, const ContactProblem& problem, const std::vector<double>& scaling);
  /// Waits: blocks must not go back to the pool with work on them.
  ~DeviceContactProblem();
  DeviceContactProblem(const DeviceContactProblem&) = delete;

  DeviceQueue& queue() { return queue_; }
  ContactView view();
  View<const double> scaling() const { return scaling_.view(); }
  std::size_t points() const { return points_; }
  std::size_t unknowns() const { return points_ + rows_; }
  std::size_t rank() const { return column_.size(); }

  View<Vec3d> displacement() { return displacement_.view(); }  ///< {c}
  View<Vec3d> force() { return force_.view(); }                ///< {unknowns}
  /// to := base + h^2 (G + Q M Q^T) f, or to := h^2 ...
  void apply(View<const Vec3d> f, View<Vec3d> to, const int* skip);
  /// Forces and displacements come back; waits.
  void write_back(ContactProblem& problem);

 private:
  void take_gram(UploadBatch& batch, const ContactProblem& problem);
  void take_points(UploadBatch& batch, const ContactProblem& problem, const std::vector<double>& scaling);
  void take_metric(UploadBatch& batch, const LowRankTerm& metric);
  void take_rows(UploadBatch& batch, const std::vector<ScalarRow>& scalar);

  DeviceQueue& queue_;
  std::size_t points_, rows_;
  double squared_step_;
  DeviceBuffer<double> own_copy_;  ///< of G
  DeviceBuffer<double> diagonal_;
  View<double> gram_;
  DeviceBuffer<PointLaw> law_;
  DeviceBuffer<ContactFrame<double>> frame_;
  DeviceBuffer<double> friction_, held_, scaling_;
  DeviceBuffer<std::size_t> metric_row_;
  DeviceBuffer<LowRankSegment> segment_;
  DeviceBuffer<LowRankUse> metric_use_;
  DeviceBuffer<LowRankColumn> column_;
  DeviceBuffer<Vec3d> q_, projected_;
  DeviceBuffer<double> middle_, z_;
  DeviceBuffer<DeviceScalarRow> scalar_;
  DeviceBuffer<DeviceScalarEntry> entry_;
  DeviceBuffer<std::size_t> use_start_;
  DeviceBuffer<DeviceScalarUse> use_;
  DeviceBuffer<double> own_gram_, own_;
  DeviceBuffer<Vec3d> displacement_, force_;
};

}  // namespace sinew
